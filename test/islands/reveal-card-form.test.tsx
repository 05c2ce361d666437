import { expect, it } from 'vitest';
import RevealCardForm from '../../islands/reveal-card-form.tsx';
import { htmlOf, wordsOf } from './html.tsx';

it('is a link to the card form without script, and not the screen’s Continue button', () => {
  const html = htmlOf(<RevealCardForm label="Pay by card" opens="card" />);
  expect(wordsOf(html)).toBe('Pay by card');
  expect(html).toMatch(/<a[^>]*id="card-button"[^>]*href="#card"/);
});
