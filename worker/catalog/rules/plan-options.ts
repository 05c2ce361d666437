import type { Catalog } from './catalog.ts';
import type { Currency } from './currencies.ts';
import { daysOfPeriod, type Plan } from './plans.ts';

/** The plans to which a subscription can change: main plans without an intro that are sold. */
export const changeTargets = (catalog: Catalog, currency: Currency): Plan[] =>
  catalog
    .plansIn([currency])
    .filter(
      ({ slot, introDays, period }) => slot === 'main' && introDays === 0 && period !== 'once',
    );

const isMoreExpensive = (plan: Plan, than: Plan): boolean =>
  daysOfPeriod[plan.period] > daysOfPeriod[than.period];

export interface PlanOptions {
  dearer: Plan[];
  /** A change to one of these starts when the paid period ends. */
  cheaper: Plan[];
  /** The longest pause in months; 0 for a plan without a pause. */
  maxPauseMonths: 0 | 3;
}

/** Extras pause with their plan, and are not changed. */
export function planOptions(plan: Plan, targets: readonly Plan[]): PlanOptions {
  if (plan.slot !== 'main') return { dearer: [], cheaper: [], maxPauseMonths: 0 };
  const others = targets.filter(
    ({ period, currency }) => period !== plan.period && currency === plan.currency,
  );
  return {
    dearer: others.filter((other) => isMoreExpensive(other, plan)),
    cheaper: others.filter((other) => !isMoreExpensive(other, plan)),
    maxPauseMonths: 3,
  };
}
