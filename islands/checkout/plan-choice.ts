import type { PlanView } from '../../worker/catalog/rules/plans.ts';
import { $plans } from '../stores/plans.ts';
import { selectPlan } from './plan-step.ts';

export function activePlanRadios(): HTMLInputElement[] {
  const name = document.querySelector('[data-order][data-missing]') ? 'after' : 'plan';
  return [...document.querySelectorAll<HTMLInputElement>(`input[name=${name}]`)];
}

/** The visitor's tap, else the stored choice, else the default. Never a plan that is no longer on sale. */
export function selectedPlan(plans: readonly PlanView[], before: string): PlanView | undefined {
  const radios = activePlanRadios();
  const radio = radios.find(({ checked }) => checked);
  const tapped = radio && !radio.defaultChecked;
  const sold = radios.flatMap(({ value }) => plans.find(({ id }) => id === value) ?? []);
  const onSale = (wanted: string | undefined) => sold.find(({ id }) => id === wanted);
  if (tapped) return onSale(radio.value);
  // If the offer has ended, a chosen intro becomes the plan with the same period.
  const { period } = plans.find(({ id }) => id === before) ?? {};
  const successor = period && sold.find((plan) => plan.period === period);
  return onSale(before) ?? (successor || onSale(radio?.value));
}

export function watchPlanChoice(plans: readonly PlanView[]): () => void {
  const onChange = ({ target }: Event) => {
    if (!(target instanceof HTMLInputElement) || !/^(plan|after)$/.test(target.name)) return;
    selectPlan(plans.find(({ id }) => id === target.value));
  };
  selectPlan(selectedPlan(plans, $plans.get().plan));
  document.addEventListener('change', onChange);
  return () => document.removeEventListener('change', onChange);
}
