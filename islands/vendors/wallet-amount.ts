import type { PlanView } from '../../worker/catalog/plans.ts';

/** What a wallet is asked to pay, and what for. */
export interface Sum {
  /** Plan id, and the code of the coupon that lowers today's charge. */
  plan: string;
  coupon?: string;
  /** Name of the plan. */
  label: string;
  /** Minor units: today's charge, and each renewal's. */
  today: number;
  renewal: number;
  currency: 'USD' | 'EUR';
  /** Months between renewals. */
  months: number;
  /** When the first renewal is due, for who pays now. */
  renews(): Date;
}

const day = 24 * 60 * 60 * 1000;

/** A calendar month has no 31st of its own each time: its last day stands in. */
function monthsLater(now: number, months: number): Date {
  const date = new Date(now);
  const wanted = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + months);
  if (date.getUTCDate() !== wanted) date.setUTCDate(0);
  return date;
}

/**
 * The sums of a plan as a wallet's sheet has them.
 *
 * @param today minor units, less a coupon
 */
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

/** Minor units as the decimal text that wallets want, such as `6.99`. */
export const decimal = (minor: number): string => (minor / 100).toFixed(2);
