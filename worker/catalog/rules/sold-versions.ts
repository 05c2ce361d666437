import { soldVersion } from './catalog.ts';
import type { CatalogDocument, Product, Version } from './catalog-document.ts';

type Prices = Version['prices'];

const areChanged = (before: Prices | undefined, after: Prices | undefined): boolean =>
  Object.entries(before ?? {}).some(
    ([currency, amount]) => after?.[currency as keyof Prices] !== amount,
  );

/** Prices in more currencies may be added. Nobody pays a reference: it goes on the day on which it is no longer true. */
const isChanged = (before: Version, after: Version): boolean =>
  areChanged(before.prices, after.prices) ||
  areChanged(before.intro?.prices, after.intro?.prices) ||
  before.intro?.free !== after.intro?.free ||
  before.intro?.days !== after.intro?.days;

const soldFields = ['slot', 'period', 'depends_on', 'coupon'] as const;

const textOf = (value: Product[(typeof soldFields)[number]]) =>
  typeof value === 'object' ? `${value.percent} ${value.code}` : value;

function changesOf(path: string, before: Product, after: Product) {
  const fields = soldFields
    .filter((field) => textOf(before[field]) !== textOf(after[field]))
    .map((field) => ({ path: `${path}.${field}`, reason: 'was sold so; add another plan' }));
  const versions = Object.entries(before.versions).flatMap(([version, sold]) => {
    const own = after.versions[version];
    if (own && !isChanged(sold, own)) return [];
    const reason = own ? 'was sold so; add a version' : 'was sold, so it stays';
    return [{ path: `${path}.versions.${version}`, reason }];
  });
  return [...fields, ...versions];
}

/** What was published may have been sold: it stays as it is, and a new price is a new version. */
export function soldVersionProblems(before: CatalogDocument, after: CatalogDocument) {
  return Object.entries(before.products).flatMap(([id, product]) => {
    const path = `products.${id}`;
    const own = Object.hasOwn(after.products, id) ? after.products[id] : undefined;
    if (own) return changesOf(path, product, own);
    return [{ path, reason: 'was sold, so it stays; take it out of the offers' }];
  });
}

type Written = Record<
  string,
  { sells?: number; countries?: object; versions: Record<string, unknown> }
>;

/**
 * An earlier catalog that sells its versions again and keeps the later ones, which have been sold. @param earlier as
 * written @param live as written
 */
export function withSoldVersions(
  earlier: { products: Written },
  live: { products: Written },
  parsed: CatalogDocument,
): { products: Written } {
  const products = Object.entries(live.products).map(([id, product]) => {
    const own = earlier.products[id];
    const before = parsed.products[id];
    if (!own || !before) return [id, product] as const;
    const versions = { ...product.versions, ...own.versions };
    const sells = Number(soldVersion(before));
    return [id, { ...product, ...own, sells, countries: own.countries, versions }] as const;
  });
  return { ...earlier, products: { ...earlier.products, ...Object.fromEntries(products) } };
}
