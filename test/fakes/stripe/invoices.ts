import type { Stripe } from 'stripe';
import type { Call } from './call.ts';
import { find, idOf } from './find.ts';
import { listOf, page } from './lists.ts';
import { text } from './params.ts';
import { newId, type StripeState } from './state.ts';
import { activate } from './subscription-status.ts';

type Context = Pick<Call, 'state' | 'now' | 'emit'>;

/** A finalized invoice over these lines, stored; `draft` is never seen from outside. */
export function addInvoice(
  subscription: Stripe.Subscription,
  lines: Stripe.InvoiceLineItem[],
  reason: Stripe.Invoice.BillingReason,
  { state, now, emit }: Context,
): Stripe.Invoice {
  const customer = state.customers[idOf(subscription.customer)];
  const total = lines.reduce((sum, { amount }) => sum + amount, 0);
  const id = newId('in');
  for (const line of lines) line.invoice = id;
  const invoice: Stripe.Invoice = {
    id,
    object: 'invoice',
    account_country: 'US',
    account_name: 'Funnel',
    account_tax_ids: null,
    amount_due: total,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: total,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: false,
    automatic_tax: {
      disabled_reason: null,
      enabled: false,
      liability: null,
      provider: null,
      status: null,
    },
    automatically_finalizes_at: null,
    billing_reason: reason,
    collection_method: 'charge_automatically',
    created: now,
    currency: subscription.currency,
    custom_fields: null,
    customer: idOf(subscription.customer),
    customer_account: null,
    customer_address: customer?.address ?? null,
    customer_email: customer?.email ?? null,
    customer_name: customer?.name ?? null,
    customer_phone: customer?.phone ?? null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    due_date: null,
    effective_at: now,
    ending_balance: 0,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: `https://invoice.stripe.com/i/acct_fake/${id}`,
    invoice_pdf: `https://pay.stripe.com/invoice/acct_fake/${id}/pdf`,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: listOf(lines, `/v1/invoices/${id}/lines`),
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number: `FAKE-${String(Object.keys(state.invoices).length + 1).padStart(4, '0')}`,
    on_behalf_of: null,
    parent: {
      quote_details: null,
      subscription_details: {
        metadata: { ...subscription.metadata },
        subscription: subscription.id,
      },
      type: 'subscription_details',
    },
    payment_settings: {
      default_mandate: null,
      payment_method_options: null,
      payment_method_types: null,
    },
    period_end: now,
    period_start: now,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: 0,
    statement_descriptor: null,
    status: 'open',
    status_transitions: {
      finalized_at: now,
      marked_uncollectible_at: null,
      paid_at: null,
      voided_at: null,
    },
    subtotal: total,
    subtotal_excluding_tax: total,
    test_clock: null,
    total,
    total_discount_amounts: [],
    total_excluding_tax: total,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: now,
  };
  state.invoices[id] = invoice;
  subscription.latest_invoice = id;
  emit('invoice.created', invoice);
  emit('invoice.finalized', invoice);
  return invoice;
}

/** The link between an invoice and its intent. https://docs.stripe.com/api/invoice-payment */
export function linkPayment(
  invoice: Stripe.Invoice,
  intent: Stripe.PaymentIntent,
  { state, now }: Context,
): void {
  const id = newId('inpay');
  state.invoice_payments[id] = {
    id,
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: invoice.amount_due,
    created: now,
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { payment_intent: intent.id, type: 'payment_intent' },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  };
}

/** The payments of one invoice. */
export const paymentsOf = (invoice: string, state: StripeState): Stripe.InvoicePayment[] =>
  Object.values(state.invoice_payments).filter((payment) => payment.invoice === invoice);

/** The invoice that an intent pays, if it pays one. */
export function invoiceOf(intent: Stripe.PaymentIntent, state: StripeState) {
  const link = Object.values(state.invoice_payments).find(
    ({ payment }) => payment.payment_intent === intent.id,
  );
  return link && state.invoices[idOf(link.invoice)];
}

/** Marks an invoice paid and lets its subscription begin. */
export function payInvoice(invoice: Stripe.Invoice, method: string | null, context: Context): void {
  const { state, now, emit } = context;
  invoice.status = 'paid';
  invoice.attempted = true;
  invoice.attempt_count += invoice.amount_due > 0 ? 1 : 0;
  invoice.amount_paid = invoice.amount_due;
  invoice.amount_remaining = 0;
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
  if (subscription) activate(subscription, method, context);
}

/** Notes a failed try at the invoice behind an intent. */
export function invoiceUnpaid(intent: Stripe.PaymentIntent, { state, emit }: Context): void {
  const invoice = invoiceOf(intent, state);
  if (!invoice) return;
  invoice.attempted = true;
  invoice.attempt_count += 1;
  emit('invoice.payment_failed', invoice);
}

/** GET /invoices/:id */
export const retrieveInvoice = ({ state, id }: Call) => find(state.invoices, 'invoice', id);

/** GET /invoices */
export const listInvoices = ({ state, params }: Call) =>
  page(state.invoices, '/v1/invoices', params, (invoice) => {
    const subscription = idOf(invoice.parent?.subscription_details?.subscription);
    const wanted = { customer: invoice.customer, status: invoice.status, subscription };
    return Object.entries(wanted).every(
      ([name, value]) => text(params, name) === undefined || text(params, name) === value,
    );
  });
