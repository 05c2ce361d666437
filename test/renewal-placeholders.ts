import { builtInCatalog } from '../worker/catalog/rules/catalog.ts';
import type { Plan, RenewalDays } from '../worker/catalog/rules/plans.ts';
import { planView } from '../worker/catalog/rules/plans.ts';

const renewalDays: Record<string, string> = {
  month: 'December 20',
  quarter: 'February 20, 2027',
  3: 'November 23',
  5: 'November 25',
  7: 'November 27',
};
const reminderDays: Record<number, string> = {
  3: 'November 22',
  5: 'November 24',
  7: 'November 26',
};

/** Days of first renewals, as the edge fills them in. */
export const renewals: RenewalDays = {
  renewal: (cycle) => renewalDays[cycle] ?? '',
  reminder: (introDays) => reminderDays[introDays] ?? '',
};

/** A plan as a page shows it. */
export const viewOf = (plan: Plan) =>
  planView(plan, renewals, builtInCatalog.monthlyIn(plan.currency)?.price);
