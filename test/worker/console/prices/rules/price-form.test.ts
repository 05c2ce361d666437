import fc from 'fast-check';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { decimal, minorPerUnit } from '../../../../../locales/format/currency.ts';
import { catalogSchema } from '../../../../../worker/catalog/rules/catalog-document.ts';
import {
  type Currency,
  currencies,
  largestCharge,
  multipleOf,
  smallestCharge,
} from '../../../../../worker/catalog/rules/currencies.ts';
import { periods, slots } from '../../../../../worker/catalog/rules/plans.ts';
import { soldVersionProblems } from '../../../../../worker/catalog/rules/sold-versions.ts';
import {
  byField,
  emptyProduct,
  gridIn,
  gridOf,
  newId,
  type ProductForm,
  productFormOf,
  productIn,
  starts,
  withGrid,
  withProduct,
  withSoldVersion,
} from '../../../../../worker/console/prices/rules/price-form.ts';

const amountOf = (currency: Currency) =>
  fc
    .integer({
      min: Math.ceil(smallestCharge(currency) / multipleOf(currency)),
      max: Math.floor(Math.min(largestCharge(currency), 99_999_999) / multipleOf(currency)),
    })
    .map((count) => (count * multipleOf(currency)) / minorPerUnit(currency))
    .map((units) => Number(units.toFixed(3)));
const amounts = fc
  .uniqueArray(fc.constantFrom(...currencies), { minLength: 1, maxLength: 6 })
  .chain((own) =>
    fc.record(Object.fromEntries(own.map((currency) => [currency, amountOf(currency)]))),
  );
const days = fc.integer({ min: 1, max: 365 });
const version = fc.record(
  {
    prices: amounts,
    intro: fc.oneof(
      fc.record({ days, prices: amounts }),
      fc.record({ days, free: fc.constant(true as const) }),
    ),
    reference: amounts,
  },
  { requiredKeys: ['prices'] },
);
const product = fc
  .record(
    {
      slot: fc.constantFrom(...slots),
      label: fc.string({ minLength: 1, maxLength: 80 }).map((text) => text.trim() || 'Plan'),
      period: fc.constantFrom(...periods),
      grace_days: fc.integer({ min: 0, max: 365 }),
      coupon: fc.constant({ code: 'UPSELL30', percent: 30 }),
      all: fc.array(version, { minLength: 1, maxLength: 4 }),
      isOlder: fc.boolean(),
    },
    { requiredKeys: ['slot', 'label', 'period', 'grace_days', 'all', 'isOlder'] },
  )
  .map(({ all, isOlder, ...own }) => ({
    ...own,
    ...(isOlder && { sells: 1 }),
    versions: Object.fromEntries(all.map((one, at) => [at + 1, one])),
  }));
const catalog = fc
  .record({ monthly: product, yearly_2: product })
  .map((products) => JSON.stringify({ currencies: ['USD', 'EUR'], products }));

function asSent({ prices, intro, reference = {}, currencies: added, ...form }: ProductForm) {
  const fields = new URLSearchParams(Object.entries(form));
  for (const currency of added) fields.append('currency', currency);
  for (const [table, own] of Object.entries({ prices, intro, reference })) {
    for (const [currency, text] of Object.entries(own)) fields.append(`${table}.${currency}`, text);
  }
  return fields;
}
const formOf = (text: string, id: string) => productFormOf(text, id) ?? expect.fail('no product');
const parse = (text: string) => v.parse(catalogSchema, JSON.parse(text));

test('price form: a form without a change changes nothing', () => {
  fc.assert(
    fc.property(catalog, (text) => {
      for (const id of ['monthly', 'yearly_2']) {
        expect(withProduct(text, productIn(asSent(formOf(text, id))))).toEqual({
          catalog: text,
          id,
        });
      }
      const { currencies: offered, products } = gridOf(text);
      const fields = new URLSearchParams(offered.map((currency) => ['currency', currency]));
      for (const [id, tables] of Object.entries(products)) {
        for (const [table, own] of Object.entries(tables)) {
          for (const [currency, typed] of Object.entries(own))
            fields.append(`${table}.${id}.${currency}`, typed);
        }
      }
      expect(withGrid(text, gridIn(fields, text))).toBe(text);
    }),
  );
});

