import type { PlanView } from '../../worker/catalog/rules/plans.ts';
import { type PlainStep, propsOf } from '../runtime/hydration/plain-step.ts';
import { updateSlice } from '../runtime/storage/update-slice.ts';

interface Offered {
  plans: PlanView[];
  plansAfterOffer: PlanView[];
}

/** The radio shows the choice; this stores it. */
export const planStep: PlainStep = {
  touch(island) {
    island.addEventListener('change', ({ target }) => {
      if (island.hasAttribute('live')) return;
      const { plans, plansAfterOffer } = propsOf<Offered>(island);
      const { value } = target as HTMLInputElement;
      const plan = [...plans, ...plansAfterOffer].find(({ id }) => id === value);
      if (plan) updateSlice('plans', { plan: plan.id, planDetails: plan });
    });
  },
  answer: () => null,
};
