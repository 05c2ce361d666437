import { monthsOfPeriod, type Plan, type PlanFamily, planOf } from './plans.ts';

interface Options {
  /** The plans that its owner can change to; in the same slot and currency. */
  changesTo: readonly PlanFamily[];
  /** The longest pause in months; 0 for a plan without a pause. */
  maxPauseMonths: 0 | 1 | 2 | 3;
}

const monthly: Options = { changesTo: ['quarterly'], maxPauseMonths: 3 };

/** Extras pause with their plan, and are not changed. */
const options: Partial<Record<PlanFamily, Options>> = {
  monthly,
  monthly_7d: monthly,
  monthly_5d: monthly,
  monthly_3d: monthly,
  quarterly: { changesTo: ['monthly'], maxPauseMonths: 3 },
};

const isMoreExpensive = (plan: Plan, than: Plan): boolean =>
  monthsOfPeriod[plan.period] === monthsOfPeriod[than.period]
    ? plan.price > than.price
    : monthsOfPeriod[plan.period] > monthsOfPeriod[than.period];

export interface PlanOptions {
  /** Plans with a longer period or a higher price; a change to one starts at once. */
  dearer: Plan[];
  /** A change to one of these starts when the paid period ends. */
  cheaper: Plan[];
  maxPauseMonths: Options['maxPauseMonths'];
}

export function planOptions(plan: Plan): PlanOptions {
  const { changesTo, maxPauseMonths } = options[plan.family] ?? {
    changesTo: [],
    maxPauseMonths: 0 as const,
  };
  const others = changesTo.map((family) => planOf(family, plan.currency));
  return {
    dearer: others.filter((other) => isMoreExpensive(other, plan)),
    cheaper: others.filter((other) => !isMoreExpensive(other, plan)),
    maxPauseMonths,
  };
}
