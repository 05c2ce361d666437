import type { Stripe } from 'stripe';
import { type Call, type Context, find, idOf, invalid, only } from './call.ts';
import { fits, flag, metadata, page } from './params.ts';
import { applyPending, applyResumption } from './prorations.ts';
import type { StripeState } from './state.ts';

/** The status of a subscription without debts: trialing or active. */
export const running = ({ trial_end }: Stripe.Subscription, now: number) =>
  trial_end !== null && trial_end > now ? 'trialing' : 'active';

/**
 * The invoice is paid: "Once the first invoice is paid, the subscription moves into an active
 * status" (in its trial: trialing). With save_default_payment_method=on_subscription "Stripe sets
 * subscription.default_payment_method when a subscription payment succeeds".
 * https://docs.stripe.com/api/subscriptions
 */
function activate(
  subscription: Stripe.Subscription,
  method: string | null,
  { now, emit }: Context,
): void {
  const saves = subscription.payment_settings?.save_default_payment_method === 'on_subscription';
  if (saves && method) subscription.default_payment_method = method;
  // A pause after a failed payment ends with it; a pause of a schedule does not.
  const isPaused = subscription.status === 'paused' && !subscription.schedule;
  const follows = ['incomplete', 'past_due', 'trialing', 'active'].includes(subscription.status);
  if (isPaused || follows) {
    subscription.status = running(subscription, now);
  }
  emit('customer.subscription.updated', subscription);
}

/** The payments of one invoice. */
export const paymentsOf = (invoice: string, state: StripeState): Stripe.InvoicePayment[] =>
  Object.values(state.invoice_payments).filter((payment) => payment.invoice === invoice);

/** The invoice paid by an intent, if any. */
export function invoiceOf(intent: Stripe.PaymentIntent, state: StripeState) {
  const link = Object.values(state.invoice_payments).find(
    ({ payment }) => payment.payment_intent === intent.id,
  );
  return link && state.invoices[idOf(link.invoice)];
}

/** Marks an invoice as paid and lets its subscription begin. */
export function payInvoice(invoice: Stripe.Invoice, method: string | null, context: Context): void {
  const { state, now, emit } = context;
  invoice.status = 'paid';
  invoice.attempted = true;
  invoice.attempt_count += invoice.amount_due > 0 ? 1 : 0;
  invoice.amount_paid = invoice.amount_due;
  invoice.amount_remaining = 0;
  invoice.auto_advance = false;
  invoice.next_payment_attempt = null;
  invoice.status_transitions.paid_at = now;
  for (const payment of paymentsOf(invoice.id, state)) {
    payment.status = 'paid';
    payment.amount_paid = payment.amount_requested;
    payment.status_transitions.paid_at = now;
  }
  emit('invoice.paid', invoice);
  emit('invoice.payment_succeeded', invoice);
  const of = idOf(invoice.parent?.subscription_details?.subscription);
  const subscription = state.subscriptions[of];
  if (!subscription) return;
  applyPending(subscription, invoice);
  applyResumption(subscription, invoice, context);
  activate(subscription, method, context);
}

/**
 * "Subscriptions transition to status=active when successfully confirming the payment intent on the first
 * invoice", also while a debit is processed. https://docs.stripe.com/api/subscriptions/create (payment_behavior)
 */
export function beginUnpaid(invoice: Stripe.Invoice, context: Context): void {
  invoice.next_payment_attempt = null;
  const of = idOf(invoice.parent?.subscription_details?.subscription);
  const subscription = context.state.subscriptions[of];
  if (subscription?.status === 'incomplete') activate(subscription, null, context);
}

/**
 * A debit that fails after its subscription became active: "past_due: payment on the latest finalized invoice
 * failed". https://docs.stripe.com/billing/subscriptions/overview
 */
export function failRenewal(invoice: Stripe.Invoice, { state, emit }: Context): void {
  const subscription =
    state.subscriptions[idOf(invoice.parent?.subscription_details?.subscription)];
  if (subscription?.status !== 'active' || invoice.status !== 'open') return;
  subscription.status = 'past_due';
  emit('customer.subscription.updated', subscription);
}

/** Records a failed payment of the invoice behind an intent; a renewal's is retried later. */
export function invoiceUnpaid(intent: Stripe.PaymentIntent, context: Context): void {
  const invoice = invoiceOf(intent, context.state);
  if (!invoice) return;
  countAttempt(invoice, context);
  context.emit('invoice.payment_failed', invoice);
}

/**
 * Days between a failed renewal and its next retry; after the last one the subscription is canceled. "The
 * recommended default is 8 tries within 2 weeks."
 * https://docs.stripe.com/billing/revenue-recovery/smart-retries
 */
const retryDays = [1, 1, 1, 2, 2, 2, 2, 3];

/** Counts an attempt to pay an invoice, and plans the next one if the schedule has one. */
export function countAttempt(invoice: Stripe.Invoice, { now }: Context): void {
  invoice.attempted = true;
  invoice.attempt_count += 1;
  if (!invoice.auto_advance) return;
  const days = retryDays[invoice.attempt_count - 1];
  invoice.next_payment_attempt = days === undefined ? null : now + days * 86_400;
}

