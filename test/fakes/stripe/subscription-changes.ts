import type { Stripe } from 'stripe';
import { type Call, find, idOf, invalid, missing, only } from './call.ts';
import { endOfPeriod, endSubscription } from './clock.ts';
import { voidInvoice } from './invoices.ts';
import { flag, group, metadata, page, text, textOrNull } from './params.ts';
import { ownMethod } from './subscriptions.ts';

export const retrieveSubscription = ({ state, id }: Call): Stripe.Subscription =>
  find(state.subscriptions, 'subscription', id);

/**
 * GET /subscriptions: "By default, returns a list of subscriptions that have not been canceled";
 * `all` is every one of them, `ended` the canceled and the expired.
 * https://docs.stripe.com/api/subscriptions/list
 */
export const listSubscriptions = ({ state, params }: Call) =>
  page(state.subscriptions, '/v1/subscriptions', params, ({ customer, status, items }) => {
    const buyer = text(params, 'customer');
    const price = text(params, 'price');
    if (buyer && buyer !== customer) return false;
    if (price && !items.data.some((item) => item.price.id === price)) return false;
    const wanted = text(params, 'status');
    if (wanted === 'all') return true;
    if (wanted === 'ended') return status === 'canceled' || status === 'incomplete_expired';
    return wanted ? wanted === status : status !== 'canceled';
  });

const FINAL = ['canceled', 'incomplete_expired'];

/** POST /subscriptions/:id: metadata, default method, cancelling at the end, ending a trial date. */
export function updateSubscription(call: Call): Stripe.Subscription {
  const { params } = call;
  only(
    params,
    [
      'metadata',
      'default_payment_method',
      'cancel_at_period_end',
      'cancel_at',
      'description',
      'payment_settings',
      'cancellation_details',
      'trial_end',
      'proration_behavior',
    ],
    'subscriptions.update',
  );
  const subscription = retrieveSubscription(call);
  const others = Object.keys(params).filter((name) => name !== 'metadata' && name !== 'expand');
  if (
    FINAL.includes(subscription.status) &&
    others.some((name) => name !== 'cancellation_details')
  ) {
    throw invalid('A canceled subscription can only update its cancellation_details and metadata.');
  }
  subscription.metadata = metadata(params, subscription.metadata);
  if ('description' in params) subscription.description = textOrNull(params, 'description');
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
  const saves = text(group(params, 'payment_settings'), 'save_default_payment_method');
  if (saves && subscription.payment_settings) {
    subscription.payment_settings.save_default_payment_method = saves;
  }
  const end = text(params, 'trial_end');
  if (end && end !== 'now' && subscription.status === 'trialing') {
    subscription.trial_end = Number(end);
    subscription.billing_cycle_anchor = Number(end);
    for (const item of subscription.items.data) item.current_period_end = Number(end);
  }
  scheduleEnd(subscription, call);
  call.emit('customer.subscription.updated', subscription);
  return subscription;
}

function scheduleEnd(subscription: Stripe.Subscription, { params, now }: Call): void {
  const details = subscription.cancellation_details;
  if ('cancel_at_period_end' in params) {
    const ends = flag(params, 'cancel_at_period_end');
    subscription.cancel_at_period_end = ends;
    subscription.cancel_at = ends ? endOfPeriod(subscription) : null;
    subscription.canceled_at = ends ? now : null;
    if (details) details.reason = ends ? 'cancellation_requested' : null;
  }
  if ('cancel_at' in params) {
    const at = text(params, 'cancel_at');
    subscription.cancel_at = at ? Number(at) : null;
    subscription.canceled_at = at ? now : null;
  }
  if (details) {
    const told = group(params, 'cancellation_details');
    details.comment = textOrNull(told, 'comment') ?? details.comment;
    details.feedback =
      (textOrNull(told, 'feedback') as typeof details.feedback) ?? details.feedback;
  }
}

/** DELETE /subscriptions/:id: at once; an unpaid first invoice is voided. Later it is not found. */
export function cancelSubscription(call: Call): Stripe.Subscription {
  const subscription = retrieveSubscription(call);
  if (FINAL.includes(subscription.status)) throw missing('subscription', call.id);
  const invoice = call.state.invoices[idOf(subscription.latest_invoice)];
  if (invoice?.billing_reason === 'subscription_create') voidInvoice(invoice, call);
  endSubscription(subscription, 'cancellation_requested', call);
  return subscription;
}
