import { expect, test } from 'vitest';
import {
  isHost,
  marketOf,
  offeredCurrencies,
  unknownCurrencies,
  withTax,
} from '../../../../worker/catalog/rules/markets.ts';

const order = { consent: true, orderButton: 'order' };
const consentMarket = { id: 'consent', currency: 'USD', consent: true, orderButton: 'pay' };
const free = { currency: 'USD', consent: false, orderButton: 'pay' };

test.each([
  [
    'in the EU with euros',
    'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK',
    { id: 'euro', currency: 'EUR', ...order },
  ],
  ['in the EU without euros', 'CZ DK HU PL RO SE', { id: 'europe', currency: 'USD', ...order }],
  ['in the eurozone outside the EU’s list', 'AX GF GP MF MQ RE YT', { id: 'euro' }],
  ['beside the EU', 'IS LI NO GB CH', { id: 'europe', currency: 'USD', consent: true }],
  ['where a law asks for consent', 'CA BR TR TH MC UA NC PF WF', consentMarket],
  ['unknown', 'XX T1 __proto__ de', consentMarket],
  ['without such a law', 'AU JP MX', { id: 'other', ...free }],
  ['of its own', 'US', { id: 'us', ...free }],
])('markets: countries %s', (_what, countries, market) => {
  for (const country of countries.split(' '))
    expect([country, marketOf(country)]).toMatchObject([country, market]);
});

test('markets: no country at all asks for consent', () =>
  expect(marketOf('')).toMatchObject(consentMarket));

test('markets: prices state included taxes, except in the United States', () => {
  const taxed = ['US', 'CA', 'DE', 'SE', 'GB', 'JP'].filter((country) => marketOf(country).tax);
  expect(taxed).toEqual(['CA', 'DE', 'SE', 'GB', 'JP']);
});

test('markets: where tax is calculated, every market states it', () => {
  const us = marketOf('US');
  const states = [
    {},
    { STRIPE_TAX: 'false' },
    { STRIPE_TAX: 'true' },
    { BRAINTREE_TAX_RATES: '{}' },
  ];
  expect(states.map((vars) => withTax(us, vars).tax)).toEqual([false, false, true, true]);
});

test('markets: each has three e-mail hosts', () => {
  for (const country of ['US', 'DE', 'SE', 'JP'])
    expect(marketOf(country).shortcuts).toEqual(['gmail.com', 'yahoo.com', 'outlook.com']);
});

test('currencies: a shop offers USD and EUR, and those of its setting that are known', () => {
  for (const [variable, offered] of [
    ['GBP, SEK', ['USD', 'EUR', 'GBP', 'SEK']],
    ['', ['USD', 'EUR']],
    ['EUR JPY XXX', ['USD', 'EUR', 'JPY']],
    [undefined, ['USD', 'EUR']],
  ] as const) {
    expect(offeredCurrencies(variable)).toEqual(offered);
    expect(offeredCurrencies(variable)).toBe(offeredCurrencies(variable));
  }
  expect(unknownCurrencies('EUR JPY XXX')).toEqual(['XXX']);
});

test('hosts: a name with dots, without a path or capitals, that fits into 30 characters', () => {
  const long = (length: number) => `${'a'.repeat(length - 4)}.org`;
  expect(['example.org', 'a-b.example.org', long(30)].map(isHost)).toEqual([true, true, true]);
  for (const text of [long(31), 'example', 'Example.org', 'example.org/a', '-a.org', ''])
    expect([text, isHost(text)]).toEqual([text, false]);
});
