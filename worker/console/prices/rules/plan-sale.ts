import type { Catalog } from '../../../catalog/rules/catalog.ts';
import { planView } from '../../../catalog/rules/plans.ts';
import { withPreselection } from '../../../catalog/rules/preselection.ts';
import type { OfferForm } from '../../documents/rules/offer-form.ts';

/** What the form asks about a plan that becomes sold. */
export interface Sale {
  isSelected: boolean;
}

const noDays = { renewal: () => '', reminder: () => '' };

/** The plans of an offer that are selected and marked at first, as it names them; empty for none. */
export function shownAtFirst(
  { plans, preselect, bestValue }: Pick<OfferForm, 'plans' | 'preselect' | 'bestValue'>,
  catalog: Catalog,
): Record<'selected' | 'marked', string> {
  const families = plans.map((one) => catalog.resolve(one));
  const views = families.flatMap((family) =>
    family ? planView(catalog.planOf(family, 'USD'), noDays) : [],
  );
  const shown = withPreselection(views, catalog.resolve(preselect), catalog.resolve(bestValue));
  const named = (own: (typeof shown)[number] | undefined) =>
    (own && plans[families.indexOf(own.family)]) ?? '';
  return {
    selected: named(shown.find(({ preselected }) => preselected)),
    marked: named(shown.find(({ bestValue: isBest }) => isBest)),
  };
}

/** The offer with one more plan, or another extra or guide. What it selects stays, unless the sale says so. */
export function offerWith(
  offer: OfferForm,
  { id, slot }: { id: string; slot: string },
  { isSelected }: Sale,
  catalog: Catalog,
): OfferForm {
  if (slot === 'upsell' || slot === 'guide') return { ...offer, [slot]: id };
  return {
    ...offer,
    plans: [...offer.plans, id],
    preselect: isSelected ? id : offer.preselect || shownAtFirst(offer, catalog).selected,
  };
}
