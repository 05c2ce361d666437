import { expect, it } from 'vitest';
import SignInLink from '../../islands/sign-in-link.tsx';
import { htmlOf, text, wordsOf } from './html.tsx';

it('sign-in link page: shows that the link is being opened, without actions', () => {
  const html = htmlOf(<SignInLink text={text['sign-in-link']} />);
  expect(wordsOf(html)).toBe('Opening your link');
  expect(html).not.toMatch(/<a |<button/);
});
