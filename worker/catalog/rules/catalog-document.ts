import * as v from 'valibot';
import { decimal, minorDigits, minorPerUnit } from '../../../locales/format/currency.ts';
import { type Minor, minor } from '../../platform/types.ts';
import {
  asChargeable,
  type Currency,
  currencies,
  isChargeable,
  largestCharge,
  multipleOf,
  smallestCharge,
} from './currencies.ts';
import { periods, slots } from './plans.ts';

const limits = { products: 200, versions: 100, days: 365 };

/** Written in whole units, such as `39.99`, because people write this document. */
function amountIn(currency: Currency) {
  const text = (amount: Minor) => decimal(amount, currency);
  const perUnit = minorPerUnit(currency);
  const [least, most] = [smallestCharge(currency), largestCharge(currency)];
  const nearest = (units: number) => {
    const amount = Math.min(most, Math.max(least, asChargeable(units * perUnit, currency)));
    return `; ${text(minor(amount))} is the nearest`;
  };
  return v.pipe(
    v.number('not an amount such as 39.99'),
    v.minValue(least / perUnit, `below ${text(least)}, the smallest charge in ${currency}`),
    v.maxValue(most / perUnit, `above ${text(most)}, the largest charge in ${currency}`),
    v.check(
      (amount) => Number(amount.toFixed(minorDigits(currency))) === amount,
      ({ input }) => `${currency} has ${minorDigits(currency) || 'no'} decimals${nearest(input)}`,
    ),
    v.transform((amount): Minor => minor(Math.round(amount * perUnit))),
    v.check(
      (amount) => isChargeable(amount, currency),
      ({ input }) =>
        `not a multiple of ${text(multipleOf(currency))}, as the providers need in ${currency}${nearest(input / perUnit)}`,
    ),
  );
}

const amounts = v.strictObject(
  Object.fromEntries(
    currencies.map((currency) => [currency, v.optional(amountIn(currency))]),
  ) as Record<Currency, v.OptionalSchema<ReturnType<typeof amountIn>, undefined>>,
  'not a currency of the catalog',
);

const days = (least: number) =>
  v.pipe(
    v.number('not a number of days'),
    v.integer('not whole days'),
    v.minValue(least, `fewer than ${least}`),
    v.maxValue(limits.days, `more than ${limits.days}`),
  );

const unknownField = ({ expected, message }: v.StrictObjectIssue) =>
  expected === 'never' ? 'unknown field' : message;

const fieldsOf = <const T extends v.ObjectEntries>(entries: T) =>
  v.strictObject(entries, unknownField);

export const versionSchema = fieldsOf({
  prices: amounts,
  intro: v.optional(
    v.pipe(
      fieldsOf({
        days: days(1),
        prices: v.optional(amounts),
        free: v.optional(v.literal(true, 'not true')),
      }),
      v.forward(
        v.check(({ prices, free }) => !(prices && free), 'an intro with prices is not free'),
        ['free'],
      ),
      v.forward(
        v.check(({ prices, free }) => Boolean(prices ?? free), 'missing; or free: true'),
        ['prices'],
      ),
    ),
  ),
  /** The prices shown struck through, which only `REFERENCE_PRICES` permits. */
  reference: v.optional(amounts),
});

const productId = v.pipe(
  v.string(),
  v.regex(/^[a-z][a-z\d]*(_[a-z\d]+)*$/, 'not a name of small letters, digits and _'),
  v.maxLength(48, 'longer than 48 letters'),
);

const versionNumber = v.pipe(v.string(), v.regex(/^[1-9]\d{0,3}$/, 'not a version such as 2'));

const soldNumber = v.pipe(v.number(), v.integer(), v.minValue(1));

/** Not `UK`, which stands for `GB`. */
const isCountry = (code: string): boolean =>
  /^[A-Z]{2}$/.test(code) &&
  new Intl.Locale(`und-${code}`).region === code &&
  new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(code) !== undefined;

const country = v.pipe(v.string(), v.check(isCountry, 'not a country such as EC'));

const atMost = (most: number) =>
  v.custom<Record<string, unknown>>(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      Object.keys(value).length > 0 &&
      Object.keys(value).length <= most,
    `not 1 to ${most} entries`,
  );

const textKey = v.optional(
  v.pipe(
    v.string(),
    v.regex(
      /^(screens|islands|products)\.[\w.-]{1,100}$/,
      'not a text such as products.travel.name',
    ),
  ),
);

const slot = v.picklist(slots, `not one of ${slots.join(', ')}`);

export const productSchema = v.pipe(
  fieldsOf({
    slot,
    depends_on: v.optional(slot),
    label: v.pipe(v.string(), v.minLength(1, 'empty'), v.maxLength(80, 'longer than 80 letters')),
    name: textKey,
    description: textKey,
    period: v.picklist(periods, `not one of ${periods.join(', ')}`),
    grace_days: days(0),
    /** Lowers every charge of every version, so it stays as it was sold. */
    coupon: v.optional(
      fieldsOf({
        code: v.pipe(
          v.string(),
          v.regex(/^[A-Z\d_-]{1,32}$/, 'not a code of capitals, digits, - and _'),
        ),
        percent: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(99)),
      }),
    ),
    sells: v.optional(soldNumber),
    countries: v.optional(v.record(country, soldNumber)),
    versions: v.pipe(atMost(limits.versions), v.record(versionNumber, versionSchema)),
  }),
  v.forward(
    v.check(({ sells, versions }) => sells === undefined || sells in versions, 'no such version'),
    ['sells'],
  ),
  v.forward(
    v.check(
      ({ countries = {}, versions }) => Object.values(countries).every((one) => one in versions),
      'names a version that is not there',
    ),
    ['countries'],
  ),
  v.forward(
    v.check(({ slot, depends_on }) => slot !== depends_on, 'is its own slot'),
    ['depends_on'],
  ),
);

const offeredCurrencies = v.pipe(
  v.array(v.picklist(currencies, 'not a currency of the catalog')),
  v.check((all) => new Set(all).size === all.length, 'names a currency twice'),
  v.check((all) => all.includes('USD'), 'without USD, in which all other countries pay'),
);

export const catalogSchema = v.object({
  currencies: v.optional(offeredCurrencies, ['USD', 'EUR']),
  products: v.pipe(atMost(limits.products), v.record(productId, productSchema)),
});

export type CatalogDocument = v.InferOutput<typeof catalogSchema>;
export type Product = v.InferOutput<typeof productSchema>;
export type Version = v.InferOutput<typeof versionSchema>;
