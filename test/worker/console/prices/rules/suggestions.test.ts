import * as v from 'valibot';
import { expect, test } from 'vitest';
import { priceSentences } from '../../../../../worker/console/prices/rules/price-sentences.ts';
import {
  filled,
  ratesIn,
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

test('suggestions: the reporting rates, else those of our own prices', () => {
  const withRates = { ...builtIn, config: { ...builtIn.config, reporting } };
  expect(ratesIn(withRates).source).toBe('the rates of 2026-11-20');
  expect(suggestionsFor({ USD: '99' }, ratesIn(withRates))).toEqual({ EUR: '89.99', JPY: '15200' });
  const own = ratesIn(builtIn);
  expect(own.source).toBe('the prices of the other plans');
  expect(suggestionsFor({ USD: '39.99' }, own)).toMatchObject({ EUR: '39.99', GBP: '33.99' });
});

test.each<Record<string, string>>([{}, { USD: '' }, { USD: 'ten' }, { EUR: '5' }])(
  'suggestions: none for %j',
  (prices) => {
    expect(suggestionsFor(prices, ratesIn(builtIn))).toEqual({});
  },
);

test('suggestions: fill only what is shown and empty', () => {
  const prices = { USD: '99', EUR: '95' };
  expect(filled(prices, ['USD', 'EUR', 'JPY'], reporting)).toEqual({ ...prices, JPY: '15200' });
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
    ['“Plan”: subscribers keep $39.99. New buyers pay $49.99.', '“Plan” is also sold for ¥5,980.'],
  ],
  [
    'the earlier price again',
    plan(second),
    plan(second, { sells: 1 }),
    ['“Plan”: subscribers keep $49.99. New buyers pay $39.99.'],
  ],
  [
    'a new plan',
    null,
    plan({ 1: intro }),
    ['“Plan” is new. Buyers pay $1.00 for 7 days, then $9.00.'],
  ],
  [
    'a version of one country',
    plan(first),
    plan({ ...first, 2: { prices: { USD: 19.99 } } }, { sells: 1, countries: { EC: 2 } }),
    ['“Plan” in EC: new buyers pay $19.99.'],
  ],
  ['nothing', plan(first), plan(first), []],
])('price sentences: %s', (_, before, after, sentences) => {
  expect(priceSentences(catalog(before ? { plan: before } : {}), catalog({ plan: after }))).toEqual(
    sentences,
  );
});
