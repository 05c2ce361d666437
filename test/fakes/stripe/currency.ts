import type { Stripe } from 'stripe';
import { idOf, invalid } from './call.ts';
import type { StripeState } from './state.ts';

const endedSubscriptions = new Set(['canceled', 'incomplete_expired']);
const endedSchedules = new Set(['canceled', 'completed', 'released']);
const endedQuotes = new Set(['accepted', 'canceled']);

interface Billed {
  customer: string | { id: string } | null;
  currency?: string | null | undefined;
}

/** Everything billed to customers that fixes their currency. */
function* billed(state: StripeState): Generator<Billed> {
  for (const one of Object.values(state.subscriptions))
    if (!endedSubscriptions.has(one.status)) yield one;
  for (const { status, customer, phases } of Object.values(state.subscription_schedules)) {
    const price = state.prices[idOf(phases[0]?.items[0]?.price)];
    if (!endedSchedules.has(status)) yield { customer, currency: price?.currency };
  }
  for (const quote of Object.values(state.quotes)) if (!endedQuotes.has(quote.status)) yield quote;
  for (const { customer, subscription, source } of Object.values(state.discounts))
    if (!subscription) yield { customer, currency: state.coupons[idOf(source.coupon)]?.currency };
}

/**
 * "You can't have two active subscriptions with different currencies" (docs.stripe.com/invoicing/multi-currency-customers).
 * The message, and what else counts: github.com/Automattic/woocommerce-payments/issues/7732. Without any of these, a
 * customer's currency changes with the next one (support.stripe.com, "change currency for an invoice or customer").
 * A subscription whose first invoice is unpaid counts here, because no page says that it does not.
 */
export function billIn(customer: Stripe.Customer, currency: string, state: StripeState): void {
  for (const one of billed(state)) {
    if (idOf(one.customer) !== customer.id || !one.currency || one.currency === currency) continue;
    throw invalid(
      'You cannot combine currencies on a single customer. This customer has an active subscription, ' +
        `subscription schedule, discount, quote, or invoice item with currency ${one.currency}.`,
    );
  }
  customer.currency = currency;
}
