import { money } from '../../../../locales/format/money.ts';
import { soldVersion } from '../../../catalog/rules/catalog.ts';
import type { CatalogDocument, Product } from '../../../catalog/rules/catalog-document.ts';
import type { Slot } from '../../../catalog/rules/plans.ts';

export interface PlanChoice {
  /** A product, or one of its versions. */
  reference: string;
  name: string;
}

/** Such as `$6.99 for 7 days, then $39.99`. */
function costOf({ versions }: Product, version: string): string {
  const { prices, intro } = versions[version] ?? { prices: {} };
  const price = money(prices.USD ?? 0, 'USD', 'en');
  if (!intro) return price;
  return `${money(intro.prices.USD ?? 0, 'USD', 'en')} for ${intro.days} days, then ${price}`;
}

/** What can be sold in a slot: each product as it is sold now, and each version where there are several. */
export const planChoices = ({ products }: CatalogDocument, slot: Slot): PlanChoice[] =>
  Object.entries(products)
    .filter(([, product]) => product.slot === slot)
    .flatMap(([id, product]) => {
      const versions = Object.keys(product.versions);
      const sold = {
        reference: id,
        name: `${product.label} (${costOf(product, soldVersion(product))})`,
      };
      if (versions.length === 1) return [sold];
      const fixed = versions.map((version) => ({
        reference: `${id}@${version}`,
        name: `${product.label}, always version ${version} (${costOf(product, version)})`,
      }));
      return [sold, ...fixed];
    });
