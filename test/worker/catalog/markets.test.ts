import { expect, test } from 'vitest';
import { marketOf } from '../../../worker/catalog/markets.ts';

const idOf = (country: string) => marketOf(country).id;

const members = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK';
const withoutEuro = new Set(['CZ', 'DK', 'HU', 'PL', 'RO', 'SE']);

test.each(members.split(' '))('%s, in the Union, is asked for consent and orders', (country) => {
  const { consent, orderButton, currency } = marketOf(country);
  expect([consent, orderButton]).toEqual([true, 'order']);
  expect(currency).toBe(withoutEuro.has(country) ? 'USD' : 'EUR');
});

test.each(['AX', 'GF', 'GP', 'MF', 'MQ', 'RE', 'YT'])('%s is a part of the eurozone', (country) =>
  expect(idOf(country)).toBe('euro'),
);

test('a price says that taxes are in it, but not in the United States', () => {
  const told = ['US', 'CA', 'DE', 'SE', 'GB', 'JP'].filter((country) => marketOf(country).tax);
  expect(told).toEqual(['CA', 'DE', 'SE', 'GB', 'JP']);
});

test.each(['IS', 'LI', 'NO', 'GB', 'CH'])('%s is asked for consent too, and pays USD', (country) =>
  expect(marketOf(country)).toMatchObject({ id: 'europe', currency: 'USD', consent: true }),
);

test.each(['CA', 'BR', 'TR', 'TH', 'MC', 'UA', 'NC', 'PF', 'WF'])(
  '%s is asked too, and presses Pay',
  (country) =>
    expect(marketOf(country)).toMatchObject({ id: 'asking', consent: true, orderButton: 'pay' }),
);

test.each(['XX', 'T1', '', '__proto__', 'de'])('%j, no country, is asked', (country) =>
  expect(marketOf(country)).toMatchObject({ id: 'asking', currency: 'USD', consent: true }),
);

test.each(['US', 'AU', 'JP', 'MX'])('%j pays in USD and is not asked', (country) =>
  expect(marketOf(country)).toMatchObject({
    currency: 'USD',
    consent: false,
    orderButton: 'pay',
  }),
);

test('the United States are a market of their own', () => {
  expect([idOf('US'), idOf('JP'), idOf('DE'), idOf('SE')]).toEqual([
    'us',
    'other',
    'euro',
    'europe',
  ]);
});

test('each market offers three e-mail hosts, as readings name them', () => {
  for (const country of ['US', 'DE', 'SE', 'JP']) {
    expect(marketOf(country).shortcuts).toEqual(['gmail.com', 'yahoo.com', 'outlook.com']);
  }
});
