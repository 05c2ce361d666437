import { expect, it } from 'vitest';
import SignInLink from '../../islands/sign-in-link.tsx';
import { htmlOf, text, wordsOf } from './html.tsx';

it('says that it opens the link, and offers nothing before it knows more', () => {
  const html = htmlOf(<SignInLink text={text['sign-in-link']} />);
  expect(wordsOf(html)).toBe('Opening your link');
  expect(html).not.toMatch(/<a |<button/);
});