export const retrieveInvoice = ({ state, id }: Call) => find(state.invoices, 'invoice', id);

/** POST /invoices/:id: whether a draft or an open invoice advances by itself. */
export function updateInvoice(call: Call): Stripe.Invoice {
  const { params, state, emit } = call;
  only(params, ['auto_advance', 'metadata'], 'invoices.update');
  const invoice = find(state.invoices, 'invoice', call.id);
  invoice.metadata = metadata(params, invoice.metadata ?? {});
  if (params.auto_advance !== undefined) {
    if (invoice.status !== 'draft' && invoice.status !== 'open') {
      throw invalid(`You can't set auto_advance on an invoice that is ${invoice.status}.`);
    }
    invoice.auto_advance = flag(params, 'auto_advance');
    if (!invoice.auto_advance) {
      invoice.automatically_finalizes_at = null;
      invoice.next_payment_attempt = null;
    }
  }
  emit('invoice.updated', invoice);
  return invoice;
}

export const listInvoices = ({ state, params }: Call) =>
  page(state.invoices, '/v1/invoices', params, ({ customer, status, parent }) => {
    const subscription = idOf(parent?.subscription_details?.subscription);
    return fits(params, { customer, status, subscription });
  });

/** Voids an open invoice: it can no longer be paid, and neither can its intents. */
export function voidInvoice(invoice: Stripe.Invoice, { state, now, emit }: Context): void {
  if (invoice.status !== 'open' && invoice.status !== 'uncollectible') return;
  invoice.status = 'void';
  invoice.auto_advance = false;
  invoice.next_payment_attempt = null;
  invoice.status_transitions.voided_at = now;
  for (const payment of paymentsOf(invoice.id, state)) {
    payment.status = 'canceled';
    payment.status_transitions.canceled_at = now;
    const intent = state.payment_intents[idOf(payment.payment.payment_intent)];
    if (!intent || intent.status === 'succeeded' || intent.status === 'canceled') continue;
    intent.status = 'canceled';
    intent.canceled_at = now;
    intent.cancellation_reason = 'void_invoice';
    intent.next_action = null;
    emit('payment_intent.canceled', intent);
  }
  emit('invoice.voided', invoice);
  const of = idOf(invoice.parent?.subscription_details?.subscription);
  const subscription = state.subscriptions[of];
  // "Voiding the invoice cancels the pending update": docs.stripe.com/billing/subscriptions/pending-updates.
  if (subscription && idOf(subscription.latest_invoice) === invoice.id)
    subscription.pending_update = null;
}

/**
 * POST /invoices/:id/void: "If the subscription is incomplete and you void the first invoice that's generated, the
 * subscription updates to incomplete_expired"; a running trial is unaffected. One that is past due for the invoice
 * no longer owes anything.
 * https://docs.stripe.com/billing/subscriptions/overview (voiding an invoice of a subscription)
 */
export function voidByCall(call: Call): Stripe.Invoice {
  const { state, now, emit } = call;
  const invoice = retrieveInvoice(call);
  if (invoice.status !== 'open' && invoice.status !== 'uncollectible') {
    throw invalid("You can only pass in open invoices. This invoice isn't open.");
  }
  const processing = paymentsOf(invoice.id, state).some(
    ({ payment }) => state.payment_intents[idOf(payment.payment_intent)]?.status === 'processing',
  );
  if (processing) throw invalid('This invoice has a payment that is processing.');
  voidInvoice(invoice, call);
  const of = idOf(invoice.parent?.subscription_details?.subscription);
  const subscription = state.subscriptions[of];
  const first = invoice.billing_reason === 'subscription_create';
  if (first && subscription?.status === 'incomplete') {
    subscription.status = 'incomplete_expired';
    subscription.ended_at = now;
    emit('customer.subscription.updated', subscription);
  }
  leaveDebt(subscription, invoice, call);
  return invoice;
}

/** Past due is about the latest invoice: once it is void or uncollectible, the subscription runs on. */
function leaveDebt(
  subscription: Stripe.Subscription | undefined,
  invoice: Stripe.Invoice,
  { emit }: Context,
): void {
  const isLatest = idOf(subscription?.latest_invoice) === invoice.id;
  if (!subscription || !isLatest || subscription.status !== 'past_due') return;
  subscription.status = 'active';
  emit('customer.subscription.updated', subscription);
}

/**
 * POST /invoices/:id/mark_uncollectible: nothing collects it by itself any more, but it can still be paid or voided.
 * https://docs.stripe.com/invoicing/overview#uncollectible
 */
export function markUncollectible(call: Call): Stripe.Invoice {
  const { state, now, emit } = call;
  const invoice = retrieveInvoice(call);
  if (invoice.status !== 'open')
    throw invalid(`You can't mark an invoice uncollectible that is ${invoice.status}.`);
  invoice.status = 'uncollectible';
  invoice.auto_advance = false;
  invoice.next_payment_attempt = null;
  invoice.status_transitions.marked_uncollectible_at = now;
  emit('invoice.marked_uncollectible', invoice);
  emit('invoice.updated', invoice);
  const of = idOf(invoice.parent?.subscription_details?.subscription);
  leaveDebt(state.subscriptions[of], invoice, call);
  return invoice;
}
