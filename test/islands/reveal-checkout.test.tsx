import { expect, it } from 'vitest';
import RevealCheckout from '../../islands/reveal-checkout.tsx';
import { htmlOf, text, wordsOf } from './html.tsx';

const html = htmlOf(<RevealCheckout text={text['reveal-checkout']} opens="pay" />);

it('is the screen’s Continue button, and a link to the checkout without script', () => {
  expect(wordsOf(html)).toBe('Continue');
  expect(html).toMatch(/<a[^>]*id="continue-button"[^>]*href="#pay"/);
});

it('is no move to another screen', () => {
  expect(html).not.toContain('data-navigate');
});
