import { decimal } from '../../../locales/format/currency.ts';
import { typedKeys } from '../../platform/keys.ts';
import { soldVersion } from './catalog.ts';
import type { CatalogDocument, Product, Version } from './catalog-document.ts';
import { countriesOf } from './currencies.ts';

type Prices = Version['prices'];

const pricesText = (prices: Prices): string =>
  typedKeys(prices)
    .map((currency) => `${decimal(prices[currency] ?? 0, currency)} ${currency}`)
    .join(', ');

function versionText({ prices, intro, reference }: Version): string {
  const start = intro?.prices ? pricesText(intro.prices) : 'free';
  const first = intro ? `${start} for ${intro.days} days, then ` : '';
  return (
    first + pricesText(prices) + (reference ? `; struck through ${pricesText(reference)}` : '')
  );
}

const detailsOf = ({
  versions: _,
  sells: _sells,
  countries: _countries,
  coupon,
  ...own
}: Product) => ({
  ...own,
  coupon: coupon ? `${coupon.code} ${coupon.percent}%` : 'none',
});

function productChanges(id: string, old: Product, product: Product): string[] {
  const [before, after] = [detailsOf(old), detailsOf(product)];
  const details = typedKeys({ ...before, ...after }).flatMap((field) =>
    before[field] === after[field]
      ? []
      : [`plan ${id}: ${field} ${before[field] ?? 'none'} → ${after[field] ?? 'none'}`],
  );
  const added = Object.entries(product.versions)
    .filter(([version]) => !(version in old.versions))
    .map(([version, entry]) => `plan ${id}: price ${version} added, ${versionText(entry)}`);
  const countries = Object.keys({ ...old.countries, ...product.countries }).sort();
  const sales = ['', ...countries].flatMap((country) => {
    const [sold, sells] = [soldVersion(old, country), soldVersion(product, country)];
    const where = country && ` in ${country}`;
    return sold === sells ? [] : [`plan ${id}: new buyers${where} get price ${sells}`];
  });
  return [...details, ...added, ...sales];
}

function currencyChanges(before: CatalogDocument | null, after: CatalogDocument): string[] {
  if (!before) return [];
  const [old, now] = [before.currencies, after.currencies];
  return [
    ...now
      .filter((one) => !old.includes(one))
      .map(
        (one) =>
          `currency ${one}: added; ${countriesOf(one).join(', ')} pay in it, no longer in USD`,
      ),
    ...old
      .filter((one) => !now.includes(one))
      .map(
        (one) =>
          `currency ${one}: removed; ${countriesOf(one).join(', ')} pay in USD; subscribers keep it`,
      ),
  ];
}

/** One line for each change; subscribers keep the version that they bought. */
export function catalogChanges(before: CatalogDocument, after: CatalogDocument): string[] {
  const old = before.products;
  return [
    ...currencyChanges(before, after),
    ...Object.entries(after.products).flatMap(([id, product]) => {
      const known = old[id];
      if (known) return productChanges(id, known, product);
      const version = product.versions[soldVersion(product)];
      return [`plan ${id}: added, ${version ? versionText(version) : ''}`];
    }),
    ...Object.keys(old)
      .filter((id) => !(id in after.products))
      .map((id) => `plan ${id}: removed`),
  ];
}
