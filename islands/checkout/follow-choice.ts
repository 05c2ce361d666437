import type { PlanView } from '../../worker/catalog/plans.ts';
import { $plans, selectPlan } from '../stores/plans.ts';
import { selectedPlan } from './plan-choice.ts';

/**
 * Takes the plan that stands chosen, and every later choice, though the picker itself sleeps yet.
 *
 * @returns ends it
 */
export function watchPlanChoice(plans: readonly PlanView[]): () => void {
  const take = (plan: PlanView | undefined) => {
    if (plan) selectPlan(plan);
  };
  const hear = ({ target }: Event) => {
    if (!(target instanceof HTMLInputElement) || !/^(plan|after)$/.test(target.name)) return;
    take(plans.find(({ id }) => id === target.value));
  };
  take(selectedPlan(plans, $plans.get().plan));
  document.addEventListener('change', hear);
  return () => document.removeEventListener('change', hear);
}
