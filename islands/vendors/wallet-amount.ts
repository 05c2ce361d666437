import type { Currency } from '../../worker/catalog/rules/currencies.ts';
import type { PlanView } from '../../worker/catalog/rules/plans.ts';

export interface Sum {
  plan: string;
  coupon?: string;
  label: string;
  today: number;
  renewal: number;
  currency: Currency;
  months: number;
  renews(): Date;
}

const dayMs = 24 * 60 * 60 * 1000;

function monthsLater(now: number, months: number): Date {
  const date = new Date(now);
  const dayOfMonth = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + months);
  if (date.getUTCDate() !== dayOfMonth) date.setUTCDate(0);
  return date;
}

export function walletSum(plan: PlanView, label: string, today: number, now = Date.now): Sum {
  const months = plan.period === 'quarter' ? 3 : 1;
  return {
    plan: plan.id,
    label,
    today,
    renewal: plan.price,
    currency: plan.currency,
    months,
    renews: () =>
      plan.introDays ? new Date(now() + plan.introDays * dayMs) : monthsLater(now(), months),
  };
}
