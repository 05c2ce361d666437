import { coveredDays, type PlanFamily, type PlanView } from './plans.ts';

const cheaper = (one: PlanView, other: PlanView) =>
  one.periodPrice * coveredDays(other) < other.periodPrice * coveredDays(one);

/** Marks the lowest price per day, and preselects it unless the offer names another plan. Never marks a single one. */
export function withPreselection(plans: readonly PlanView[], wanted?: PlanFamily): PlanView[] {
  const best = plans.reduce<PlanView | undefined>(
    (found, plan) => (!found || cheaper(plan, found) ? plan : found),
    undefined,
  );
  const preselected = plans.find(({ family }) => family === wanted) ?? best;
  return plans.map((plan) => ({
    ...plan,
    bestValue: plan === best && plans.length > 1,
    preselected: plan === preselected,
  }));
}

/** After the offer, the plan of the same period as the offer's preselected one is selected. */
export function preselectOffer(
  plans: readonly PlanView[],
  after: readonly PlanView[],
  wanted?: PlanFamily,
): { plans: PlanView[]; plansAfterOffer: PlanView[] } {
  const shown = withPreselection(plans, wanted);
  const period = shown.find(({ preselected }) => preselected)?.period;
  const successor =
    after.find(({ family }) => family === wanted) ?? after.find((plan) => plan.period === period);
  return { plans: shown, plansAfterOffer: withPreselection(after, successor?.family) };
}
