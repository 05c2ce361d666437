import { soldVersion } from '../../../catalog/rules/catalog.ts';
import type { CatalogDocument, Product } from '../../../catalog/rules/catalog-document.ts';
import type { Slot } from '../../../catalog/rules/plans.ts';
import { costIn } from '../../prices/rules/price-sentences.ts';

export interface PlanChoice {
  reference: string;
  name: string;
}

const costOf = ({ versions, coupon }: Product, version: string): string => {
  const cost = costIn(versions[version] ?? { prices: {} }, 'USD');
  return coupon ? `${cost} less ${coupon.percent}%` : cost;
};

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
