import { expect, it } from 'vitest';
import AutoSignupForm from '../../islands/auto-signup-form.tsx';
import { htmlOf, text, wordsOf } from './html.tsx';

it('auto sign-up: is pending at first and offers a retry', () => {
  const html = htmlOf(<AutoSignupForm text={text['auto-signup-form']} />);
  expect(html).toContain('aria-disabled="true"');
  expect(wordsOf(html)).toContain('Make a test account');
});
