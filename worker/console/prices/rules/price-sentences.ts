import { money } from '../../../../locales/format/money.ts';
import { soldVersion } from '../../../catalog/rules/catalog.ts';
import type { CatalogDocument, Product, Version } from '../../../catalog/rules/catalog-document.ts';
import type { Currency } from '../../../catalog/rules/currencies.ts';
import { marketOf } from '../../../catalog/rules/markets.ts';
import { typedKeys } from '../../../platform/keys.ts';

const most = 6;

function listed(all: readonly string[]): string {
  const more = all.length - most;
  return [...all.slice(0, most), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** Such as `$6.99 for 7 days, then $39.99`. */
export function costIn({ prices, intro }: Version, currency: Currency): string {
  const price = money(prices[currency] ?? 0, currency, 'en');
  if (!intro) return price;
  const { days, prices: paid } = intro;
  return `${paid ? money(paid[currency] ?? 0, currency, 'en') : 'Free'} for ${days} days, then ${price}`;
}

const none: Version = { prices: {} };
const soldOf = (product: Product, country = ''): Version =>
  product.versions[soldVersion(product, country)] ?? none;

/** Where a country gets another version than before, or one of its own. */
function countrySentences(name: string, product: Product, old: Product | undefined): string[] {
  const countries = Object.keys({ ...old?.countries, ...product.countries }).sort();
  return countries.flatMap((country) => {
    const before = old?.countries?.[country];
    if (before === product.countries?.[country]) return [];
    const sold = soldOf(product, country);
    const { currency } = marketOf(country, typedKeys(sold.prices));
    return [`${name} in ${country}: new buyers pay ${costIn(sold, currency)}.`];
  });
}

/** What changes for buyers, one sentence each; subscribers keep what they bought. */
export function priceSentences(before: CatalogDocument, after: CatalogDocument): string[] {
  return Object.entries(after.products).flatMap(([id, product]) => {
    const old = before.products[id];
    const [was, now] = [old ? soldOf(old) : none, soldOf(product)];
    const name = `“${product.label}”`;
    const costs = (version: Version, all: readonly Currency[]) =>
      listed(all.map((currency) => costIn(version, currency)));
    const all = typedKeys(now.prices);
    const own = countrySentences(name, product, old);
    if (!old) return [`${name} is new. Buyers pay ${costs(now, all)}.`, ...own];
    const changed = all.filter(
      (currency) =>
        was.prices[currency] !== undefined && costIn(was, currency) !== costIn(now, currency),
    );
    const added = all.filter((currency) => was.prices[currency] === undefined);
    return [
      ...(changed.length > 0
        ? [
            `${name}: subscribers keep ${costs(was, changed)}. New buyers pay ${costs(now, changed)}.`,
          ]
        : []),
      ...(added.length > 0 ? [`${name} is also sold for ${costs(now, added)}.`] : []),
      ...own,
    ];
  });
}
