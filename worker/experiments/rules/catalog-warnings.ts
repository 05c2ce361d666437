import { decimal } from '../../../locales/format/currency.ts';
import { soldVersion } from '../../catalog/rules/catalog.ts';
import { suggestedPrice } from '../../catalog/rules/suggested-price.ts';
import { typedKeys } from '../../platform/keys.ts';
import type { ConfigSet, Problem } from './config-schema.ts';

/** Prices follow what people can pay, so only a slip of the keyboard is further away. */
const farTimes = 3;

/** Sold prices that the rates of `reporting` do not explain. */
export function catalogWarnings({ catalog, config: { reporting } }: ConfigSet): Problem[] {
  if (!reporting) return [];
  return Object.entries(catalog.products).flatMap(([id, product]) => {
    const version = soldVersion(product);
    const { prices, intro } = product.versions[version] ?? { prices: {} };
    const tables = { prices, 'intro.prices': intro?.prices ?? {} };
    return Object.entries(tables).flatMap(([field, amounts]) =>
      typedKeys(amounts).flatMap((currency) => {
        const [dollars, amount] = [amounts.USD, amounts[currency]];
        const usual = dollars && suggestedPrice(dollars, 'USD', currency, reporting);
        if (!usual || !amount) return [];
        if (amount < usual * farTimes && amount * farTimes > usual) return [];
        const [typed, near] = [decimal(amount, currency), decimal(usual, currency)];
        const path = `products.${id}.versions.${version}.${field}.${currency}`;
        const reason = `${typed} is far from ${near}, which the rates make of ${decimal(dollars, 'USD')} USD`;
        return { key: 'catalog.json' as const, path, reason };
      }),
    );
  });
}
