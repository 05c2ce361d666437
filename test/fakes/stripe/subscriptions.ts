import type { Stripe } from 'stripe';
import { type Call, find, idOf, invalid, only, Refused } from './call.ts';
import { discounted, dueOf, redeemed, spend } from './discounts.ts';

import { collectFirst } from './invoice-collection.ts';
import { addFirst } from './invoice-objects.ts';
import { payInvoice, running } from './invoices.ts';
import { flag, group, groups, listOf, metadata, text, textOrNull, texts, whole } from './params.ts';

import { newId } from './state.ts';
import { buildItems, firstLines } from './subscription-items.ts';

const SUPPORTED = [
  'customer',
  'items',
  'add_invoice_items',
  'default_payment_method',
  'payment_behavior',
  'payment_settings',
  'trial_period_days',
  'trial_end',
  'trial_settings',
  'metadata',
  'off_session',
  'description',
  'currency',
  'cancel_at_period_end',
  'collection_method',
  'proration_behavior',
  'billing_mode',
  'discounts',
];

function trialEnd({ params, now }: Call): number | null {
  const days = whole(params, 'trial_period_days', 0);
  const end = text(params, 'trial_end');
  if (days > 0) return now + days * 86_400;
  return end && end !== 'now' ? Number(end) : null;
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
  const ending = flag(params, 'cancel_at_period_end');
  const endOfPeriod = Math.min(...items.map((item) => item.current_period_end));
  const settings = group(params, 'payment_settings');
  const types = texts(settings, 'payment_method_types');
  const behaviour = text(
    group(group(params, 'trial_settings'), 'end_behavior'),
    'missing_payment_method',
  );
  return {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: ends ?? now,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: null, type: 'flexible' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: ending ? endOfPeriod : null,
    cancel_at_period_end: ending,
    canceled_at: ending ? now : null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    created: now,
    currency,
    customer: customer.id,
    customer_account: null,
    days_until_due: null,
    default_payment_method: method,
    default_source: null,
    default_tax_rates: [],
    description: textOrNull(params, 'description'),
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: listOf(items, `/v1/subscription_items?subscription=${id}`),
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata: metadata(params),
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: types.length > 0 ? types : null,
      save_default_payment_method: text(settings, 'save_default_payment_method') ?? 'off',
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: now,
    status: 'incomplete',
    test_clock: null,
    transfer_data: null,
    trial_end: ends,
    trial_settings: {
      end_behavior: {
        billing_cycle_anchor: null,
        missing_payment_method: behaviour ?? 'create_invoice',
      },
    },
    trial_start: ends === null ? null : now,
  } satisfies Stripe.Subscription;
}

export function createSubscription(call: Call): Stripe.Subscription {
  const { params, state, now, settings } = call;
  only(params, SUPPORTED, 'subscriptions.create');
  if (text(params, 'collection_method') === 'send_invoice') {
    throw invalid(
      'This fake collects by charge_automatically only.',
      undefined,
      'collection_method',
    );
  }
  if (params.payment_behavior === 'pending_if_incomplete') {
    throw invalid('pending_if_incomplete is only valid on updates.', undefined, 'payment_behavior');
  }
  const subscription = build(call);
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
  if (due === 0 && discounts.length === 0) {
    throw new Refused(501, {
      type: 'api_error',
      message: 'test/fakes/stripe does not implement subscriptions without a first payment',
    });
  }
  state.subscriptions[subscription.id] = subscription;
  for (const discount of discounts) call.emit('customer.discount.created', discount);
  const invoice = addFirst(subscription, lines, call);
  if (invoice.total_discount_amounts?.length) spend(subscription, call);
  if (due === 0) {
    subscription.status = running(subscription, now);
    call.emit('customer.subscription.created', subscription);
    payInvoice(invoice, null, call);
  } else {
    const inTrial = subscription.trial_end !== null;
    subscription.status = inTrial ? settings.unpaidTrialStatus : 'incomplete';
    call.emit('customer.subscription.created', subscription);
    collectFirst(subscription, invoice, method, call);
  }
  return subscription;
}
