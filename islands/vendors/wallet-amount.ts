import type { PlanView } from '../../worker/catalog/plans.ts';

/** The amount that a wallet charges, and its plan. */
export interface Sum {
  /** Plan id, and the coupon included in today's charge. */
  plan: string;
  coupon?: string;
  /** Plan name. */
  label: string;
  /** Minor units: today's charge, and each renewal. */
  today: number;
  renewal: number;
  currency: 'USD' | 'EUR';
  /** Months between renewals. */
  months: number;
  /** First renewal date if paid now. */
  renews(): Date;
}

const day = 24 * 60 * 60 * 1000;

/** Adds months; a missing day becomes the last day of the month. */
function monthsLater(now: number, months: number): Date {
  const date = new Date(now);
  const wanted = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + months);
  if (date.getUTCDate() !== wanted) date.setUTCDate(0);
  return date;
}

/** @param today minor units after the coupon */
export function sumOf(plan: PlanView, label: string, today: number, now = Date.now): Sum {
  const months = plan.period === 'quarter' ? 3 : 1;
  return {
    plan: plan.id,
    label,
    today,
    renewal: plan.price,
    currency: plan.currency,
    months,
    renews: () =>
      plan.trialDays ? new Date(now() + plan.trialDays * day) : monthsLater(now(), months),
  };
}

/** Minor units as a decimal string, such as `6.99`. */
export const decimal = (minor: number): string => (minor / 100).toFixed(2);
