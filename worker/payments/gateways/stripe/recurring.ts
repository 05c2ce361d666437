import type { RenewingPeriod } from '../../../catalog/rules/plans.ts';

/** docs.stripe.com/api/prices/object#price_object-recurring: an interval, and how many of them a period has. */
const recurrences = {
  week: { interval: 'week', interval_count: 1 },
  month: { interval: 'month', interval_count: 1 },
  quarter: { interval: 'month', interval_count: 3 },
  half_year: { interval: 'month', interval_count: 6 },
  year: { interval: 'year', interval_count: 1 },
} as const satisfies Record<RenewingPeriod, object>;

export type StripeRecurrence = (typeof recurrences)[RenewingPeriod];

export const stripeRecurrence = (period: RenewingPeriod): StripeRecurrence => recurrences[period];
