import type { PlanView } from '../../worker/funnel/plans.ts';
import { $plans, selectPlan } from './plans.ts';

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

/**
 * Takes the plan that stands chosen, and every later choice, though the picker itself sleeps yet.
 *
 * @returns ends it
 */
export function followChoice(plans: readonly PlanView[]): () => void {
  const take = (plan: PlanView | undefined) => {
    if (plan && plan.id !== $plans.get().plan) selectPlan(plan);
  };
  const hear = ({ target }: Event) => {
    if (!(target instanceof HTMLInputElement) || target.name !== 'plan') return;
    take(plans.find(({ id }) => id === target.value));
  };
  take(standingChoice(plans, $plans.get().plan));
  document.addEventListener('change', hear);
  return () => document.removeEventListener('change', hear);
}
