import type { Stripe } from 'stripe';
import {
  type Call,
  type Context,
  cardError,
  find,
  idOf,
  invalid,
  notImplemented,
  only,
  Refused,
} from './call.ts';
import { priceAndPlan } from './catalog.ts';
import { charge } from './charge-card.ts';
import { addPaymentIntent } from './charges.ts';
import { discounted, dueOf, runningDiscounts } from './discounts.ts';
import { addInvoice, draftOf, linkPayment } from './invoice-objects.ts';
import { group, groups, metadata, type Params, text, whole } from './params.ts';
import type { StripeState } from './state.ts';
import { hasSameCycle, later, line, priceOf } from './subscription-items.ts';

type Line = Stripe.InvoiceLineItem;

/** The paid line for the current period of a subscription. */
function paidLine(subscription: Stripe.Subscription, { invoices }: StripeState): Line | undefined {
  const [item] = subscription.items.data;
  return Object.values(invoices)
    .filter(({ status, parent }) => {
      const of = idOf(parent?.subscription_details?.subscription);
      return status === 'paid' && of === subscription.id;
    })
    .flatMap(({ lines }) => lines.data)
    .find(({ amount, period }) => amount > 0 && period.end === item?.current_period_end);
}

/** The new price of a subscription's single item. */
function newPrice(subscription: Stripe.Subscription, params: Params, call: Call): Stripe.Price {
  const [entry, ...more] = groups(params, 'items');
  const [item] = subscription.items.data;
  if (!entry || !item || more.length > 0) throw notImplemented('a change of several items');
  if (text(entry, 'id') !== item.id) {
    throw invalid(`Invalid subscription_item id: ${text(entry, 'id')}`, undefined, 'items[0][id]');
  }
  const price = priceOf(entry, call, 'items[0]');
  if (price.currency !== subscription.currency) {
    throw invalid('The price specified is in another currency.', undefined, 'items[0][price]');
  }
  return price;
}

/**
 * Lines of the invoice for a change to a price of another interval: "the billing date is reset to the date of the
 * change", so the new price is billed in full, less the unused time, to the second
 * (docs.stripe.com/billing/subscriptions/prorations; …/billing-cycle#changing). The credit follows the debited
 * amount, as in flexible billing mode (docs.stripe.com/billing/subscriptions/billing-mode/compare).
 */
function changeLines(
  subscription: Stripe.Subscription,
  price: Stripe.Price,
  params: Params,
  call: Call,
): Line[] {
  const [item] = subscription.items.data;
  const { recurring } = price;
  if (!item || !recurring)
    throw invalid('This price does not recur.', undefined, 'items[0][price]');
  if (hasSameCycle(price, item.price))
    throw notImplemented('a change to a price of the same interval');
  if (text(params, 'proration_behavior') !== 'always_invoice')
    throw notImplemented('a change without always_invoice');
  const at = whole(params, 'proration_date', call.now);
  const { current_period_start: start, current_period_end: end } = item;
  if (at < start || at > end) {
    throw invalid(
      'Cannot specify a proration date outside of the current billing period.',
      undefined,
      'proration_date',
    );
  }
  const paid = paidLine(subscription, call.state);
  const share = (end - at) / (end - start);
  const unused = Math.round((paid ? dueOf(paid) : 0) * share);
  const credit = line(item.price, -unused, { start: at, end }, subscription.id, item);
  const amount = (price.unit_amount ?? 0) * (item.quantity ?? 1);
  const period = { start: call.now, end: later(call.now, recurring) };
  const full = line(price, amount, period, subscription.id, item);
  // "All invoice items that are prorations are set to discountable=false."
  discounted([full], runningDiscounts(subscription, call.state), call.state);
  return unused > 0 ? [credit, full] : [full];
}

/**
 * POST /invoices/create_preview: "You can preview the effects of updating a subscription"; nothing is stored.
 * https://docs.stripe.com/api/invoices/create_preview
 */
export function previewInvoice(call: Call): Stripe.Invoice {
  const { state, params } = call;
  const subscription = find(
    state.subscriptions,
    'subscription',
    text(params, 'subscription') ?? '',
    'subscription',
  );
  const before = structuredClone(state.prices);
  const details = group(params, 'subscription_details');
  const lines = changeLines(subscription, newPrice(subscription, details, call), details, call);
  state.prices = before;
  const invoice = draftOf(subscription, lines, 'upcoming', 'upcoming_in', call);
  return { ...invoice, amount_due: Math.max(0, invoice.total) };
}

