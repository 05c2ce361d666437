import { decimal, minorPerUnit } from '../../../../locales/format/currency.ts';
import { soldVersion } from '../../../catalog/rules/catalog.ts';
import type { CatalogDocument } from '../../../catalog/rules/catalog-document.ts';
import { type Currency, currencies, inMinor } from '../../../catalog/rules/currencies.ts';
import { suggestedPrice } from '../../../catalog/rules/suggested-price.ts';
import type { ConfigSet } from '../../../experiments/rules/config-schema.ts';
import { typedKeys } from '../../../platform/keys.ts';
import type { Amounts } from './price-form.ts';
import { listed } from './price-sentences.ts';

interface DollarRates {
  currency: 'USD';
  rates: Partial<Record<Currency, number>>;
}

export interface Rates extends DollarRates {
  /** Where each rate is from. */
  sources: Partial<Record<Currency, string>>;
}

const median = (all: readonly number[]) => all.toSorted((a, b) => a - b)[all.length >> 1];

/** Dollars for one unit, by what the products cost in both. */
function ownRates({ products }: CatalogDocument): DollarRates['rates'] {
  const ratios: Partial<Record<Currency, number[]>> = {};
  for (const product of Object.values(products)) {
    const prices = product.versions[soldVersion(product)]?.prices ?? {};
    const { USD: dollars = 0 } = prices;
    for (const currency of typedKeys(prices)) {
      const units = (prices[currency] ?? 0) / minorPerUnit(currency);
      ratios[currency] = [...(ratios[currency] ?? []), dollars / 100 / units];
    }
  }
  const rates: DollarRates['rates'] = {};
  for (const currency of typedKeys(ratios)) {
    const rate = median((ratios[currency] ?? []).filter((ratio) => ratio > 0));
    if (rate !== undefined) rates[currency] = rate;
  }
  return rates;
}

/** For one dollar, rounded, where neither the reporting rates nor the prices have one. */
const builtIn = {
  month: 'November 2024',
  rates: {
    ...{ EUR: 0.948, GBP: 0.789, CAD: 1.4, AUD: 1.54, JPY: 151, BRL: 5.95, MXN: 20.4, PLN: 4.08 },
    ...{ SEK: 10.9, CHF: 0.883, AED: 3.67, BHD: 0.376, CLP: 978, CNY: 7.25, COP: 4390, CZK: 24 },
    ...{ DKK: 7.07, EGP: 49.6, HKD: 7.78, HUF: 392, IDR: 15_900, ILS: 3.65, INR: 84.5, JOD: 0.709 },
    ...{ KRW: 1395, KWD: 0.307, KZT: 513, MYR: 4.45, NGN: 1684, NOK: 11.1, NZD: 1.7, PEN: 3.76 },
    ...{ PHP: 58.7, PKR: 278, QAR: 3.64, RON: 4.72, SAR: 3.75, SGD: 1.34, THB: 34.4, TRY: 34.7 },
    ...{ TWD: 32.5, TZS: 2645, USD: 1, VND: 25_370, ZAR: 18.1 },
  } satisfies Record<Currency, number>,
};

/** Every currency has one: the reporting rate, else that of the prices that we have, else a built-in one. */
export function ratesIn({ config: { reporting }, catalog }: ConfigSet): Rates {
  const own = ownRates(catalog);
  const reported = (of: Currency) => (of === reporting?.currency ? 1 : reporting?.rates[of]);
  const dollar = reported('USD');
  const all: Rates = { currency: 'USD', rates: {}, sources: {} };
  for (const currency of currencies) {
    const rate = reported(currency);
    const [value, source] =
      rate && dollar
        ? [rate / dollar, `the rates of ${reporting?.date}`]
        : own[currency]
          ? [own[currency], 'the prices of the other plans']
          : [1 / builtIn.rates[currency], `the built-in rates of ${builtIn.month}`];
    all.rates[currency] = value;
    all.sources[currency] = source;
  }
  return all;
}

/** Such as `EUR by the rates of 2026-11-20, GBP and JPY by the prices of the other plans`. */
export function sourceText({ sources }: Rates, shown: readonly Currency[]): string {
  const others = shown.filter((currency) => currency !== 'USD');
  const groups = Map.groupBy(others, (currency) => sources[currency] ?? '');
  return [...groups].map(([source, own]) => `${listed(own)} by ${source}`).join('; ');
}

/** From the price in dollars, for each other currency with a rate. */
export function suggestionsFor({ USD: dollars = '' }: Amounts, rates: DollarRates): Amounts {
  if (!/^\d{1,7}([.,]\d{1,2})?$/.test(dollars)) return {};
  const from = inMinor(Number(dollars.replace(',', '.')), 'USD');
  return Object.fromEntries(
    currencies.flatMap((currency) => {
      const price = currency === 'USD' ? null : suggestedPrice(from, 'USD', currency, rates);
      return price === null ? [] : [[currency, decimal(price, currency)]];
    }),
  );
}

/** The amounts with suggestions where a shown field is empty. */
export const filled = (amounts: Amounts, shown: readonly string[], rates: DollarRates): Amounts => {
  const suggested = suggestionsFor(amounts, rates);
  const empty = shown.filter((currency) => !amounts[currency]);
  return {
    ...amounts,
    ...Object.fromEntries(empty.map((currency) => [currency, suggested[currency] ?? ''])),
  };
};
