import { expect, it } from 'vitest';
import RevealCardForm from '../../islands/reveal-card-form.tsx';
import { htmlOf, wordsOf } from './html.tsx';

it('reveal card form: is a link without JavaScript, and not the Continue button', () => {
  const html = htmlOf(<RevealCardForm label="Pay by card" sectionId="card" />);
  expect(wordsOf(html)).toBe('Pay by card');
  expect(html).toMatch(/<a[^>]*id="card-button"[^>]*href="#card"/);
});
