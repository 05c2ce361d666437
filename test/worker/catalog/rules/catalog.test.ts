import fc from 'fast-check';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { minorPerUnit } from '../../../../locales/format/currency.ts';
import builtIn from '../../../../worker/catalog/rules/built-in-catalog.json' with { type: 'json' };
import {
  builtInCatalog,
  Catalog,
  currencyOfPlan,
} from '../../../../worker/catalog/rules/catalog.ts';
import {
  type CatalogDocument,
  catalogSchema,
} from '../../../../worker/catalog/rules/catalog-document.ts';
import {
  currencies,
  multipleOf,
  smallestCharge,
} from '../../../../worker/catalog/rules/currencies.ts';
import { configSet } from '../../../../worker/experiments/config-set.ts';
import { offerOf, readDocuments } from '../../../../worker/experiments/rules/config-documents.ts';
import { texts } from '../../../scripts/config/command-context.ts';

type Written = {
  products: Record<string, Record<string, unknown> & { versions: Record<string, unknown> }>;
};

/** The built-in catalog with `monthly` changed. */
function written(change: (monthly: Written['products'][string]) => object): Written {
  const document: Written = structuredClone(builtIn);
  const { monthly } = document.products;
  return {
    products: {
      ...document.products,
      monthly: { ...monthly, ...change(monthly as never) } as never,
    },
  };
}
const second = (sells?: number) =>
  written(({ versions }) => ({
    ...(sells && { sells }),
    versions: { ...versions, 2: { prices: { USD: 49.99, EUR: 44.99 } } },
  }));
const documentsWith = (catalog: unknown, config?: string) => ({
  ...(config ? texts(config) : texts()),
  'catalog.json': JSON.stringify(catalog),
});
const errorsOf = (catalog: unknown, live?: unknown) =>
  configSet.problems(documentsWith(catalog), live === undefined ? undefined : documentsWith(live))
    .errors;

test('catalog: a new version is sold in place of the one before, which keeps its id and price', () => {
  const catalog = new Catalog(v.parse(catalogSchema, second()));
  expect(catalog.resolve('monthly')).toBe('monthly@2');
  expect(catalog.resolve('monthly@1')).toBe('monthly');
  expect(catalog.resolve('monthly@3')).toBeUndefined();
  expect(catalog.planById('monthly@2_usd')).toMatchObject({ price: 4999, family: 'monthly@2' });
  expect(catalog.planById('monthly_usd')).toEqual(builtInCatalog.planById('monthly_usd'));
  expect(new Catalog(v.parse(catalogSchema, second(1))).resolve('monthly')).toBe('monthly');
});

test('catalog: two arms may sell two versions', () => {
  const offer = { after: [], upsell: 'upsell_monthly_999', guide: 'guide_1799' };
  const offers = {
    old: { plans: ['monthly@1', 'quarterly'], ...offer },
    new: { plans: ['monthly', 'quarterly'], ...offer },
  };
  const variants = ['old', 'new'].map((key) => ({ key, weight: 50, flow: 'default' }));
  const config = JSON.stringify({ experiment: 'price', variants, offers });
  const configuration = readDocuments(documentsWith(second(), config));
  expect(offerOf(configuration, 'old').plans).toEqual(['monthly', 'quarterly']);
  expect(offerOf(configuration, 'new').plans).toEqual(['monthly@2', 'quarterly']);
});

const inCountries = (countries: object, prices: object = { USD: 19.99 }) =>
  written(({ versions }) => ({ sells: 1, countries, versions: { ...versions, 2: { prices } } }));

test('catalog: an offer names a version once, by whatever name, wherever it is sold', () => {
  const offer = { after: [], upsell: 'upsell_monthly_999', guide: 'guide_1799' };
  const config = (plans: string[]) =>
    JSON.stringify({
      experiment: 'price',
      variants: [{ key: 'a', weight: 100, flow: 'default' }],
      offers: { a: { ...offer, plans } },
    });
  const errors = (plans: string[], catalog: object) =>
    configSet.problems(documentsWith(catalog, config(plans))).errors;
  const twice = ['config.json offers.a.plans.1: names a plan twice'];
  expect(errors(['monthly', 'monthly@1'], builtIn)).toEqual(twice);
  expect(errors(['monthly', 'monthly@2'], second(1))).toEqual([]);
  expect(errors(['monthly', 'monthly@2'], inCountries({ EC: 2 }, { USD: 9, EUR: 9 }))).toEqual(
    twice,
  );
});

