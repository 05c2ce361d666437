import { withReductions } from '../../catalog/rules/coupons.ts';
import type { Plan } from '../../catalog/rules/plans.ts';
import type { Documents } from '../../documents/document-set.ts';
import { builtInDocuments, type Configuration, readDocuments } from './config-documents.ts';
import { validateDocuments } from './config-validation.ts';
import { familiesOf } from './shown-offer.ts';

/** Those that are sold somewhere, and the versions that an offer names. */
export function offeredPlans({ catalog, offers, coupons }: Configuration): Plan[] {
  const named = [...offers.values()].flatMap((offer) => familiesOf(offer, catalog));
  const sold = catalog.plans.map(({ family }) => family);
  const families = [...new Set([...sold, ...named])];
  const plans = families.flatMap((family) =>
    catalog.currencies.flatMap(
      (currency) => catalog.planById(`${family}_${currency.toLowerCase()}`) ?? [],
    ),
  );
  return withReductions(plans, coupons);
}

export interface Offered {
  plans: Plan[];
  /** Those that the live documents do not offer. */
  added: Plan[];
}

/** @param after valid documents */
export function offeredAfter(before: Documents, after: Documents): Offered {
  const plansIn = (documents: Documents) => offeredPlans(readDocuments(documents));
  const live = plansIn(validateDocuments(before).set ? before : builtInDocuments);
  const known = new Set(live.map((plan) => JSON.stringify(plan)));
  const plans = plansIn(after);
  return { plans, added: plans.filter((plan) => !known.has(JSON.stringify(plan))) };
}
