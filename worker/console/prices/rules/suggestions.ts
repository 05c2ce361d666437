import { decimal, minorPerUnit } from '../../../../locales/format/currency.ts';
import { soldVersion } from '../../../catalog/rules/catalog.ts';
import type { CatalogDocument } from '../../../catalog/rules/catalog-document.ts';
import { type Currency, currencies, inMinor } from '../../../catalog/rules/currencies.ts';
import { suggestedPrice } from '../../../catalog/rules/suggested-price.ts';
import type { ConfigSet } from '../../../experiments/rules/config-schema.ts';
import { typedKeys } from '../../../platform/keys.ts';
import { listed } from './price-sentences.ts';
import type { Amounts } from './typed-amounts.ts';

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

/** The reporting rates, else those of the prices that we have. */
export function ratesIn({ config: { reporting }, catalog }: ConfigSet): Rates {
  const own = ownRates(catalog);
  const reported = (of: Currency) => (of === reporting?.currency ? 1 : reporting?.rates[of]);
  const dollar = reported('USD');
  const all: Rates = { currency: 'USD', rates: {}, sources: {} };
  for (const currency of currencies) {
    const rate = reported(currency);
    const value = rate && dollar ? rate / dollar : own[currency];
    if (value === undefined) continue;
    all.rates[currency] = value;
    all.sources[currency] =
      rate && dollar ? `by the rates of ${reporting?.date}` : 'by the prices of the other plans';
  }
  return all;
}

/** Such as `EUR by the rates of 2026-11-20; GBP and JPY by the prices of the other plans`. */
export function sourceText({ sources }: Rates, shown: readonly Currency[]): string {
  const others = shown.filter((currency) => currency !== 'USD');
  const groups = Map.groupBy(others, (currency) => sources[currency] ?? '');
  return [...groups]
    .map(([source, own]) => (source ? `${listed(own)} ${source}` : `no rate for ${listed(own)}`))
    .join('; ');
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

/** @param replaces whether suggestions take the place of what was typed, too */
export function filled(
  amounts: Amounts,
  shown: readonly string[],
  rates: DollarRates,
  replaces = false,
): Amounts {
  const suggested = Object.entries(suggestionsFor(amounts, rates));
  const own = suggested.filter(([one]) => shown.includes(one) && (replaces || !amounts[one]));
  return { ...amounts, ...Object.fromEntries(own) };
}
