import { expect, it } from 'vitest';
import PhoneForm from '../../islands/phone-form.tsx';
import { htmlOf, text } from './html.tsx';

const country = { code: 'DE', name: 'Germany', calling: '49', example: '01512 3456789' };
const html = htmlOf(<PhoneForm text={text['phone-form']} action="/one_pager" country={country} />);

it('phone form: posts to its own page without JavaScript', () => {
  expect(html).toMatch(/<form[^>]* action="\/one_pager" method="post"/);
  expect(html).toContain('<option value="DE" selected="">Germany (\u2066+49\u2069)</option>');
  expect(html).toMatch(/<button[^>]*id="continue-button"[^>]*type="submit"/);
});

it('phone form: has the telephone keyboard, autofill, left-to-right text and no value', () => {
  const [input = ''] = /<input[^>]*>/.exec(html) ?? [];
  for (const part of ['name="phone"', 'type="tel"', 'autoComplete="tel"', 'dir="ltr"']) {
    expect(input).toContain(part);
  }
  expect(input).not.toContain('value=');
});

it('phone form: shows an example of the country outside the value', () => {
  expect(html).toMatch(/<input[^>]* placeholder="01512 3456789"/);
});

it('phone form: reserves the line of its error', () => {
  expect(html).toContain('aria-describedby="phone-error"');
  expect(html).toMatch(/<p[^>]*id="phone-error" role="alert"><\/p>/);
});
