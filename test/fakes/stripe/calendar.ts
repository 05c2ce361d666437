import type { Stripe } from 'stripe';

type Cycle = Pick<Stripe.Price.Recurring, 'interval' | 'interval_count'>;

/**
 * A moment some intervals later, in Unix seconds: on the same day of the month, or on its last day
 * where the month is too short. https://docs.stripe.com/billing/subscriptions/billing-cycle
 */
export function later(from: number, { interval, interval_count }: Cycle, times = 1): number {
  const steps = interval_count * times;
  if (interval === 'day') return from + steps * 86_400;
  if (interval === 'week') return from + steps * 7 * 86_400;
  const date = new Date(from * 1000);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + steps * (interval === 'year' ? 12 : 1));
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return Math.floor(date.getTime() / 1000);
}

/**
 * The end of the period that begins at a moment. Each is counted from the anchor, not from the last
 * one, so that an anchor on the 31st comes back to the 31st after a short month.
 */
export function periodEnd(anchor: number, cycle: Cycle, start: number): number {
  let times = 1;
  while (later(anchor, cycle, times) <= start) times += 1;
  return later(anchor, cycle, times);
}
