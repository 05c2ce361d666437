import type { PlanView } from '../../worker/catalog/rules/plans.ts';
import { type PlainStep, propsOf } from '../runtime/hydration/plain-step.ts';
import { updateSlice } from '../runtime/storage/update-slice.ts';

interface Offered {
  plans: PlanView[];
  plansAfterOffer: PlanView[];
}

export function selectPlan(plan: PlanView | undefined): void {
  if (plan) updateSlice('plans', { plan: plan.id, planDetails: plan });
}

/** The radio shows the choice; this stores it. */
export const planStep: PlainStep = {
  touch(island) {
    const { plans, plansAfterOffer } = propsOf<Offered>(island);
    island.addEventListener('change', ({ target }) => {
      const { value } = target as HTMLInputElement;
      selectPlan([...plans, ...plansAfterOffer].find(({ id }) => id === value));
    });
  },
};
