import { useStore } from '@nanostores/react';
import type { PlanView } from '../../worker/catalog/rules/plans.ts';
import { $plans, chosenOf, codeFor, todayOf } from '../stores/plans.ts';

/** The chosen plan, what it costs today in minor units, and the coupon's code if it applies. */
export function useChosenPlan(plans: readonly PlanView[]) {
  const { plan: planId, couponDetails: coupon } = useStore($plans, {
    keys: ['plan', 'couponDetails'],
    ssr: 'initial',
  });
  const plan = chosenOf(plans, planId);
  return {
    plan,
    coupon,
    today: plan ? todayOf(plan, coupon) : 0,
    code: plan && codeFor(plan, coupon),
  };
}