test('catalog: amounts are whole minor units of their currency', () => {
  const amount = fc.tuple(fc.constantFrom(...currencies), fc.integer({ min: 0, max: 900_000 }));
  fc.assert(
    fc.property(amount, ([currency, steps]) => {
      const minor = smallestCharge(currency) + steps * multipleOf(currency);
      const prices = { USD: 1, EUR: 1, [currency]: minor / minorPerUnit(currency) };
      const document = written(({ versions }) => ({ versions: { ...versions, 2: { prices } } }));
      const catalog = new Catalog(v.parse(catalogSchema, document));
      expect(catalog.planOf('monthly@2', currency).price).toBe(minor);
      expect(currencyOfPlan(catalog.planOf('monthly@2', currency).id)).toBe(currency);
    }),
  );
});

const versionTwo = (version: object) =>
  written(({ versions }) => ({ versions: { ...versions, 2: version } }));
const many = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`p${at}`, builtIn.products.monthly]),
  );

test.each([
  [
    'too many digits',
    versionTwo({ prices: { USD: 9.999, EUR: 9 } }),
    'prices.USD: USD has 2 decimals',
  ],
  [
    'half a yen',
    versionTwo({ prices: { USD: 9, EUR: 9, JPY: 1.5 } }),
    'prices.JPY: JPY has no decimals',
  ],
  [
    'nothing',
    versionTwo({ prices: { USD: 0, EUR: 9 } }),
    'prices.USD: below 0.50, the smallest charge in USD',
  ],
  [
    'a text',
    versionTwo({ prices: { USD: '9', EUR: 9 } }),
    'prices.USD: not an amount such as 39.99',
  ],
  [
    'an unknown currency',
    versionTwo({ prices: { USD: 9, EUR: 9, XAU: 1 } }),
    'not a currency of the catalog',
  ],
  [
    'a market without a price',
    versionTwo({ prices: { USD: 9 } }),
    'versions.2.prices.EUR: missing',
  ],
  [
    'an intro longer than the period',
    versionTwo({ prices: { USD: 9, EUR: 9 }, intro: { days: 31, prices: { USD: 1, EUR: 1 } } }),
    'versions.2.intro.days: an intro is shorter than the period',
  ],
  [
    'a free intro longer than the period',
    versionTwo({ prices: { USD: 9, EUR: 9 }, intro: { days: 30, free: true } }),
    'versions.2.intro.days: an intro is shorter than the period',
  ],
  [
    'a free intro with prices',
    versionTwo({ prices: { USD: 9, EUR: 9 }, intro: { days: 7, free: true, prices: { USD: 1 } } }),
    'versions.2.intro.free: an intro with prices is not free',
  ],
  [
    'an intro that costs nothing known',
    versionTwo({ prices: { USD: 9, EUR: 9 }, intro: { days: 7 } }),
    'versions.2.intro.prices: missing; or free: true',
  ],
  [
    'a free intro of an extra',
    written(({ versions }) => ({
      slot: 'upsell',
      versions: { ...versions, 2: { prices: { USD: 9, EUR: 9 }, intro: { days: 7, free: true } } },
    })),
    'versions.2.intro.free: only a main plan without a coupon begins free',
  ],
  [
    'a version that is not there',
    written(() => ({ sells: 9 })),
    'products.monthly.sells: no such version',
  ],
  [
    'a version called "new"',
    written(({ versions }) => ({ versions: { ...versions, new: versions[1] } })),
    'not a version such as 2',
  ],
  ['a slot of its own', written(() => ({ depends_on: 'main' })), 'depends_on: is its own slot'],
  [
    'an unknown field',
    written(() => ({ depend_on: 'main' })),
    'products.monthly.depend_on: unknown field; did you mean depends_on?',
  ],
  [
    'an unknown field of a version',
    versionTwo({ prices: { USD: 9, EUR: 9 }, into: { days: 7, free: true } }),
    'versions.2.into: unknown field; did you mean intro?',
  ],
  ['201 products', { products: many(201) }, 'products: not 1 to 200 entries'],
  ['10,000 products', { products: many(10_000) }, 'larger than 256 KB'],
  ['no products', { products: {} }, 'products: not 1 to 200 entries'],
  ['a list', { products: [] }, 'products: not 1 to 200 entries'],
  [
    'without what the built-in offer sells',
    { products: { quarterly: builtIn.products.quarterly } },
    'products.monthly: missing; the built-in offer sells it',
  ],
])('catalog: %s is refused with its field and reason', (_, catalog, line) => {
  expect(errorsOf(catalog).join('\n')).toContain(line);
});

