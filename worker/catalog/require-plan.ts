import { Refusal } from '../platform/errors.ts';
import { type Plan, planById } from './rules/plans.ts';

/** @throws Refusal `plan_unknown`, also for a plan that is no longer sold */
export function requirePlan(planId = ''): Plan {
  const plan = planById(planId);
  if (!plan) throw new Refusal('plan_unknown');
  return plan;
}
