import type { Stripe } from 'stripe';
import { type Call, type Context, cardError, find, idOf, invalid, only, Refused } from './call.ts';
import { charge } from './charge-card.ts';
import { addPaymentIntent } from './charges.ts';
import { endSubscription } from './clock.ts';
import { usable } from './customers.ts';
import { finalize, linkPayment } from './invoice-objects.ts';
import { countAttempt, invoiceUnpaid, payInvoice, paymentsOf } from './invoices.ts';
import { flag, text } from './params.ts';

/** The subscription's own types; else the Dashboard's, which here are cards. */
function typesOf({ payment_settings }: Stripe.Subscription): string[] {
  const named = payment_settings?.payment_method_types ?? [];
  return named.length > 0 ? named : ['card'];
}

/**
 * Collects the first invoice. `default_incomplete` leaves its intent to be confirmed; `allow_incomplete` (the
 * default) charges now and keeps the subscription `incomplete` if that fails.
 * https://docs.stripe.com/api/subscriptions/create
 */
export function collectFirst(
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
      payment_method_types: typesOf(subscription),
      setup_future_usage: 'off_session',
    },
    state,
  );
  linkPayment(invoice, intent, call);
  call.emit('payment_intent.created', intent);
  if (method === null || params.payment_behavior === 'default_incomplete') return;
  const offSession = flag(params, 'off_session');
  const card = find(state.payment_methods, 'PaymentMethod', method);
  try {
    charge(intent, card, { offSession, authenticated: false }, call);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
}

/**
 * After these declines a card is not charged again: "retries continue to be scheduled", but are executed only with
 * another payment method.
 * https://docs.stripe.com/billing/revenue-recovery/smart-retries#non-retryable-decline-codes
 */
const hardDeclines = new Set(
  (
    'authentication_required highest_risk_level incorrect_number lost_card pickup_card ' +
    'revocation_of_all_authorizations revocation_of_authorization stolen_card transaction_not_allowed'
  ).split(' '),
);

/** The payment method for a renewal: the subscription's own, else the customer's. */
export function methodOf(subscription: Stripe.Subscription, { state }: Context) {
  const customer = state.customers[idOf(subscription.customer)];
  const named =
    idOf(subscription.default_payment_method) ||
    idOf(customer?.invoice_settings.default_payment_method);
  return state.payment_methods[named];
}

/** The single intent of a renewal's invoice: created at the first try and reused by the retries. */
function intentOf(
  invoice: Stripe.Invoice,
  subscription: Stripe.Subscription,
  context: Context,
): Stripe.PaymentIntent {
  const { state, now, emit } = context;
  const existing = idOf(paymentsOf(invoice.id, state)[0]?.payment.payment_intent);
  const known = state.payment_intents[existing];
  if (known) return known;
  const intent = addPaymentIntent(
    {
      amount: invoice.amount_due,
      created: now,
      currency: invoice.currency,
      customer: invoice.customer,
      description: 'Subscription update',
      payment_method: null,
      payment_method_types: typesOf(subscription),
    },
    state,
  );
  linkPayment(invoice, intent, context);
  emit('payment_intent.created', intent);
  return intent;
}

/** Whether the bank has refused this method for good. */
function isRefusedForGood(intent: Stripe.PaymentIntent, method: Stripe.PaymentMethod): boolean {
  const { decline_code, payment_method } = intent.last_payment_error ?? {};
  return hardDeclines.has(decline_code ?? '') && payment_method?.id === method.id;
}

function attempt(
  invoice: Stripe.Invoice,
  subscription: Stripe.Subscription,
  context: Context,
): void {
  const intent = intentOf(invoice, subscription, context);
  const method = methodOf(subscription, context);
  if (!method) {
    invoiceUnpaid(intent, context);
    return;
  }
  if (isRefusedForGood(intent, method)) {
    countAttempt(invoice, context);
    context.emit('invoice.updated', invoice);
    return;
  }
  try {
    charge(intent, method, { offSession: true, authenticated: false }, context);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.body.code !== 'authentication_required') return;
    context.emit('invoice.payment_action_required', invoice);
  }
}

/** One attempt to collect a renewal; a failed one is past due, and after the last one the subscription ends. */
export function collect(
  invoice: Stripe.Invoice,
  subscription: Stripe.Subscription,
  context: Context,
): void {
  attempt(invoice, subscription, context);
  if (invoice.status !== 'open') return;
  const intent = paymentsOf(invoice.id, context.state)[0]?.payment.payment_intent;
  if (context.state.payment_intents[idOf(intent)]?.status === 'processing') return;
  if (subscription.status === 'active') {
    subscription.status = context.settings.afterFailure;
    context.emit('customer.subscription.updated', subscription);
  }
  if (invoice.next_payment_attempt === null && context.settings.afterRetries === 'unpaid') {
    subscription.status = 'unpaid';
    context.emit('customer.subscription.updated', subscription);
  } else if (invoice.next_payment_attempt === null) {
    endSubscription(subscription, 'payment_failed', context);
  }
}

/** The draft's hour has ended. */
export function closeDraft(
  invoice: Stripe.Invoice,
  subscription: Stripe.Subscription,
  context: Context,
): void {
  finalize(invoice, context);
  if (invoice.amount_due === 0) payInvoice(invoice, null, context);
  else collect(invoice, subscription, context);
}

/**
 * POST /invoices/:id/pay: "attempt payment on an invoice out of the normal collection schedule", off session
 * unless `off_session=false`. A payment that needs the payer is refused with
 * `invoice_payment_intent_requires_action`, its intent in `requires_action`; a paid invoice is refused.
 * https://docs.stripe.com/api/invoices/pay, https://docs.stripe.com/error-codes
 */
export function payByCall(call: Call): Stripe.Invoice {
  const { params, state, now } = call;
  only(params, ['payment_method', 'off_session'], 'invoices.pay');
  const invoice = find(state.invoices, 'invoice', call.id);
  if (invoice.status === 'paid') throw invalid('Invoice is already paid');
  if (invoice.status === 'draft') finalize(invoice, call);
  if (invoice.status !== 'open' && invoice.status !== 'uncollectible')
    throw invalid(`You can't pay an invoice that is ${invoice.status}.`);
  const of = idOf(invoice.parent?.subscription_details?.subscription);
  const subscription = find(state.subscriptions, 'subscription', of);
  const requestedMethod = text(params, 'payment_method');
  const method = requestedMethod
    ? usable(requestedMethod, state, now, 'payment_method')
    : methodOf(subscription, call);
  if (!method || idOf(method.customer) !== idOf(invoice.customer)) {
    throw invalid('The PaymentMethod must belong to the customer.', undefined, 'payment_method');
  }
  const intent = intentOf(invoice, subscription, call);
  try {
    const offSession = params.off_session !== 'false';
    charge(intent, method, { offSession, authenticated: false }, call);
  } catch (error) {
    if (error instanceof Refused && error.body.code === 'authentication_required')
      call.emit('invoice.payment_action_required', invoice);
    throw error;
  }
  if (intent.status === 'requires_action') {
    throw cardError({
      code: 'invoice_payment_intent_requires_action',
      message:
        'This payment requires additional user action before it can be completed successfully. ' +
        'Payment can be completed using the PaymentIntent associated with the invoice.',
    });
  }
  return invoice;
}
