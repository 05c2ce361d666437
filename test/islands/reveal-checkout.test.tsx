import { expect, it } from 'vitest';
import RevealCheckout from '../../islands/reveal-checkout.tsx';
import { htmlOf, text, wordsOf } from './html.tsx';

const html = htmlOf(<RevealCheckout text={text['reveal-checkout']} sectionId="pay" />);

it('reveal checkout: is the Continue button, and a link without JavaScript', () => {
  expect(wordsOf(html)).toBe('Continue');
  expect(html).toMatch(/<a[^>]*id="continue-button"[^>]*href="#pay"/);
});

it('reveal checkout: does not navigate', () => {
  expect(html).not.toContain('data-navigate');
});
