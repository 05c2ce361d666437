import type { Context } from 'hono';
import type { App } from '../platform/env.ts';
import { Refusal } from '../platform/errors.ts';
import type { Plan } from './rules/plans.ts';

/** @throws Refusal `plan_unknown` */
export function requirePlan(c: Context<App>, planId = ''): Plan {
  const plan = c.var.assignment.configuration.catalog.planById(planId);
  if (!plan) throw new Refusal('plan_unknown');
  return plan;
}
