import { dayMs } from '../../../durations.ts';
import type { RetryCheck } from '../settings.ts';
import type { StripeClient } from './client.ts';
import { listAll, pageSize } from './statement.ts';

/**
 * No API returns the settings (docs.stripe.com/billing/revenue-recovery/smart-retries: "configure subscription
 * retries in your Dashboard"), but an unpaid invoice has the time of its next retry.
 */
export async function checkRetries(stripe: StripeClient, now: number): Promise<RetryCheck> {
  const open = await listAll(stripe.invoices.list({ status: 'open', limit: pageSize }));
  const failed = open.filter(({ attempted, parent }) => attempted && parent?.subscription_details);
  const next = failed.flatMap(({ next_payment_attempt: at }) => (at === null ? [] : [at * 1000]));
  const furthest = Math.max(0, ...next);
  return {
    settings: 'https://dashboard.stripe.com/revenue_recovery/retries',
    planned: next.length,
    unplanned: failed.length - next.length,
    furthestDays: furthest > 0 ? Math.round((furthest - now) / dayMs) : null,
  };
}
