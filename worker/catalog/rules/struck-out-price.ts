import type { PlanView } from './plans.ts';

/** It claims that the list price was charged. Outside production it is a sample, unless a coupon lowered the price. */
export const mayStrikeOut = (
  { coupon }: Pick<PlanView, 'coupon'>,
  { isProduction, isConfirmed }: { isProduction: boolean; isConfirmed: boolean },
): boolean => isConfirmed || (!isProduction && !coupon);
