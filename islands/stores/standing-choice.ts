import type { PlanView } from '../../worker/funnel/plans.ts';

/**
 * The plan that stands chosen on a page that has just woken: the visitor's own tap, else the one
 * chosen before, else the page's.
 */
export function standingChoice(plans: readonly PlanView[], before: string): PlanView | undefined {
  const radio = document.querySelector<HTMLInputElement>('input[name=plan]:checked');
  const tapped = radio && !radio.defaultChecked;
  const wanted = (id: string | undefined) => plans.find((plan) => plan.id === id);
  return wanted(tapped ? radio.value : before) ?? wanted(radio?.value);
}
