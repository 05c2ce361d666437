import type { Stripe } from 'stripe';
import { type Call, only } from './call.ts';
import { charge } from './charging.ts';
import { cardError, invalid, Refused } from './errors.ts';
import { find, idOf } from './find.ts';
import { addPaymentIntent, addSetupIntent } from './intent-objects.ts';
import { addInvoice, linkPayment, payInvoice } from './invoices.ts';
import { listOf } from './lists.ts';
import { flag, group, groups, metadata, text, textOrNull, texts, whole } from './params.ts';
import { setUp } from './setup-intents.ts';
import { newId } from './state.ts';
import { buildItems, firstLines } from './subscription-items.ts';
import { running } from './subscription-status.ts';
import { voidInvoice } from './voiding.ts';

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
    cancel_at: null,
    cancel_at_period_end: flag(params, 'cancel_at_period_end'),
    canceled_at: null,
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

/** "You can use this SetupIntent to collect user authentication when creating a subscription
 * without immediate payment." https://docs.stripe.com/api/subscriptions/object */
function prepareCard(subscription: Stripe.Subscription, method: string | null, call: Call): void {
  const { state, now, params } = call;
  const intent = addSetupIntent(
    { created: now, customer: subscription.customer, payment_method: method },
    state,
  );
  subscription.pending_setup_intent = intent.id;
  call.emit('setup_intent.created', intent);
  if (method === null || params.payment_behavior === 'default_incomplete') return;
  setUp(intent, find(state.payment_methods, 'PaymentMethod', method), false, call);
}

/**
 * The first invoice asks for money. `default_incomplete` leaves its intent to be confirmed;
 * `allow_incomplete` (the default) charges now and keeps the subscription `incomplete` where that
 * fails; `error_if_incomplete` answers 402. https://docs.stripe.com/api/subscriptions/create
 */
function collect(
  subscription: Stripe.Subscription,
  invoice: Stripe.Invoice,
  method: string | null,
  call: Call,
): void {
  const { state, now, params } = call;
  const intent = addPaymentIntent(
    {
      amount: invoice.amount_due,
      created: now,
      currency: invoice.currency,
      customer: subscription.customer,
      description: 'Subscription creation',
      payment_method: method,
      setup_future_usage: 'off_session',
    },
    state,
  );
  linkPayment(invoice, intent, call);
  call.emit('payment_intent.created', intent);
  if (method === null || params.payment_behavior === 'default_incomplete') return;
  const offSession = flag(params, 'off_session');
  const card = find(state.payment_methods, 'PaymentMethod', method);
  const strict = params.payment_behavior === 'error_if_incomplete';
  try {
    charge(intent, card, { offSession, authenticated: false }, call);
    if (strict && intent.status === 'requires_action') throw mustAsk();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (!strict) return;
    voidInvoice(invoice, call);
    delete state.invoices[invoice.id];
    delete state.subscriptions[subscription.id];
    throw error;
  }
}

/** https://docs.stripe.com/error-codes#subscription-payment-intent-requires-action */
const mustAsk = () =>
  cardError({
    code: 'subscription_payment_intent_requires_action',
    message:
      'Payment for this subscription requires additional user action before it can be completed ' +
      'successfully. Payment can be completed using the PaymentIntent associated with ' +
      '`subscription.latest_invoice`.',
  });

/** POST /subscriptions */
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
  const due = lines.reduce((sum, { amount }) => sum + amount, 0);
  const waits = params.payment_behavior === 'default_incomplete';
  if (due > 0 && method === null && !waits) {
    throw invalid(
      'This customer has no attached payment source or default payment method. Please consider ' +
        'adding a default payment method.',
      'resource_missing',
    );
  }
  state.subscriptions[subscription.id] = subscription;
  const invoice = addInvoice(subscription, lines, 'subscription_create', call);
  if (due === 0) {
    subscription.status = running(subscription, now);
    call.emit('customer.subscription.created', subscription);
    payInvoice(invoice, null, call);
    prepareCard(subscription, method, call);
  } else {
    const inTrial = subscription.trial_end !== null;
    subscription.status = inTrial ? settings.unpaidTrialStatus : 'incomplete';
    call.emit('customer.subscription.created', subscription);
    collect(subscription, invoice, method, call);
  }
  return subscription;
}
