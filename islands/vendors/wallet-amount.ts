import { monthsOfPeriod as months } from '../../locales/format/periods.ts';
import type { Currency } from '../../worker/catalog/rules/currencies.ts';
import type { PlanView } from '../../worker/catalog/rules/plans.ts';

export interface Sum {
  plan: string;
  coupon?: string;
  label: string;
  today: number;
  renewal: number;
  currency: Currency;
  every: Recurrence;
  renews(): Date;
}

export interface Recurrence {
  unit: 'day' | 'month';
  count: number;
}

/** Apple counts in days and months, not in weeks. */
export const recurrenceOf = (period: PlanView['period']): Recurrence =>
  period === 'week' ? { unit: 'day', count: 7 } : { unit: 'month', count: months[period] };

const dayMs = 24 * 60 * 60 * 1000;

function monthsLater(now: number, months: number): Date {
  const date = new Date(now);
  const dayOfMonth = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + months);
  if (date.getUTCDate() !== dayOfMonth) date.setUTCDate(0);
  return date;
}

export function walletSum(plan: PlanView, label: string, today: number, now = Date.now): Sum {
  const every = recurrenceOf(plan.period);
  const days = plan.introDays || (every.unit === 'day' ? every.count : 0);
  return {
    plan: plan.id,
    label,
    today,
    renewal: plan.price,
    currency: plan.currency,
    every,
    renews: () => (days ? new Date(now() + days * dayMs) : monthsLater(now(), every.count)),
  };
}
