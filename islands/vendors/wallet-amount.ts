import { monthsOfPeriod as months } from '../../locales/format/periods.ts';
import type { Currency } from '../../worker/catalog/rules/currencies.ts';
import type { PlanView } from '../../worker/catalog/rules/plans.ts';
import type { Coupon } from '../stores/plans.ts';

export interface Sum {
  plan: string;
  coupon?: string;
  label: string;
  today: number;
  renewal: number;
  /** The price after so many renewals, which a coupon lowers. */
  later?: { amount: number; times: number } | null;
  currency: Currency;
  every: Recurrence;
  renews(after?: number): Date;
}

export interface Recurrence {
  unit: 'day' | 'month';
  count: number;
}

/** Apple counts in days and months, not in weeks. */
export const recurrenceOf = (period: PlanView['period']): Recurrence =>
  period === 'week' ? { unit: 'day', count: 7 } : { unit: 'month', count: months[period] };

const dayMs = 24 * 60 * 60 * 1000;

export function periodsLater(from: number, { unit, count }: Recurrence, periods: number): Date {
  const date = new Date(from);
  if (unit === 'day') return new Date(from + periods * count * dayMs);
  const dayOfMonth = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + periods * count);
  if (date.getUTCDate() !== dayOfMonth) date.setUTCDate(0);
  return date;
}

export interface Renewal {
  amount: number;
  at: Date;
  times?: number;
}

export const renewalsOf = ({ renewal, later, renews }: Sum): [Renewal, ...Renewal[]] => {
  const next = { amount: renewal, at: renews() };
  if (!later) return [next];
  const { amount, times } = later;
  return [
    { ...next, times },
    { amount, at: renews(times) },
  ];
};

export function walletSum(
  plan: PlanView,
  label: string,
  today: number,
  coupon: Coupon | null,
  now = Date.now,
): Sum {
  const every = recurrenceOf(plan.period);
  const { renewals: times = 0, renewal_discount: off = 0 } = coupon?.plan === plan.id ? coupon : {};
  const first = plan.introDays ? 0 : 1;
  return {
    plan: plan.id,
    label,
    today,
    renewal: plan.price - off,
    later: times > 0 ? { amount: plan.price, times } : null,
    currency: plan.currency,
    every,
    renews: (after = 0) => periodsLater(now() + plan.introDays * dayMs, every, first + after),
  };
}
