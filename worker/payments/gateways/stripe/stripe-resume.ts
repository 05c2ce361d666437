import type { ChargeRequest } from '../../rules/gateway.ts';
import { providerState, stripeStates } from '../../rules/provider-status.ts';
import type { StripeClient } from './client.ts';
import { chargeOf } from './money.ts';

/**
 * Lets the renewals go on that were to end with the paid period. Does nothing where nothing was to
 * end, or all is over already; may be repeated.
 *
 * @param askedAt when it was asked for, ms since 1970
 * @param now ms since 1970; there is a key an hour, as for a cancellation
 * @throws when Stripe does not answer
 */
export async function resume(
  stripe: StripeClient,
  order: ChargeRequest,
  askedAt: number,
  now = Date.now(),
): Promise<void> {
  const { subscriptionId: id } = chargeOf(order);
  if (!id) return;
  const found = await stripe.subscriptions.retrieve(id);
  const { cancel_at_period_end: withPeriod, cancel_at: at } = found;
  if (providerState(stripeStates, found.status) === 'ended' || (!withPeriod && at === null)) return;
  // An operator may have set a day of their own at Stripe.
  const change = withPeriod ? { cancel_at_period_end: false } : ({ cancel_at: '' } as const);
  const idempotencyKey = `${order.attempt.id}:resume:${askedAt}:${Math.floor(now / 3_600_000)}`;
  await stripe.subscriptions.update(id, change, { idempotencyKey });
}
