import { coveredDays, daysOfPeriod, type PlanFamily, type PlanView } from './plans.ts';

/** A free trial counts as the plan that it becomes. */
const rateOf = (plan: PlanView): [price: number, days: number] =>
  plan.periodPrice > 0
    ? [plan.periodPrice, coveredDays(plan)]
    : [plan.price, daysOfPeriod[plan.period]];

function cheaper(one: PlanView, other: PlanView): boolean {
  const [[price, days], [otherPrice, otherDays]] = [rateOf(one), rateOf(other)];
  return price * otherDays < otherPrice * days;
}

/**
 * Marks the lowest price per day, and preselects it unless the offer names another plan. Never marks a single one.
 * @param marked the only plan that may be marked
 */
export function withPreselection(
  plans: readonly PlanView[],
  wanted?: PlanFamily,
  marked?: PlanFamily,
): PlanView[] {
  const best = plans.reduce<PlanView | undefined>(
    (found, plan) => (!found || cheaper(plan, found) ? plan : found),
    undefined,
  );
  const preselected = plans.find(({ family }) => family === wanted) ?? best;
  return plans.map((plan) => ({
    ...plan,
    bestValue: plan === best && plans.length > 1 && (!marked || plan.family === marked),
    preselected: plan === preselected,
  }));
}

/** After the offer, the plan of the same period as the offer's preselected one is selected. */
export function preselectOffer(
  plans: readonly PlanView[],
  after: readonly PlanView[],
  wanted?: PlanFamily,
  marked?: PlanFamily,
): { plans: PlanView[]; plansAfterOffer: PlanView[] } {
  const shown = withPreselection(plans, wanted, marked);
  const period = shown.find(({ preselected }) => preselected)?.period;
  const successor =
    after.find(({ family }) => family === wanted) ?? after.find((plan) => plan.period === period);
  return { plans: shown, plansAfterOffer: withPreselection(after, successor?.family, marked) };
}
