import { decimal, minorPerUnit } from '../../../../locales/format/currency.ts';
import { soldVersion } from '../../../catalog/rules/catalog.ts';
import type { CatalogDocument } from '../../../catalog/rules/catalog-document.ts';
import { type Currency, currencies, inMinor } from '../../../catalog/rules/currencies.ts';
import { suggestedPrice } from '../../../catalog/rules/suggested-price.ts';
import type { ConfigSet } from '../../../experiments/rules/config-schema.ts';
import { typedKeys } from '../../../platform/keys.ts';
import type { Amounts } from './price-form.ts';

export interface Rates {
  currency: Currency;
  rates: Partial<Record<Currency, number>>;
}

const median = (all: readonly number[]) => all.toSorted((a, b) => a - b)[all.length >> 1];

/** Dollars for one unit, by what the products cost in both. */
function ownRates({ products }: CatalogDocument): Rates {
  const ratios: Partial<Record<Currency, number[]>> = {};
  for (const product of Object.values(products)) {
    const prices = product.versions[soldVersion(product)]?.prices ?? {};
    const { USD: dollars = 0 } = prices;
    for (const currency of typedKeys(prices)) {
      const units = (prices[currency] ?? 0) / minorPerUnit(currency);
      ratios[currency] = [...(ratios[currency] ?? []), dollars / 100 / units];
    }
  }
  const rates: Rates['rates'] = {};
  for (const currency of typedKeys(ratios)) {
    const rate = median((ratios[currency] ?? []).filter((ratio) => ratio > 0));
    if (rate !== undefined) rates[currency] = rate;
  }
  return { currency: 'USD', rates };
}

/** The reporting rates, else those of the prices that we have. */
export function ratesIn({ config, catalog }: ConfigSet): Rates & { source: string } {
  const { reporting } = config;
  return reporting
    ? { ...reporting, source: `the rates of ${reporting.date}` }
    : { ...ownRates(catalog), source: 'the prices of the other plans' };
}

/** From the price in dollars, for each other currency with a rate. */
export function suggestionsFor({ USD: dollars = '' }: Amounts, rates: Rates): Amounts {
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
export const filled = (amounts: Amounts, shown: readonly string[], rates: Rates): Amounts => {
  const suggested = suggestionsFor(amounts, rates);
  return Object.fromEntries(
    [...new Set([...shown, ...Object.keys(amounts)])].map((currency) => [
      currency,
      amounts[currency] || (suggested[currency] ?? ''),
    ]),
  );
};