test('price form: a currency that becomes offered shows the prices that the plans have, and a foreign field is ignored', () => {
  const text = JSON.stringify({
    products: {
      club: {
        slot: 'main',
        label: 'Club',
        period: 'month',
        grace_days: 7,
        versions: { 1: { prices: { USD: 39.99, GBP: 34.99 } } },
      },
    },
  });
  const fields = new URLSearchParams([
    ['currency', 'USD'],
    ['currency', 'GBP'],
    ['prices.club.USD', '39.99'],
    ['prices.__proto__.USD', '1'],
  ]);
  const form = gridIn(fields, text);
  expect(form.products.club?.prices).toEqual({ USD: '39.99', GBP: '34.99' });
  expect(JSON.parse(withGrid(text, form)).products).toEqual(JSON.parse(text).products);
});

test('price form: every valid product survives its form', () => {
  fc.assert(
    fc.property(catalog, (text) => {
      const form = formOf(text, 'monthly');
      const written = withProduct(text, productIn(asSent({ ...form, id: '', label: 'New one' })));
      const [old, own] = [parse(text).products.monthly, parse(written.catalog).products.new_one];
      const sold = String(old?.sells ?? Math.max(...Object.keys(old?.versions ?? {}).map(Number)));
      expect(own?.versions).toEqual({ 1: old?.versions[sold] });
      expect([own?.slot, own?.period, own?.grace_days]).toEqual([
        ...[old?.slot, old?.period, old?.grace_days],
      ]);
    }),
  );
});

test('price form: whatever is typed, nothing that was sold changes', () => {
  const typed = fc.uniqueArray(fc.constantFrom(...currencies), { maxLength: 5 }).chain((own) =>
    fc.record(
      Object.fromEntries(
        own.map((currency) => [
          currency,
          fc.option(
            amountOf(currency).map((units) =>
              decimal(Math.round(units * minorPerUnit(currency)), currency),
            ),
            { nil: '' },
          ),
        ]),
      ),
    ),
  );
  const introDays = days.map(String);
  const start = fc.constantFrom(...starts);
  fc.assert(
    fc.property(
      catalog,
      typed,
      start,
      introDays,
      typed,
      (text, prices, start, introDays, intro) => {
        const form = { ...formOf(text, 'monthly'), start, introDays, prices, intro };
        const product = withProduct(text, form).catalog;
        const grid = withGrid(text, {
          currencies: ['USD'],
          products: { monthly: { prices, intro } },
        });
        for (const next of [product, grid]) {
          expect(soldVersionProblems(parse(text), parse(next))).toEqual([]);
        }
      },
    ),
  );
});

const sold = (versions: object, more: object = {}) =>
  JSON.stringify({
    products: {
      monthly: { slot: 'main', label: 'M', period: 'month', grace_days: 7, ...more, versions },
    },
  });
const changed = (text: string, form: Partial<ProductForm>) =>
  JSON.parse(withProduct(text, { ...formOf(text, 'monthly'), ...form }).catalog).products.monthly;

const bare = { reference: undefined };
test.each([
  [
    'another price, with the price struck through that the form shows,',
    { prices: { USD: '49.99' } },
    { 2: { prices: { USD: 49.99, EUR: 9 }, reference: { USD: 50 } } },
    2,
  ],
  [
    'another price, without one where the form shows none,',
    { prices: { USD: '49.99' }, reference: undefined },
    { 2: { prices: { USD: 49.99, EUR: 9 } } },
    2,
  ],
  ['a price that goes', { prices: { EUR: '' }, ...bare }, { 2: { prices: { USD: 39.99 } } }, 2],
  [
    'an intro',
    { start: 'paid', introDays: '7', intro: { USD: '1' }, ...bare },
    { 2: { prices: { USD: 39.99, EUR: 9 }, intro: { days: 7, prices: { USD: 1 } } } },
    2,
  ],
  [
    'a free trial, whatever its amounts,',
    { start: 'free', introDays: '7', intro: { USD: '1' }, ...bare },
    { 2: { prices: { USD: 39.99, EUR: 9 }, intro: { days: 7, free: true } } },
    2,
  ],
  ['an intro price without an intro', { introDays: '7', intro: { USD: '1' } }, {}, 1],
] as const)('price form: %s is a new version, which is sold', (_, form, versions, sells) => {
  const first = { 1: { prices: { USD: 39.99, EUR: 9 }, reference: { USD: 50 } } };
  expect(changed(sold(first), form).versions).toEqual({ ...first, ...versions });
  expect(changed(sold(first, { sells: 1 }), form).sells).toBe(sells);
});

