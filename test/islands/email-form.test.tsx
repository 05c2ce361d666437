import { expect, it } from 'vitest';
import EmailForm from '../../islands/email-form.tsx';
import { htmlOf, text } from './html.tsx';

const hosts = ['gmail.com', 'yahoo.com', 'outlook.com'];
const of = (shortcuts: string[]) =>
  htmlOf(<EmailForm text={text['email-form']} action="/signup" shortcuts={shortcuts} />);

it('e-mail form: posts to its own page without JavaScript, its field uncontrolled', () => {
  const html = of(hosts);
  expect(html).toMatch(/<form[^>]* action="\/signup" method="post"/);
  const [input = ''] = /<input[^>]*>/.exec(html) ?? [];
  for (const part of ['name="email"', 'type="email"', 'autoComplete="email"']) {
    expect(input).toContain(part);
  }
  expect(input).not.toContain('value=');
});

it('e-mail form: shortcuts submit nothing and can be switched off', () => {
  expect(of(hosts).match(/<button[^>]*type="button"[^>]*>@[\w.]+/g)).toHaveLength(3);
  expect(of([])).not.toContain('type="button"');
});
