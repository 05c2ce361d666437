import type { Stripe } from 'stripe';
import { type Call, find, idOf, invalid, missing, notImplemented, only } from './call.ts';
import { endOfPeriod, endSubscription, renew } from './clock.ts';
import { removeDiscounts } from './discounts.ts';
import { addInvoice } from './invoice-objects.ts';
import { payInvoice, voidInvoice } from './invoices.ts';
import { fits, flag, metadata, page, text } from './params.ts';
import { changePrice } from './prorations.ts';
import { recurringLines } from './subscription-items.ts';
import { ownMethod } from './subscriptions.ts';

export const retrieveSubscription = ({ state, id }: Call): Stripe.Subscription =>
  find(state.subscriptions, 'subscription', id);

/**
 * GET /subscriptions: "By default, returns a list of subscriptions that have not been canceled"; `all` includes
 * every one. https://docs.stripe.com/api/subscriptions/list
 */
export const listSubscriptions = ({ state, params }: Call) =>
  page(state.subscriptions, '/v1/subscriptions', params, ({ customer, status }) => {
    if (!fits(params, { customer })) return false;
    const wanted = text(params, 'status');
    if (wanted === 'all') return true;
    return wanted ? wanted === status : status !== 'canceled';
  });

/** `trial_end=now`: "will end the trial immediately". https://docs.stripe.com/api/subscriptions/update */
function endTrial(subscription: Stripe.Subscription, call: Call): void {
  subscription.trial_end = call.now;
  for (const item of subscription.items.data) item.current_period_end = call.now;
  subscription.billing_cycle_anchor = call.now;
  renew(subscription, call);
}

const FINAL = ['canceled', 'incomplete_expired'];

/**
 * A trial of a running subscription: "the customer will not be billed" before its end, and its end becomes the billing
 * cycle anchor (docs.stripe.com/billing/subscriptions/billing-cycle). "An immediate invoice is still created", for
 * nothing (docs.stripe.com/billing/subscriptions/trials/free-trials). Stripe would credit the paid days in a proration.
 */
function startTrial(subscription: Stripe.Subscription, call: Call): void {
  const { params, now } = call;
  const end = Number(text(params, 'trial_end'));
  if (!(end > now)) throw invalid('Timestamp must be an integer Unix timestamp in the future.');
  if (text(params, 'proration_behavior') !== 'none') throw notImplemented('a prorated trial');
  if (subscription.schedule) throw notImplemented('a trial beside a schedule');
  subscription.trial_start = now;
  subscription.trial_end = end;
  subscription.billing_cycle_anchor = end;
  for (const item of subscription.items.data) {
    item.current_period_start = now;
    item.current_period_end = end;
  }
  if (subscription.cancel_at_period_end) subscription.cancel_at = end;
  const lines = recurringLines(subscription, true);
  payInvoice(addInvoice(subscription, lines, 'subscription_update', call), null, call);
}

/** POST /subscriptions/:id: metadata, default method, and when it ends. */
export function updateSubscription(call: Call): Stripe.Subscription {
  const { params, now } = call;
  const known = [
    ...['metadata', 'default_payment_method', 'cancel_at_period_end', 'cancel_at', 'items'],
    ...['proration_behavior', 'proration_date', 'payment_behavior', 'trial_end', 'discounts'],
  ];
  only(params, known, 'subscriptions.update');
  const subscription = retrieveSubscription(call);
  const others = Object.keys(params).filter((name) => name !== 'metadata' && name !== 'expand');
  if (FINAL.includes(subscription.status) && others.length > 0) {
    throw invalid('A canceled subscription can only update its cancellation_details and metadata.');
  }
  const ending = 'cancel_at_period_end' in params || 'cancel_at' in params;
  // docs.stripe.com/billing/subscriptions/subscription-schedules#managing
  if (ending && subscription.schedule) {
    throw invalid(
      `The subscription is managed by the subscription schedule \`${idOf(subscription.schedule)}\`, and updating any cancelation behavior directly is not allowed.`,
    );
  }
  if ('items' in params) {
    changePrice(subscription, call);
    call.emit('customer.subscription.updated', subscription);
    return subscription;
  }
  if (text(params, 'trial_end') === 'now') endTrial(subscription, call);
  else if ('trial_end' in params) startTrial(subscription, call);
  if ('discounts' in params) removeDiscounts(subscription, call);
  subscription.metadata = metadata(params, subscription.metadata);
  const method = text(params, 'default_payment_method');
  if (method) {
    const customer = idOf(subscription.customer);
    subscription.default_payment_method = ownMethod(
      method,
      customer,
      call,
      'default_payment_method',
    );
  }
  if ('cancel_at_period_end' in params) {
    const ends = flag(params, 'cancel_at_period_end');
    subscription.cancel_at_period_end = ends;
    subscription.cancel_at = ends ? endOfPeriod(subscription) : null;
    subscription.canceled_at = ends ? now : null;
    const details = subscription.cancellation_details;
    if (details) details.reason = ends ? 'cancellation_requested' : null;
  }
  if ('cancel_at' in params) {
    const at = text(params, 'cancel_at');
    subscription.cancel_at = at ? Number(at) : null;
    subscription.canceled_at = at ? now : null;
  }
  call.emit('customer.subscription.updated', subscription);
  return subscription;
}

/** DELETE /subscriptions/:id: ends at once; an unpaid first invoice is voided. A later call does not find it. */
export function cancelSubscription(call: Call): Stripe.Subscription {
  const subscription = retrieveSubscription(call);
  if (FINAL.includes(subscription.status)) throw missing('subscription', call.id);
  const invoice = call.state.invoices[idOf(subscription.latest_invoice)];
  if (invoice?.billing_reason === 'subscription_create') voidInvoice(invoice, call);
  endSubscription(subscription, 'cancellation_requested', call);
  return subscription;
}
