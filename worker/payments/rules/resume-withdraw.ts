import type { GatewayName } from './attempt.ts';
import { changed, requestCancellation, type Subscription, stateOf } from './subscription.ts';

const hourMs = 60 * 60_000;
/**
 * In the last hour Stripe may be ending the subscription already. Braintree needs a new one, whose first day
 * has to come.
 */
const lastResumeMs: Record<GatewayName, number> = { stripe: hourMs, braintree: 24 * hourMs };

/** A cancellation can be taken back until it takes effect, but not after a lost dispute. */
export function mayResume(
  subscription: Subscription,
  rows: readonly { kind: string }[],
  now: number,
): boolean {
  const { gateway, status, withdrawnAt, paidUntil } = subscription;
  const ending = status === 'active' && !withdrawnAt && stateOf(subscription) === 'ending';
  const runs = paidUntil !== null && paidUntil - lastResumeMs[gateway] > now;
  return ending && runs && !rows.some(({ kind }) => kind === 'dispute');
}

export function resume(subscription: Subscription, now: number): Subscription {
  const again = { cancelAskedAt: null, resumedAt: now, ends: false, dueAt: now };
  return changed(subscription, again, now);
}

/** Ends the subscription and makes everything paid refundable. Idempotent. */
export function withdraw(subscription: Subscription, now: number): Subscription {
  if (subscription.withdrawnAt) return subscription;
  const asked = requestCancellation(subscription, now);
  return {
    ...asked,
    withdrawnAt: now,
    remindAt: null,
    dueAt: now,
    version: subscription.version + 1,
  };
}
