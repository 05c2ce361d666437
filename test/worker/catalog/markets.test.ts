import { expect, test } from 'vitest';
import { marketOf } from '../../../worker/catalog/markets.ts';

const idOf = (country: string) => marketOf(country).id;

const members = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK';
const withoutEuro = new Set(['CZ', 'DK', 'HU', 'PL', 'RO', 'SE']);

test.each(members.split(' '))(
  'markets: %s, in the EU, requires consent and an order button',
  (country) => {
    const { consent, orderButton, currency } = marketOf(country);
    expect([consent, orderButton]).toEqual([true, 'order']);
    expect(currency).toBe(withoutEuro.has(country) ? 'USD' : 'EUR');
  },
);

test.each(['AX', 'GF', 'GP', 'MF', 'MQ', 'RE', 'YT'])(
  'markets: %s belongs to the eurozone',
  (country) => expect(idOf(country)).toBe('euro'),
);

test('markets: prices state included taxes, except in the United States', () => {
  const told = ['US', 'CA', 'DE', 'SE', 'GB', 'JP'].filter((country) => marketOf(country).tax);
  expect(told).toEqual(['CA', 'DE', 'SE', 'GB', 'JP']);
});

test.each(['IS', 'LI', 'NO', 'GB', 'CH'])(
  'markets: %s requires consent and pays in USD',
  (country) =>
    expect(marketOf(country)).toMatchObject({ id: 'europe', currency: 'USD', consent: true }),
);

test.each(['CA', 'BR', 'TR', 'TH', 'MC', 'UA', 'NC', 'PF', 'WF'])(
  'markets: %s requires consent and has a pay button',
  (country) =>
    expect(marketOf(country)).toMatchObject({ id: 'asking', consent: true, orderButton: 'pay' }),
);

test.each(['XX', 'T1', '', '__proto__', 'de'])(
  'markets: %j, an unknown country, requires consent',
  (country) =>
    expect(marketOf(country)).toMatchObject({ id: 'asking', currency: 'USD', consent: true }),
);

test.each(['US', 'AU', 'JP', 'MX'])('markets: %j pays in USD without consent', (country) =>
  expect(marketOf(country)).toMatchObject({
    currency: 'USD',
    consent: false,
    orderButton: 'pay',
  }),
);

test('markets: the United States are their own market', () => {
  expect([idOf('US'), idOf('JP'), idOf('DE'), idOf('SE')]).toEqual([
    'us',
    'other',
    'euro',
    'europe',
  ]);
});

test('markets: each has three e-mail hosts', () => {
  for (const country of ['US', 'DE', 'SE', 'JP']) {
    expect(marketOf(country).shortcuts).toEqual(['gmail.com', 'yahoo.com', 'outlook.com']);
  }
});
