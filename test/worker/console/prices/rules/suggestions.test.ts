import * as v from 'valibot';
import { expect, test } from 'vitest';
import {
  couponSentences,
  offerSentences,
  priceSentences,
} from '../../../../../worker/console/prices/rules/price-sentences.ts';
import {
  filled,
  ratesIn,
  sourceText,
  suggestionsFor,
} from '../../../../../worker/console/prices/rules/suggestions.ts';
import { builtInDocuments } from '../../../../../worker/experiments/rules/config-documents.ts';
import { schemas } from '../../../../../worker/experiments/rules/config-schema.ts';
import { validateDocuments } from '../../../../../worker/experiments/rules/config-validation.ts';

const { set } = validateDocuments(builtInDocuments);
const builtIn = set ?? expect.fail('not valid');
const reporting = {
  currency: 'USD' as const,
  date: '2026-11-20',
  rates: { EUR: 1.1, JPY: 0.0065 },
};

test('suggestions: by the reporting rates, else our own prices; a currency without either is named', () => {
  const withRates = { ...builtIn, config: { ...builtIn.config, reporting } };
  const rates = ratesIn(withRates);
  const suggested = suggestionsFor({ USD: '99' }, rates);
  expect(suggested).toMatchObject({ EUR: '90.00', JPY: '15200', GBP: '84.00' });
  expect(sourceText(rates, ['USD', 'EUR', 'JPY', 'GBP', 'INR'])).toBe(
    'EUR and JPY by the rates of 2026-11-20; GBP by the prices of the other plans; no rate for INR',
  );
  expect(suggestionsFor({ USD: '39.99' }, ratesIn(builtIn))).toMatchObject({
    EUR: '39.99',
    GBP: '33.99',
  });
});

test('suggestions: reporting rates in another currency count in dollars', () => {
  const inEuro = { currency: 'EUR' as const, date: '2026-11-20', rates: { USD: 0.8, JPY: 0.006 } };
  const rates = ratesIn({ ...builtIn, config: { ...builtIn.config, reporting: inEuro } });
  expect([rates.rates.EUR, rates.rates.JPY]).toEqual([1.25, 0.006 / 0.8]);
});

test.each<Record<string, string>>([{}, { USD: '' }, { USD: 'ten' }, { EUR: '5' }])(
  'suggestions: none for %j',
  (prices) => {
    expect(suggestionsFor(prices, ratesIn(builtIn))).toEqual({});
  },
);

test('suggestions: fill only what is shown and empty', () => {
  const prices = { USD: '99', EUR: '95' };
  const rates = { currency: 'USD' as const, rates: reporting.rates };
  expect(filled({ ...prices, GBP: '' }, ['USD', 'EUR', 'JPY'], rates)).toEqual({
    ...prices,
    JPY: '15200',
    GBP: '',
  });
});

const catalog = (products: object) =>
  v.parse(schemas.catalog, {
    products: { ...JSON.parse(builtInDocuments['catalog.json']).products, ...products },
  });
const plan = (versions: object, more: object = {}) => ({
  ...{ slot: 'main', label: 'Plan', period: 'month', grace_days: 7, ...more },
  versions,
});
const first = { 1: { prices: { USD: 39.99, EUR: 39.99 } } };
const second = { ...first, 2: { prices: { USD: 49.99, EUR: 39.99, JPY: 5980 } } };
const intro = { prices: { USD: 9 }, intro: { days: 7, prices: { USD: 1 } } };

test.each([
  [
    'another price',
    plan(first),
    plan(second),
    [
      '“Plan”: subscribers keep $39.99 a month. New buyers pay $49.99 a month. No other price changes.',
      '“Plan” is also sold in JPY: buyers pay ¥5,980 a month.',
    ],
  ],
  [
    'the dollar price alone',
    plan(first),
    plan({ ...first, 2: { prices: { USD: 49.99, EUR: 39.99 } } }),
    [
      '“Plan”: subscribers keep $39.99 a month. New buyers pay $49.99 a month. No other price changes.',
    ],
  ],
  [
    'the earlier price again',
    plan(second),
    plan(second, { sells: 1 }),
    [
      '“Plan”: subscribers keep $49.99 a month. New buyers pay $39.99 a month. No other price changes.',
    ],
  ],
  [
    'a new plan',
    null,
    plan({ 1: intro }),
    ['“Plan” is new. Buyers pay $1.00 for 7 days, then $9.00 a month.'],
  ],
  [
    'a new plan with a trial',
    null,
    plan({ 1: { ...first[1], intro: { days: 7, free: true } } }, { period: 'year' }),
    ['“Plan” is new. Buyers get 7 days free, then pay $39.99 and €39.99 a year.'],
  ],
  [
    'a version of one country',
    plan(first),
    plan({ ...first, 2: { prices: { USD: 19.99 } } }, { sells: 1, countries: { EC: 2 } }),
    ['“Plan” in Ecuador: new buyers pay $19.99 a month.'],
  ],
  ['nothing', plan(first), plan(first), []],
])('price sentences: %s', (_, before, after, sentences) => {
  expect(priceSentences(catalog(before ? { plan: before } : {}), catalog({ plan: after }))).toEqual(
    sentences,
  );
});

test.each([
  [
    { percent: 50, renewals: 3 },
    '50% off the first payment and the next 3 renewals with the code HALF3; for every plan that has no discount of its own and does not begin free.',
  ],
  [
    { amount: 500, plans: ['monthly'], until: '2026-12-31' },
    '5.00 off the first payment with the code HALF3; for Monthly plan; until 2026-12-31.',
  ],
])('coupon sentences: %j', (terms, sentence) => {
  const config = v.parse(schemas.config, {
    ...JSON.parse(builtInDocuments['config.json']),
    coupons: { HALF3: terms },
  });
  expect(couponSentences(builtIn, { ...builtIn, config })).toEqual([sentence]);
  expect(couponSentences({ ...builtIn, config }, { ...builtIn, config })).toEqual([]);
});

test('price sentences: new currencies name their countries, and a changed offer what is chosen between', () => {
  const more = { ...builtIn.catalog, currencies: [...builtIn.catalog.currencies, 'JPY' as const] };
  expect(priceSentences(builtIn.catalog, more)).toEqual([
    'New currency, Japanese Yen: buyers in Japan pay in it for every plan, no longer in dollars.',
  ]);
  const { fullPrice } = builtIn.config.offers;
  const withOffer = (best_value: string) => ({
    ...builtIn,
    config: {
      ...builtIn.config,
      offers: { fullPrice: { ...(fullPrice ?? expect.fail('none')), best_value } },
    },
  });
  const next = withOffer('quarterly');
  const start =
    'All visitors choose between “Monthly plan” and “Quarterly plan”. Selected at first: the lowest price per day. Marked “Best value”:';
  expect(offerSentences(builtIn, next)).toEqual([`${start} “Quarterly plan”.`]);
  expect(offerSentences(builtIn, withOffer('monthly'))).toEqual([`${start} none.`]);
  const monthly = plan({ 1: { prices: { USD: 9.99, EUR: 9.99 } } }, { label: 'Monthly plan' });
  const cheaper = { ...builtIn, catalog: catalog({ monthly }) };
  expect(offerSentences(builtIn, cheaper)).toEqual([`${start} “Monthly plan”.`]);
  expect(offerSentences(next, next)).toEqual([]);
});
