import { expect, it } from 'vitest';
import OfferCountdown from '../../islands/offer-countdown.tsx';
import { htmlOf, text, wordsOf } from './html.tsx';

it('offer countdown: starts at five minutes in a box that the loader fills', () => {
  const html = htmlOf(<OfferCountdown text={text['offer-countdown']} />);
  expect(wordsOf(html)).toBe('We hold this price for 5:00');
  expect(html).toContain('data-fill="app.timer"');
});