test('catalog: a name that is written twice is refused, whichever JSON would keep', () => {
  const text = JSON.stringify(second(), null, 2);
  const twice = (name: string) => {
    const at = text.indexOf(`"${name}": {`);
    const line = text.slice(0, at).split('\n').length;
    const again = `${text.slice(0, at)}"${name}": {"a": 1, "b": {}},\n${text.slice(at)}`;
    const { errors } = configSet.problems({ ...texts(), 'catalog.json': again });
    return errors.map((error) => error.replace(`line ${line + 1}`, 'the next line'));
  };
  expect(twice('quarterly')).toEqual([
    'catalog.json products.quarterly: written again in the next line',
  ]);
  expect(twice('2')).toEqual([
    'catalog.json products.monthly.versions.2: written again in the next line',
  ]);
});

const without = (name: string) => {
  const { [name]: _, ...products } = second().products;
  return { products };
};

const withUpsell = (coupon: object) => {
  const { coupon: _, ...upsell } = builtIn.products.upsell_monthly_999;
  return { products: { ...second().products, upsell_monthly_999: { ...upsell, ...coupon } } };
};

test.each([
  [
    'a changed price',
    written(({ versions }) => ({
      versions: { ...versions, 2: { prices: { USD: 48, EUR: 44.99 } } },
    })),
    'products.monthly.versions.2: was sold so; add a version',
  ],
  ['a removed version', builtIn, 'products.monthly.versions.2: was sold, so it stays'],
  [
    'a removed product',
    without('guide_899'),
    'products.guide_899: was sold, so it stays; take it out of the offers',
  ],
  [
    'another period',
    {
      products: {
        ...second().products,
        monthly: { ...second().products.monthly, period: 'quarter' },
      },
    },
    'products.monthly.period: was sold so; add another plan',
  ],
  [
    'a coupon for a plan without one',
    written(({ versions }) => ({
      versions: { ...versions, ...second().products.monthly?.versions },
      coupon: { code: 'HALF', percent: 50 },
    })),
    'products.monthly.coupon: was sold so; add another plan',
  ],
  [
    'a plan without its coupon',
    withUpsell({}),
    'products.upsell_monthly_999.coupon: was sold so; add another plan',
  ],
  [
    'another code',
    withUpsell({ coupon: { code: 'UPSELL31', percent: 30 } }),
    'products.upsell_monthly_999.coupon: was sold so; add another plan',
  ],
  [
    'another percentage',
    withUpsell({ coupon: { code: 'UPSELL30', percent: 31 } }),
    'products.upsell_monthly_999.coupon: was sold so; add another plan',
  ],
])('catalog: after a sale %s is refused', (_, catalog, line) => {
  expect(errorsOf(catalog, second())).toContain(`catalog.json ${line}`);
});

test('catalog: a sold version may get prices in more currencies, and another version may be sold', () => {
  const more = written(({ versions }) => ({
    sells: 1,
    versions: { ...versions, 2: { prices: { USD: 49.99, EUR: 44.99, JPY: 7480 } } },
  }));
  expect(errorsOf(more, second())).toEqual([]);
});

