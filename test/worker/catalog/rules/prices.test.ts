import { expect, test } from 'vitest';
import { builtInCatalog } from '../../../../worker/catalog/rules/catalog.ts';
import { type Currency, currencies } from '../../../../worker/catalog/rules/currencies.ts';

const pricesIn = (currency: Currency): number[] =>
  builtInCatalog.families.flatMap((family) => {
    const { price, today, list = price } = builtInCatalog.planOf(family, currency);
    return [price, today, list];
  });

const dollars = pricesIn('USD');

test.each(currencies.filter((one) => builtInCatalog.sells(builtInCatalog.families, one)))(
  'prices: all prices in %s are the dollar prices at about one rate',
  (currency) => {
    const rates = pricesIn(currency).map((price, at) => price / (dollars[at] ?? Number.NaN));
    const usual = rates.toSorted((a, b) => a - b)[Math.floor(rates.length / 2)] ?? Number.NaN;
    for (const rate of rates) {
      expect(rate / usual).toBeGreaterThan(0.7);
      expect(rate / usual).toBeLessThan(1.3);
    }
  },
);
