import { expect, test } from 'vitest';
import { countriesOf, currencies } from '../../../../worker/catalog/rules/currencies.ts';
import {
  isHost,
  marketById,
  marketByTag,
  marketIds,
  marketOf,
  marketTag,
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
  ['where a law asks for consent', 'CA BR TR TH UA NC PF WF', consentMarket],
  [
    'with euros, where a law asks for consent',
    'AD MC VA ME',
    { ...consentMarket, id: 'ad', currency: 'EUR' },
  ],
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

test('markets: a country pays in its own currency where that is offered, else in dollars', () => {
  const inYen = marketOf('JP', ['USD', 'EUR', 'JPY']);
  expect(inYen).toMatchObject({ id: 'jp', currency: 'JPY', consent: false, orderButton: 'pay' });
  expect(marketOf('JP')).toMatchObject({ id: 'other', currency: 'USD' });
  expect(marketOf('LI', ['USD', 'CHF'])).toMatchObject({ id: 'ch', currency: 'CHF', ...order });
  expect(marketOf('DE', ['USD'])).toMatchObject({ id: 'euro', currency: 'USD', ...order });
});

test('markets: the law of a country does not depend on what is offered', () => {
  for (const country of [...currencies.flatMap(countriesOf), 'XX', 'T1', 'ZW']) {
    const rules = ({ consent, orderButton, tax }: ReturnType<typeof marketOf>) => [
      consent,
      orderButton,
      tax,
    ];
    expect(rules(marketOf(country, currencies))).toEqual(rules(marketOf(country, ['USD'])));
  }
});

test('markets: five laws and 45 currencies are 53 pairs, which bound the pages in the cache', () => {
  const all = marketIds.map((id) => marketById(id));
  const laws = new Set(all.map((one) => [one?.consent, one?.orderButton, one?.tax].join()));
  expect(laws.size).toBe(4);
  expect(new Set(all.map((one) => one?.currency)).size).toBe(currencies.length);
  expect(marketIds).toHaveLength(53);
});

test('markets: ids and tags of earlier pages, rules and records stay readable', () => {
  const earlier = {
    gb: 'GBP',
    ca: 'CAD',
    au: 'AUD',
    jp: 'JPY',
    br: 'BRL',
    mx: 'MXN',
    pl: 'PLN',
    se: 'SEK',
    ch: 'CHF',
  };
  for (const [id, currency] of Object.entries({
    us: 'USD',
    euro: 'EUR',
    europe: 'USD',
    ...earlier,
  }))
    expect(marketByTag(id)).toMatchObject({ id, currency });
  expect(marketByTag('gb-USD')).toMatchObject({ id: 'gb', currency: 'USD', ...order });
  expect(marketByTag('gb-XXX')).toBeUndefined();
  expect(marketByTag('zz')).toBeUndefined();
  for (const id of marketIds)
    for (const currency of currencies) {
      const market = { ...marketById(id), id, currency };
      expect(marketByTag(marketTag(market))).toEqual(market);
    }
});

test('hosts: a name with dots, without a path or capitals, that fits into 30 characters', () => {
  const long = (length: number) => `${'a'.repeat(length - 4)}.org`;
  expect(['example.org', 'a-b.example.org', long(30)].map(isHost)).toEqual([true, true, true]);
  for (const text of [long(31), 'example', 'Example.org', 'example.org/a', '-a.org', ''])
    expect([text, isHost(text)]).toEqual([text, false]);
});
