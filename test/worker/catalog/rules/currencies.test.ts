import fc from 'fast-check';
import { expect, test } from 'vitest';
import { minorDigits, minorPerUnit } from '../../../../locales/format/currency.ts';
import {
  asChargeable,
  countriesOf,
  currencies,
  isBraintreeCurrency,
  isChargeable,
  largestCharge,
  multipleOf,
  smallestCharge,
} from '../../../../worker/catalog/rules/currencies.ts';
import { marketOf } from '../../../../worker/catalog/rules/markets.ts';
import { asPriced, suggestedPrice } from '../../../../worker/catalog/rules/suggested-price.ts';
import { minor } from '../../../../worker/platform/types.ts';
import { dollarRates } from '../../../fakes/everywhere-catalog.ts';

test('currencies: there are 45, with no, two and three decimals', () => {
  expect(currencies).toHaveLength(45);
  const withDigits = (digits: number) => currencies.filter((one) => minorDigits(one) === digits);
  expect(withDigits(0)).toEqual(['JPY', 'CLP', 'KRW', 'VND']);
  expect(withDigits(3)).toEqual(['BHD', 'JOD', 'KWD']);
});

test('currencies: a code begins with one of its countries, as ISO 4217 says, and no country has two', () => {
  for (const currency of currencies.filter((one) => one !== 'EUR'))
    expect(countriesOf(currency)).toContain(currency.slice(0, 2));
  const all = currencies.flatMap(countriesOf);
  expect(new Set(all).size).toBe(all.length);
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  expect(all.filter((country) => !names.of(country))).toEqual([]);
});

test('currencies: every country whose law is that of the eurozone pays in euros', () => {
  const euro = countriesOf('EUR').filter((country) => marketOf(country, currencies).id === 'euro');
  expect(euro.length).toBeGreaterThanOrEqual(28);
  const others = currencies.filter((one) => one !== 'EUR').flatMap(countriesOf);
  expect(others.filter((country) => marketOf(country, currencies).id === 'euro')).toEqual([]);
});

test('currencies: Stripe’s smallest and largest charges, where it documents them', () => {
  const documented = {
    ...{ USD: 50, AED: 200, AUD: 50, BRL: 50, CAD: 50, CHF: 50, COP: 50, CZK: 1500, DKK: 250 },
    ...{ EUR: 50, GBP: 30, HKD: 400, HUF: 17_500, IDR: 50, ILS: 50, INR: 50, JPY: 50, KRW: 50 },
    ...{ MXN: 1000, MYR: 200, NOK: 300, NZD: 50, PHP: 50, PLN: 200, RON: 200, SEK: 300, SGD: 50 },
    ...{ THB: 1000, ZAR: 50 },
  };
  const more = { IDR: 999_999_999_999, COP: 9_999_999_999, INR: 999_999_999 };
  for (const currency of currencies) {
    const least = { ...documented }[currency as 'USD'] ?? multipleOf(currency);
    expect([currency, smallestCharge(currency)]).toEqual([currency, least]);
    const most = { ...more }[currency as 'IDR'] ?? 99_999_999;
    expect([currency, largestCharge(currency)]).toEqual([currency, most]);
    expect(isChargeable(smallestCharge(currency), currency)).toBe(true);
  }
});

test('currencies: a third decimal is 0, and PayPal’s whole units have none', () => {
  const stepped = currencies.filter((one) => multipleOf(one) > 1);
  expect(stepped.map((one) => [one, multipleOf(one)])).toEqual([
    ['BHD', 10],
    ['HUF', 100],
    ['JOD', 10],
    ['KWD', 10],
    ['TWD', 100],
  ]);
  expect([isChargeable(5124, 'KWD'), isChargeable(5120, 'KWD')]).toEqual([false, true]);
  expect(asChargeable(5124, 'KWD')).toBe(5120);
});

test('currencies: Braintree has none with three decimals', () =>
  expect(currencies.filter((one) => !isBraintreeCurrency(one))).toEqual(['BHD', 'JOD', 'KWD']));

test.each([
  [1491, 'JPY', 1500],
  [2964, 'BRL', 2990],
  [2960, 'DKK', 2995],
  [39_240, 'SEK', 38_900],
  [4013, 'EUR', 3999],
  [1_481_100, 'HUF', 1_499_000],
  [38_085, 'CLP', 37_990],
  [55_541, 'KRW', 55_900],
  [63_476_000, 'IDR', 63_900_000],
  [12_305, 'KWD', 11_900],
  [332_000, 'INR', 329_900],
] as const)('prices: %i minor units of %s are written as %i', (exact, currency, price) =>
  expect(asPriced(exact, currency)).toBe(price),
);

test.each(currencies.filter((one) => one !== 'USD'))(
  'price suggestions: without cents in %s where the dollar price has none',
  (currency) => {
    const rates = { currency: 'USD', rates: dollarRates } as const;
    const price = suggestedPrice(minor(9900), 'USD', currency, rates) ?? Number.NaN;
    expect(price % minorPerUnit(currency)).toBe(0);
    expect(isChargeable(price, currency)).toBe(true);
    const usual = suggestedPrice(minor(9901), 'USD', currency, rates);
    expect(usual).toBe(
      asPriced((99.01 / dollarRates[currency]) * minorPerUnit(currency), currency),
    );
  },
);

const anyCurrency = fc.constantFrom(...currencies);

test('price suggestions: within 10 % of the rate, chargeable, and never below the smallest charge', () => {
  fc.assert(
    fc.property(
      anyCurrency,
      anyCurrency,
      fc.integer({ min: 50, max: 50_000 }),
      fc.double({ min: 0.7, max: 1.4, noNaN: true }),
      (from, to, cents, drift) => {
        const rates = {
          currency: 'USD',
          rates: { ...dollarRates, ...(to !== 'USD' && { [to]: dollarRates[to] * drift }) },
        } as const;
        const units = cents / 100 / dollarRates[from];
        const amount = minor(Math.round(units * minorPerUnit(from)));
        const price = suggestedPrice(
          amount,
          from,
          to,
          from === to ? { ...rates, rates: dollarRates } : rates,
        );
        if (from === to) {
          expect(price).toBe(amount);
          return;
        }
        const perUnit = rates.rates[from] ?? 1;
        const exact =
          ((amount / minorPerUnit(from)) * perUnit * minorPerUnit(to)) / rates.rates[to];
        expect(price).toBeGreaterThanOrEqual(smallestCharge(to));
        expect(isChargeable(price ?? 0, to)).toBe(true);
        if (price !== smallestCharge(to)) {
          const rounding = multipleOf(to) / 2;
          expect(Math.abs((price ?? 0) - exact)).toBeLessThanOrEqual(
            Math.max(exact * 0.1, rounding) + 1e-6,
          );
        }
      },
    ),
    { numRuns: 3000 },
  );
});

test('price suggestions: none without a rate, and the reporting currency needs none', () => {
  const rates = { currency: 'EUR', rates: { USD: 0.92 } } as const;
  expect(suggestedPrice(minor(3999), 'USD', 'JPY', rates)).toBeNull();
  expect(suggestedPrice(minor(3999), 'JPY', 'USD', rates)).toBeNull();
  expect(suggestedPrice(minor(3999), 'USD', 'EUR', rates)).toBe(3699);
});
