import type { Stripe } from 'stripe';
import { type Call, find, idOf, invalid, notImplemented, only } from './call.ts';
import { announceTrialEnd } from './clock.ts';
import { billIn } from './currency.ts';
import { discounted, dueOf, expireDiscounts, redeemed } from './discounts.ts';

import { collectFirst } from './invoice-collection.ts';
import { addInvoice } from './invoice-objects.ts';
import { payInvoice, running } from './invoices.ts';
import { flag, group, groups, listOf, metadata, text, textOrNull, texts, whole } from './params.ts';

import { newId, nulls } from './state.ts';
import { buildItems, firstLines } from './subscription-items.ts';
import { automaticTax } from './tax.ts';

const supported = (
  'customer items add_invoice_items default_payment_method payment_behavior payment_settings ' +
  'trial_period_days metadata off_session description cancel_at_period_end discounts automatic_tax ' +
  'trial_settings'
).split(' ');

function trialEnd({ params, now }: Call): number | null {
  const days = whole(params, 'trial_period_days', 0);
  return days > 0 ? now + days * 86_400 : null;
}

/** A method named for the subscription "must belong to the customer". */
export function ownMethod(id: string, customer: string, { state }: Call, param: string): string {
  if (state.payment_methods[id]?.customer === customer) return id;
  throw invalid(
    `The customer does not have a payment method with the ID ${id}. The payment method must be ` +
      'attached to the customer.',
    'resource_missing',
    param,
  );
}

const nullsOfSubscription = [
  'application application_fee_percent billing_cycle_anchor_config billing_thresholds customer_account',
  'days_until_due default_source ended_at latest_invoice managed_payments',
  'next_pending_invoice_item_invoice on_behalf_of pause_collection pending_invoice_item_interval',
  'pending_setup_intent pending_update schedule test_clock transfer_data',
] as const;

function build(call: Call): Stripe.Subscription {
  const { params, state, now } = call;
  const customer = find(state.customers, 'customer', text(params, 'customer') ?? '', 'customer');
  const named = text(params, 'default_payment_method');
  const method = named ? ownMethod(named, customer.id, call, 'default_payment_method') : null;
  const entries = groups(params, 'items');
  if (entries.length === 0)
    throw invalid('Missing required param: items.', 'parameter_missing', 'items');
  const id = newId('sub');
  const ends = trialEnd(call);
  const items = buildItems(entries, id, ends, call);
  const currency = items[0]?.price.currency ?? '';
  if (items.some(({ price }) => price.currency !== currency)) {
    throw invalid('All prices on a subscription must have the same currency.', undefined, 'items');
  }
  billIn(customer, currency, state);
  const ending = flag(params, 'cancel_at_period_end');
  const endOfPeriod = Math.min(...items.map((item) => item.current_period_end));
  const settings = group(params, 'payment_settings');
  const atTrialEnd = group(group(params, 'trial_settings'), 'end_behavior');
  return {
    id,
    object: 'subscription',
    ...nulls(...nullsOfSubscription),
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: ends ?? now,
    billing_mode: { flexible: null, type: 'classic' },
    billing_schedules: [],
    cancel_at: ending ? endOfPeriod : null,
    cancel_at_period_end: ending,
    canceled_at: ending ? now : null,
    cancellation_details: nulls('comment feedback feedback_option reason'),
    collection_method: 'charge_automatically',
    created: now,
    currency,
    customer: customer.id,
    default_payment_method: method,
    description: textOrNull(params, 'description'),
    discounts: [],
    invoice_settings: {
      ...nulls('account_tax_ids custom_fields description footer'),
      issuer: { type: 'self' },
    },
    items: listOf(items, `/v1/subscription_items?subscription=${id}`),
    livemode: false,
    metadata: metadata(params),
    payment_settings: {
      payment_method_options: null,
      payment_method_types: texts(settings, 'payment_method_types'),
      save_default_payment_method: text(settings, 'save_default_payment_method') ?? 'off',
    },
    start_date: now,
    status: 'incomplete',
    trial_settings: {
      end_behavior: {
        billing_cycle_anchor: 'now',
        missing_payment_method: text(atTrialEnd, 'missing_payment_method') ?? 'create_invoice',
      },
    },
    trial_end: ends,
    trial_start: ends === null ? null : now,
  };
}

export function createSubscription(call: Call): Stripe.Subscription {
  const { params, state, now, settings } = call;
  only(params, supported, 'subscriptions.create');
  if (
    !['default_incomplete', 'allow_incomplete', undefined].includes(
      text(params, 'payment_behavior'),
    )
  ) {
    throw notImplemented('this payment_behavior');
  }
  const subscription = build(call);
  subscription.automatic_tax = automaticTax(subscription, call);
  const customer = state.customers[idOf(subscription.customer)];
  const fallback = idOf(customer?.invoice_settings.default_payment_method) || null;
  const method = idOf(subscription.default_payment_method) || fallback;
  const lines = firstLines(subscription, call);
  const discounts = redeemed(subscription, call);
  discounted(lines, discounts, state);
  subscription.discounts = discounts.map(({ id }) => id);
  const due = lines.reduce((sum, line) => sum + dueOf(line), 0);
  const waits = params.payment_behavior === 'default_incomplete';
  if (due > 0 && method === null && !waits) {
    throw invalid(
      'This customer has no attached payment source or default payment method. Please consider ' +
        'adding a default payment method.',
      'resource_missing',
    );
  }
  if (due === 0 && discounts.length === 0 && subscription.trial_end === null) {
    throw notImplemented('subscriptions without a first payment');
  }
  state.subscriptions[subscription.id] = subscription;
  for (const discount of discounts) call.emit('customer.discount.created', discount);
  const invoice = addInvoice(subscription, lines, 'subscription_create', call);
  if (invoice.total_discount_amounts?.length) expireDiscounts(subscription, call);
  if (due === 0) {
    subscription.status = running(subscription, now);
    call.emit('customer.subscription.created', subscription);
    payInvoice(invoice, null, call);
    announceTrialEnd(subscription, call);
  } else {
    const inTrial = subscription.trial_end !== null;
    subscription.status = inTrial ? settings.unpaidTrialStatus : 'incomplete';
    call.emit('customer.subscription.created', subscription);
    collectFirst(subscription, invoice, method, call);
  }
  return subscription;
}
