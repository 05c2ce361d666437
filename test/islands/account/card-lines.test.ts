import { expect, test } from 'vitest';
import { cardLines } from '../../../islands/account/card-lines.ts';
import arabic from '../../../locales/ar/islands.json' with { type: 'json' };

const card = { brand: 'Visa', last4: '4242', month: 12, year: 2027 };

test('card name: in Arabic the month comes before the year, as on the card', () => {
  const [, expiry] = cardLines(arabic['my-account'], card, 'ar');
  expect(expiry).toContain('\u206612/2027\u2069');
});
