import { expect, test } from 'vitest';
import { configSet } from '../../../../worker/experiments/config-set.ts';
import {
  builtInDocuments,
  readDocuments,
} from '../../../../worker/experiments/rules/config-documents.ts';
import { everywhereDocument } from '../../../fakes/everywhere-catalog.ts';

interface Written {
  currencies?: string[];
  products: Record<
    string,
    { versions: Record<string, { prices: Record<string, number>; intro?: { prices: object } }> }
  >;
}

/** The built-in documents with a changed catalog. */
function written(change: (catalog: Written) => void, from = builtInDocuments['catalog.json']) {
  const catalog: Written = JSON.parse(from);
  change(catalog);
  return { ...builtInDocuments, 'catalog.json': JSON.stringify(catalog) };
}

const errorsOf = (change: (catalog: Written) => void, from?: string) =>
  configSet.problems(written(change, from)).errors;

const offers =
  (...currencies: string[]) =>
  (catalog: Written) => {
    catalog.currencies = currencies;
  };

test('catalog currencies: those with every price are sold, USD and EUR by default', () => {
  const read = (change: (catalog: Written) => void) => readDocuments(written(change)).catalog;
  expect(read(offers('USD', 'GBP', 'JPY')).currencies).toEqual(['USD', 'GBP', 'JPY']);
  const unsaid = read((catalog) => {
    delete catalog.currencies;
  });
  expect(unsaid.currencies).toEqual(['USD', 'EUR']);
  expect(unsaid.plans.map(({ currency }) => currency)).not.toContain('GBP');
  expect(errorsOf(() => {}, JSON.stringify(everywhereDocument))).toEqual([]);
});

test.each([
  [['EUR'], /currencies: without USD, in which all other countries pay/],
  [['USD', 'USD'], /currencies: names a currency twice/],
  [['USD', 'XXX'], /currencies\.1: not a currency of the catalog/],
])('catalog currencies: %j are refused', (currencies, reason) =>
  expect(errorsOf(offers(...currencies))).toEqual([expect.stringMatching(reason)]),
);

test('catalog currencies: each version that is sold needs a price in each of them', () => {
  const missing = errorsOf(offers('USD', 'EUR', 'KWD'));
  expect(missing).toContain(
    'catalog.json products.monthly.versions.1.prices.KWD: missing; visitors pay in KWD',
  );
  expect(missing).toContain(
    'catalog.json products.monthly_7d.versions.1.intro.prices.KWD: missing; visitors pay in KWD',
  );
  const onlyNew = errorsOf((catalog) => {
    const { versions } = catalog.products.monthly ?? { versions: {} };
    versions[2] = { prices: { USD: 49.99 } };
  });
  expect(onlyNew).toEqual([
    'catalog.json products.monthly.versions.2.prices.EUR: missing; visitors pay in EUR',
  ]);
});

const withPrice = (currency: string, price: number, product = 'monthly') =>
  errorsOf((catalog) => {
    const prices = catalog.products[product]?.versions[1]?.prices ?? {};
    prices[currency] = price;
  });

test.each([
  ['JPY', 5980.5, 'JPY has no decimals; 5981 is the nearest'],
  ['USD', 39.999, 'USD has 2 decimals; 40.00 is the nearest'],
  ['KWD', 12.9999, 'KWD has 3 decimals; 13.000 is the nearest'],
  ['KWD', 12.995, 'not a multiple of 0.010, as the providers need in KWD; 13.000 is the nearest'],
  ['HUF', 14990.5, 'not a multiple of 1.00, as the providers need in HUF; 14991.00 is the nearest'],
  ['TWD', 389.5, 'not a multiple of 1.00, as the providers need in TWD; 390.00 is the nearest'],
  ['CZK', 14, 'below 15.00, the smallest charge in CZK'],
  ['USD', 1_000_000, 'above 999999.99, the largest charge in USD'],
])('catalog currencies: a price of %s %d is refused', (currency, price, reason) =>
  expect(withPrice(currency, price)).toEqual([
    `catalog.json products.monthly.versions.1.prices.${currency}: ${reason}`,
  ]),
);

test('catalog currencies: a built-in coupon has to leave an amount that can be charged', () => {
  expect(withPrice('KWD', 3.05, 'upsell_monthly_999')).toEqual([
    expect.stringContaining(
      'prices.KWD: its coupon of 30% leaves an amount that cannot be charged',
    ),
  ]);
  expect(withPrice('KWD', 3, 'upsell_monthly_999')).toEqual([]);
});

test('catalog currencies: a review says which are added and removed', () => {
  const [before, after] = [written(offers('USD', 'SEK')), written(offers('USD', 'GBP'))];
  expect(configSet.differences(before, after)).toEqual([
    'currency GBP: added; GB, GG, IM, JE pay in it, no longer in USD',
    'currency SEK: removed; SE pay in USD; subscribers keep it',
  ]);
});

test('catalog currencies: a charge worth less than the smallest one in USD is noted, once there are rates', () => {
  const slip = written((catalog) => {
    const { prices } = catalog.products.upsell_monthly_999?.versions[1] ?? { prices: {} };
    prices.EGP = 30;
    prices.NGN = 1000;
  });
  const reporting = {
    currency: 'EUR',
    date: '2026-11-20',
    rates: { USD: 0.9, EGP: 0.02, NGN: 0.0006 },
  };
  const config = JSON.parse(builtInDocuments['config.json']);
  const withRates = { ...slip, 'config.json': JSON.stringify({ ...config, reporting }) };
  expect(configSet.problems(withRates).warnings.filter((one) => one.includes('worth'))).toEqual([
    'catalog.json products.upsell_monthly_999.versions.1.prices.EGP: a charge of 21.00 is worth 0.46 USD by the rates, below 0.50 USD, the smallest charge of an account in USD',
    'catalog.json products.upsell_monthly_999.versions.1.prices.NGN: a charge of 700.00 is worth 0.46 USD by the rates, below 0.50 USD, the smallest charge of an account in USD',
  ]);
});

test('catalog currencies: a price far from what the rates say is noted, once there are rates', () => {
  const slip = written((catalog) => {
    const { prices } = catalog.products.monthly?.versions[1] ?? { prices: {} };
    prices.JPY = 59_800;
  });
  const reporting = { currency: 'USD', date: '2026-11-20', rates: { JPY: 0.0067, EUR: 1.08 } };
  const config = JSON.parse(builtInDocuments['config.json']);
  const withRates = { ...slip, 'config.json': JSON.stringify({ ...config, reporting }) };
  expect(configSet.problems(slip).warnings).toEqual([]);
  expect(configSet.problems(withRates).warnings).toEqual([
    'catalog.json products.monthly.versions.1.prices.JPY: 59800 is far from 6000, which the rates make of 39.99 USD',
  ]);
});