test('price form: a price in one more currency belongs to the version that is sold', () => {
  const first = { 1: { prices: { USD: 39.99 }, reference: { USD: 50 } } };
  expect(changed(sold(first), { prices: { JPY: '5980' } }).versions).toEqual({
    1: { prices: { USD: 39.99, JPY: 5980 }, reference: { USD: 50 } },
  });
});

test.each([
  ['39,90', 'USD', 39.9],
  ['1,500', 'USD', '1,500'],
  ['1.500', 'USD', '1.500'],
  ['1.505', 'USD', 1.505],
  ['1.500', 'KWD', 1.5],
  ['1.500', 'JPY', '1.500'],
  ['$9', 'USD', '$9'],
  ['-1', 'USD', '-1'],
])('price form: %s in %s is %s', (typed, currency, amount) => {
  expect(
    changed(sold({ 1: { prices: {} } }), { prices: { [currency]: typed } }).versions[1].prices,
  ).toEqual({ [currency]: amount });
});

test('price form: an earlier version is sold again, and a new product gets an id of its own', () => {
  const text = sold({ 1: { prices: { USD: 1 } }, 2: { prices: { USD: 2 } } });
  expect(
    JSON.parse(withSoldVersion(text, { id: 'monthly', version: '1', country: '' })).products.monthly
      .sells,
  ).toBe(1);
  expect(withSoldVersion(text, { id: 'constructor', version: '1', country: '' })).toBe(text);
  expect(productFormOf(text, 'constructor')).toBeNull();
  expect(withProduct(text, { ...emptyProduct, label: 'Mónthly!' }).id).toBe('monthly_2');
  expect(newId('年額', [])).toBe('plan');
  expect(newId('7 days', ['days', 'days_2'])).toBe('days_3');
});

test('price form: a price for one country is a version that others do not get', () => {
  const text = sold({ 1: { prices: { USD: 39.99 } } });
  const own = changed(text, { prices: { USD: '19.99' }, only: 'EC' });
  expect(own).toMatchObject({ sells: 1, countries: { EC: 2 } });
  expect(own.versions[2]).toEqual({ prices: { USD: 19.99 } });
  const inPeru = withSoldVersion(text, { id: 'monthly', version: '1', country: 'PE' });
  expect(JSON.parse(inPeru).products.monthly.countries).toEqual({ PE: 1 });
  expect(withSoldVersion(inPeru, { id: 'monthly', version: '', country: 'PE' })).toBe(
    JSON.stringify(JSON.parse(text), null, 2),
  );
  const sent = { ...formOf(text, 'monthly'), prices: { USD: '19.99' }, only: 'EC' };
  const again = withProduct(text, sent).catalog;
  expect(productFormOf(again, 'monthly', 'EC')?.prices).toEqual({ USD: '19.99' });
  const cheaper = { ...sent, prices: { USD: '9.99' } };
  expect(JSON.parse(withProduct(again, cheaper).catalog).products.monthly).toMatchObject({
    sells: 1,
    countries: { EC: 3 },
  });
  expect(changed(text, { only: 'EC' })).toEqual(JSON.parse(text).products.monthly);
});

test('price form: an error belongs to a field, whatever the version', () => {
  expect(
    byField({ 'monthly.versions.12.prices.USD': 'a', 'versions.2.intro.days': 'b', label: 'c' }),
  ).toEqual({ 'monthly.prices.USD': 'a', 'intro.days': 'b', label: 'c' });
});

test('price form: ticked currencies are offered beside those that are', () => {
  const text = sold({ 1: { prices: { USD: 39.99, EUR: 9, GBP: 30 } } });
  const next = withProduct(text, { ...formOf(text, 'monthly'), currencies: ['GBP', 'USD'] });
  expect(JSON.parse(next.catalog).currencies).toEqual(['USD', 'EUR', 'GBP']);
});
