import type { Stripe } from 'stripe';
import { type Context, idOf } from './call.ts';
import { discountOf } from './discounts.ts';

import { listOf } from './params.ts';
import { newId, nulls } from './state.ts';
import { calculateInvoice, untaxed } from './tax.ts';

/** How long a renewal's invoice stays a draft. https://docs.stripe.com/billing/invoices/subscription */
const DRAFT_SECONDS = 3_600;

const nullsOfInvoice = [
  'account_tax_ids application automatically_finalizes_at custom_fields customer_account',
  'customer_address customer_name customer_phone customer_shipping customer_tax_exempt',
  'default_payment_method default_source description due_date effective_at ending_balance footer',
  'from_invoice hosted_invoice_url last_finalization_error latest_revision next_payment_attempt',
  'number on_behalf_of parent receipt_number rendering shipping_cost shipping_details',
  'statement_descriptor test_clock webhooks_delivered_at',
] as const;

/** An invoice over these lines, as a draft that is not stored. */
export function draftOf(
  subscription: Stripe.Subscription,
  lines: Stripe.InvoiceLineItem[],
  reason: Stripe.Invoice.BillingReason,
  id: string,
  { state, now }: Context,
): Stripe.Invoice {
  const customer = idOf(subscription.customer);
  const subtotal = lines.reduce((sum, { amount }) => sum + amount, 0);
  const discounts = lines.flatMap(({ discount_amounts }) => discount_amounts ?? []);
  const off = discounts.reduce((sum, { amount }) => sum + amount, 0);
  const total = subtotal - off;
  for (const line of lines) line.invoice = id;
  return {
    ...nulls(...nullsOfInvoice),
    id,
    object: 'invoice',
    account_country: 'US',
    account_name: 'Fake',
    amount_due: total,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: total,
    amount_shipping: 0,
    attempt_count: 0,
    attempted: false,
    auto_advance: false,
    automatic_tax: untaxed,
    billing_reason: reason,
    collection_method: 'charge_automatically',
    created: now,
    currency: subscription.currency,
    customer,
    customer_email: state.customers[customer]?.email ?? null,
    default_tax_rates: [],
    discounts: [...new Set(discounts.map(({ discount }) => idOf(discount)))],
    issuer: { type: 'self' },
    lines: listOf(lines, `/v1/invoices/${id}/lines`),
    livemode: false,
    metadata: {},
    parent: {
      quote_details: null,
      subscription_details: {
        metadata: { ...subscription.metadata },
        subscription: subscription.id,
      },
      type: 'subscription_details',
    },
    payment_settings: nulls('default_mandate payment_method_options payment_method_types'),
    period_end: now,
    period_start: now,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    starting_balance: 0,
    status: 'draft',
    status_transitions: nulls('finalized_at marked_uncollectible_at paid_at voided_at'),
    subtotal,
    subtotal_excluding_tax: subtotal,
    total,
    total_discount_amounts: discountOf(lines),
    total_excluding_tax: total,
    total_pretax_credit_amounts: [],
    total_taxes: [],
  };
}

/** A renewal bills in advance; its `period_*` are of the period that has just ended. */
function lastPeriod(subscription: Stripe.Subscription, { invoices }: Context['state']) {
  const before = invoices[idOf(subscription.latest_invoice)]?.lines.data.map(
    ({ period }) => period,
  );
  const start = Math.max(subscription.start_date, ...(before ?? []).map((one) => one.start));
  const end = Math.min(...subscription.items.data.map((item) => item.current_period_start));
  return { start, end };
}

/** From here on nothing can change, and the invoice can be paid. */
export function finalize(invoice: Stripe.Invoice, context: Context): void {
  const { now, emit } = context;
  calculateInvoice(invoice, context);
  invoice.status = 'open';
  invoice.effective_at = now;
  invoice.automatically_finalizes_at = null;
  invoice.status_transitions.finalized_at = now;
  invoice.hosted_invoice_url = `https://invoice.stripe.com/i/acct_fake/${invoice.id}`;
  emit('invoice.finalized', invoice);
}

/** An invoice of a subscription. A renewal's stays a draft for an hour; any other is finalized at once. */
export function addInvoice(
  subscription: Stripe.Subscription,
  lines: Stripe.InvoiceLineItem[],
  reason: 'subscription_cycle' | 'subscription_create' | 'subscription_update',
  context: Context,
): Stripe.Invoice {
  const { state, now, emit } = context;
  const invoice = draftOf(subscription, lines, reason, newId('in'), context);
  const isRenewal = reason === 'subscription_cycle';
  if (isRenewal) {
    const { start, end } = lastPeriod(subscription, state);
    Object.assign(invoice, { period_start: start, period_end: end, auto_advance: true });
    invoice.automatically_finalizes_at = now + DRAFT_SECONDS;
  }
  state.invoices[invoice.id] = invoice;
  subscription.latest_invoice = invoice.id;
  emit('invoice.created', invoice);
  if (!isRenewal) finalize(invoice, context);
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
