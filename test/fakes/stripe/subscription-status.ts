import type { Stripe } from 'stripe';
import type { Context } from './call.ts';

/** The status of a subscription that owes nothing: in its trial, or active. */
export const running = ({ trial_end }: Stripe.Subscription, now: number) =>
  trial_end !== null && trial_end > now ? 'trialing' : 'active';

/**
 * The invoice is paid: "Once the first invoice is paid, the subscription moves into an active
 * status" (in its trial: trialing). With save_default_payment_method=on_subscription "Stripe sets
 * subscription.default_payment_method when a subscription payment succeeds".
 * https://docs.stripe.com/api/subscriptions
 */
export function activate(
  subscription: Stripe.Subscription,
  method: string | null,
  { now, emit }: Context,
): void {
  const saves = subscription.payment_settings?.save_default_payment_method === 'on_subscription';
  if (saves && method) subscription.default_payment_method = method;
  if (['incomplete', 'past_due', 'trialing', 'active'].includes(subscription.status)) {
    subscription.status = running(subscription, now);
  }
  emit('customer.subscription.updated', subscription);
}