test('catalog: a country may have a version of its own, with a price where it is sold', () => {
  const document = inCountries({ EC: 2, DE: 2 }, { USD: 19.99, EUR: 17.99 });
  expect(errorsOf(document)).toEqual([]);
  const read = readDocuments(documentsWith(document));
  const resolved = (country: string) => {
    const { catalog } = read.soldIn(country);
    return ['monthly', 'monthly@1', 'quarterly'].map((one) => catalog.resolve(one));
  };
  expect(resolved('EC')).toEqual(['monthly@2', 'monthly', 'quarterly']);
  expect(resolved('PE')).toEqual(['monthly', 'monthly', 'quarterly']);
  expect(offerOf({ ...read, ...read.soldIn('DE') }, 'any').plans).toEqual([
    'monthly@2',
    'quarterly',
  ]);
  expect(read.catalog.plans.map(({ id }) => id)).toContain('monthly@2_eur');
});

test('catalog: where a trial needs another yes, a plan that begins free is sold without it, in a form of its own', () => {
  const free = { prices: { USD: 39.99, EUR: 39.99 }, intro: { days: 14, free: true } };
  const document = written(({ versions }) => ({ versions: { ...versions, 2: free } }));
  const read = readDocuments(documentsWith(document));
  const soldIn = (country: string) => {
    const { catalog } = read.soldIn(country);
    const { today, introDays, price } = catalog.planOf(catalog.resolve('monthly') ?? '', 'USD');
    return [catalog.country, catalog.beginsFree('monthly@2'), today, introDays, price];
  };
  expect(soldIn('KR')).toEqual(['KR', false, 3999, 0, 3999]);
  expect(soldIn('JP')).toEqual(['', true, 0, 14, 3999]);
});

test.each([
  [inCountries({ UK: 2 }), 'products.monthly.countries.UK: not a country such as EC'],
  [inCountries({ EC: 3 }), 'products.monthly.countries: names a version that is not there'],
  [inCountries({ DE: 2 }), 'products.monthly.versions.2.prices.EUR: missing; DE pays in EUR'],
])('catalog: a country’s own version is refused: %#', (document, line) => {
  expect(errorsOf(document)).toEqual([`catalog.json ${line}`]);
});

test('catalog: a review says where another version is sold, and a rollback takes it back', () => {
  const [plain, own] = [
    documentsWith(second(1)),
    documentsWith(inCountries({ EC: 2 }, { USD: 49.99, EUR: 44.99 })),
  ];
  expect(configSet.differences(plain, own)).toEqual(['plan monthly: new buyers in EC get price 2']);
  expect(configSet.differences(own, plain)).toEqual(['plan monthly: new buyers in EC get price 1']);
  const restored = configSet.restored(texts(), own);
  expect([...readDocuments(restored).catalog.countries]).toEqual(['KR']);
});

test('catalog: a rollback sells the earlier version and keeps the later one', () => {
  const [earlier, live] = [texts(), documentsWith(second())];
  const restored = configSet.restored(earlier, live);
  expect(configSet.problems(restored, live).errors).toEqual([]);
  const { catalog } = readDocuments(restored);
  expect(catalog.resolve('monthly')).toBe('monthly');
  expect(catalog.planById('monthly@2_usd')).toMatchObject({ price: 4999 });
  expect(configSet.differences(live, restored)).toEqual(['plan monthly: new buyers get price 1']);
});

test('catalog: the review says which prices are new', () => {
  expect(configSet.differences(texts(), documentsWith(second()))).toEqual([
    'plan monthly: price 2 added, 49.99 USD, 44.99 EUR',
    'plan monthly: new buyers get price 2',
  ]);
});

test('catalog: the built-in document has every price in the currencies that it has', () => {
  const document: CatalogDocument = v.parse(catalogSchema, builtIn);
  expect(Object.keys(document.products)).toHaveLength(13);
  const priced = currencies.filter((one) => builtInCatalog.sells(builtInCatalog.families, one));
  expect(priced).toHaveLength(11);
  expect(builtInCatalog.plansIn(currencies)).toHaveLength(13 * priced.length);
});
