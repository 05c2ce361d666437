import { expect, it } from 'vitest';
import AutoSignupForm from '../../islands/auto-signup-form.tsx';
import { htmlOf, text, wordsOf } from './html.tsx';

it('is busy from the start, and offers to try again', () => {
  const html = htmlOf(<AutoSignupForm text={text['auto-signup-form']} />);
  expect(html).toContain('aria-disabled="true"');
  expect(wordsOf(html)).toContain('Make a test account');
});
