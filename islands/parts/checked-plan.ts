import type { PlanView } from '../../worker/funnel/plans.ts';

/** The plan that is chosen on the page, whether by the visitor or by the page itself. */
export function checkedPlan(plans: readonly PlanView[]): PlanView | undefined {
  const radio = document.querySelector<HTMLInputElement>('input[name=plan]:checked');
  return plans.find(({ id }) => id === radio?.value);
}
