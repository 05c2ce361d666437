import type { Stripe } from 'stripe';
import type { Context } from './call.ts';
import { idOf } from './find.ts';

type Reason = NonNullable<Stripe.Subscription['cancellation_details']>['reason'];

/**
 * A subscription is over: "upon subscription cancellation, Stripe stops automatic collection of all
 * finalized invoices"; they stay open. https://docs.stripe.com/api/subscriptions/cancel
 */
export function endSubscription(
  subscription: Stripe.Subscription,
  reason: Reason,
  { state, now, emit }: Context,
): void {
  subscription.status = 'canceled';
  subscription.canceled_at ??= now;
  subscription.ended_at = now;
  if (subscription.cancellation_details) subscription.cancellation_details.reason = reason;
  for (const invoice of Object.values(state.invoices)) {
    const of = idOf(invoice.parent?.subscription_details?.subscription);
    if (of !== subscription.id || !invoice.auto_advance) continue;
    invoice.auto_advance = false;
    invoice.automatically_finalizes_at = null;
    invoice.next_payment_attempt = null;
    emit('invoice.updated', invoice);
  }
  emit('customer.subscription.deleted', subscription);
}
