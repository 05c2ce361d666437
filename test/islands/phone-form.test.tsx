import { expect, it } from 'vitest';
import PhoneForm from '../../islands/phone-form.tsx';
import { htmlOf, text } from './html.tsx';

const country = { code: 'DE', name: 'Germany', calling: '49', example: '01512 3456789' };
const html = htmlOf(<PhoneForm text={text['phone-form']} action="/one_pager" country={country} />);

it('posts to its own page without script', () => {
  expect(html).toMatch(/<form[^>]* action="\/one_pager" method="post"/);
  expect(html).toContain('<option value="DE" selected="">Germany (\u2066+49\u2069)</option>');
  expect(html).toMatch(/<button[^>]*id="continue-button"[^>]*type="submit"/);
});

it('leaves the number to the browser: telephone keyboard, autofill, left to right, no value', () => {
  const [input = ''] = /<input[^>]*>/.exec(html) ?? [];
  for (const part of ['name="phone"', 'type="tel"', 'autoComplete="tel"', 'dir="ltr"']) {
    expect(input).toContain(part);
  }
  expect(input).not.toContain('value=');
});

it('shows how the visitor’s country writes a number, outside the value', () => {
  expect(html).toMatch(/<input[^>]* placeholder="01512 3456789"/);
});

it('has its error’s line before there is an error', () => {
  expect(html).toContain('aria-describedby="phone-error"');
  expect(html).toMatch(/<p[^>]*id="phone-error" role="alert"><\/p>/);
});
