import type { Stripe } from 'stripe';
import { later, periodEnd } from './calendar.ts';
import type { Context } from './call.ts';
import { discounted, runningDiscounts } from './discounts.ts';
import { idOf } from './find.ts';
import { addRenewal } from './invoice-objects.ts';
import { planOf, recurringLines } from './subscription-items.ts';

/** When the running period of a subscription ends, Unix seconds. */
export const endOfPeriod = ({ items }: Stripe.Subscription): number =>
  Math.min(...items.data.map((item) => item.current_period_end));

/** When a subscription ends by itself; null while it renews. */
export const endOf = (subscription: Stripe.Subscription): number | null =>
  subscription.cancel_at ?? (subscription.cancel_at_period_end ? endOfPeriod(subscription) : null);

/** The offer of an item is over: it goes on at the price that follows, and bills from here. */
function afterOffer(
  subscription: Stripe.Subscription,
  item: Stripe.SubscriptionItem,
  { state, now }: Context,
): void {
  const trial = item.current_trial;
  if (!trial || now < trial.end_date) return;
  const offer = state.trial_offers[idOf(trial.trial_offer)];
  const price = state.prices[idOf(offer?.end_behavior.transition?.price)];
  if (!price) return;
  item.price = price;
  item.plan = planOf(price);
  item.current_trial = null;
  subscription.billing_cycle_anchor = now;
}

/**
 * A period is over and the next begins: the invoice for it is a draft for an hour, and the
 * subscription counts as active meanwhile.
 */
export function renew(subscription: Stripe.Subscription, context: Context): void {
  const { now, emit } = context;
  for (const item of subscription.items.data) {
    afterOffer(subscription, item, context);
    const cycle = item.price.recurring;
    if (!cycle) continue;
    const anchor = subscription.billing_cycle_anchor;
    item.current_period_start = now;
    item.current_period_end = anchor === now ? later(now, cycle) : periodEnd(anchor, cycle, now);
  }
  if (subscription.status === 'trialing') subscription.status = 'active';
  const lines = recurringLines(subscription, false);
  discounted(lines, runningDiscounts(subscription, context.state), context.state);
  addRenewal(subscription, lines, context);
  emit('customer.subscription.updated', subscription);
}
