import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import GoogleButton from '../../islands/google-button.tsx';
import { htmlOf, text, wordsOf } from './html.tsx';

const html = htmlOf(
  <GoogleButton text={text['google-button']} clientId="client" vendors="" language="en" />,
);
const css = readFileSync('islands/google-button.module.css', 'utf8');

it('google button: renders a divider and one button that submits and loads nothing', () => {
  expect(wordsOf(html)).toBe('or Continue with Google');
  expect(html.match(/<button[^>]*>/g)).toEqual([expect.stringContaining('type="button"')]);
  expect(html).not.toMatch(/<script|<iframe|<link|accounts\.google/);
});

it('google button: reserves its space, and is hidden without JavaScript', () => {
  expect(css).toMatch(/\.box \{[^}]*inline-size: min\(100%, 343px\);[^}]*block-size: 56px;/);
  expect(css).toMatch(/\.theirs \{[^}]*position: absolute;/);
  expect(css).toMatch(/scripting: none\) \{\s*\.social \{\s*display: none;/);
});
