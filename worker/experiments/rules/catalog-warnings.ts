import { decimal } from '../../../locales/format/currency.ts';
import { soldVersion } from '../../catalog/rules/catalog.ts';
import { type Currency, smallestCharge } from '../../catalog/rules/currencies.ts';
import { converted, suggestedPrice } from '../../catalog/rules/suggested-price.ts';
import { typedKeys } from '../../platform/keys.ts';
import { type Minor, minor, subtract } from '../../platform/types.ts';
import type { ConfigSet, Problem } from './config-schema.ts';

/** Prices follow what people can pay, so only a slip of the keyboard is further away. */
const farTimes = 3;

type Reporting = NonNullable<ConfigSet['config']['reporting']>;

function farReason(
  amount: Minor,
  currency: Currency,
  dollars: Minor | undefined,
  rates: Reporting,
): string | null {
  const usual = dollars && suggestedPrice(dollars, 'USD', currency, rates);
  if (!usual || (amount < usual * farTimes && amount * farTimes > usual)) return null;
  const [typed, near] = [decimal(amount, currency), decimal(usual, currency)];
  return `${typed} is far from ${near}, which the rates make of ${decimal(dollars, 'USD')} USD`;
}

/** A gateway that converts a charge asks for the smallest one of the account's own currency. */
function lowReason(amount: Minor, currency: Currency, rates: Reporting): string | null {
  const worth = converted(amount, currency, 'USD', rates);
  const least = smallestCharge('USD');
  if (worth === null || worth >= least) return null;
  const [charge, dollars] = [decimal(amount, currency), decimal(minor(Math.floor(worth)), 'USD')];
  return `a charge of ${charge} is worth ${dollars} USD by the rates, below ${decimal(least, 'USD')} USD, the smallest charge of an account in USD`;
}

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
        if (!amount) return [];
        const off = Math.round((amount * (product.coupon?.percent ?? 0)) / 100);
        const reasons = [
          farReason(amount, currency, dollars, reporting),
          lowReason(subtract(amount, minor(off)), currency, reporting),
        ];
        const path = `products.${id}.versions.${version}.${field}.${currency}`;
        return reasons.flatMap((reason) =>
          reason ? [{ key: 'catalog.json' as const, path, reason }] : [],
        );
      }),
    );
  });
}