const pendingSeconds = 23 * 60 * 60;

/** Sets the subscription's price to that of a paid invoice's lines. */
function applyPrice(
  subscription: Stripe.Subscription,
  price: Stripe.Price,
  { start, end }: { start: number; end: number },
): void {
  const [item] = subscription.items.data;
  if (!item) return;
  Object.assign(item, priceAndPlan(price));
  item.current_period_start = start;
  item.current_period_end = end;
  subscription.billing_cycle_anchor = start;
}

/**
 * "If payment succeeds, the changes are applied and the pending_update hash is cleared"; metadata is merged.
 * docs.stripe.com/billing/subscriptions/pending-updates-reference
 */
export function applyPending(subscription: Stripe.Subscription, invoice: Stripe.Invoice): void {
  const { pending_update: pending } = subscription;
  const price = pending?.subscription_items?.[0]?.price;
  const period = invoice.lines.data.find(({ amount }) => amount > 0)?.period;
  if (!pending || !price || !period || idOf(subscription.latest_invoice) !== invoice.id) return;
  applyPrice(subscription, price, period);
  Object.assign(subscription.metadata, pending.metadata);
  subscription.pending_update = null;
}

/**
 * "The subscription becomes active once the invoice is paid", also by a retry or a later call; a new period begins
 * with it. docs.stripe.com/billing/subscriptions/pause#resume-subscriptions
 */
export function applyResumption(
  subscription: Stripe.Subscription,
  invoice: Stripe.Invoice,
  { state, emit }: Context,
): void {
  const { resume } =
    state.subscription_schedules[idOf(subscription.schedule)]?.pause_schedules[0] ?? {};
  const [item] = subscription.items.data;
  const period = invoice.lines.data[0]?.period;
  const isResumption = idOf(subscription.latest_invoice) === invoice.id;
  if (subscription.status !== 'paused' || !resume || !item || !period || !isResumption) return;
  subscription.status = 'active';
  item.current_period_start = period.start;
  item.current_period_end = period.end;
  subscription.billing_cycle_anchor = period.start;
  resume.status = { type: 'succeeded' };
  emit('customer.subscription.resumed', subscription);
}

/**
 * Another price, billed at once. `pending_if_incomplete`: the subscription changes only once its invoice is paid;
 * until then "the updated values are added to the pending_update hash", which expires after 23 hours. It may
 * include metadata since 2026-05-27.dahlia.
 * docs.stripe.com/billing/subscriptions/pending-updates
 */
export function changePrice(subscription: Stripe.Subscription, call: Call): void {
  const { state, params, now, emit } = call;
  if (text(params, 'payment_behavior') !== 'pending_if_incomplete')
    throw notImplemented('this payment_behavior');
  const supported = 'items metadata payment_behavior proration_behavior proration_date expand';
  only(params, supported.split(' '), 'pending updates');
  const price = newPrice(subscription, params, call);
  const lines = changeLines(subscription, price, params, call);
  const [item] = subscription.items.data;
  if (!item) return;
  const invoice = addInvoice(subscription, lines, 'subscription_update', call);
  const customer = subscription.customer;
  const usual = state.customers[idOf(customer)]?.invoice_settings.default_payment_method;
  const method = state.payment_methods[idOf(subscription.default_payment_method) || idOf(usual)];
  const intent = addPaymentIntent(
    {
      amount: invoice.amount_due,
      created: now,
      currency: invoice.currency,
      customer,
      description: 'Subscription update',
      payment_method: null,
    },
    state,
  );
  linkPayment(invoice, intent, call);
  emit('payment_intent.created', intent);
  subscription.pending_update = {
    ...{ billing_cycle_anchor: null, cancel_at_period_end: null, discount: null, discounts: null },
    expires_at: now + pendingSeconds,
    metadata: metadata(params),
    subscription_items: [{ ...structuredClone(item), ...priceAndPlan(price) }],
    ...{ trial_end: null, trial_from_plan: null },
  };
  try {
    if (!method) throw cardError({ message: 'This customer has no payment method.' });
    charge(intent, method, { offSession: false, authenticated: false }, call);
  } catch (error) {
    // The response is the subscription with its pending update.
    if (!(error instanceof Refused)) throw error;
  }
}
