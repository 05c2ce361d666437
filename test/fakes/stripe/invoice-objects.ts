import type { Stripe } from 'stripe';
import { type Context, idOf } from './call.ts';
import { discountOf } from './discounts.ts';

import { listOf } from './params.ts';
import { newId } from './state.ts';
import { calculateInvoice, untaxed } from './tax.ts';

/** How long a renewal's invoice stays a draft. https://docs.stripe.com/billing/invoices/subscription */
const DRAFT_SECONDS = 3_600;

/** An invoice over these lines, stored as a draft; a renewal's finalizes itself an hour later. */
function addDraft(
  subscription: Stripe.Subscription,
  lines: Stripe.InvoiceLineItem[],
  reason: Stripe.Invoice.BillingReason,
  { state, now }: Context,
): Stripe.Invoice {
  const subtotal = lines.reduce((sum, { amount }) => sum + amount, 0);
  const discounts = lines.flatMap(({ discount_amounts }) => discount_amounts ?? []);
  const off = discounts.reduce((sum, { amount }) => sum + amount, 0);
  const total = subtotal - off;
  const renewal = reason === 'subscription_cycle';
  const period = renewal ? lastPeriod(subscription, state) : { start: now, end: now };
  const id = newId('in');
  for (const line of lines) line.invoice = id;
  const invoice = {
    id,
    object: 'invoice',
    amount_due: total,
    amount_paid: 0,
    amount_remaining: total,
    attempt_count: 0,
    attempted: false,
    auto_advance: renewal,
    automatic_tax: untaxed,
    automatically_finalizes_at: renewal ? now + DRAFT_SECONDS : null,
    billing_reason: reason,
    collection_method: 'charge_automatically',
    created: now,
    currency: subscription.currency,
    customer: idOf(subscription.customer),
    discounts: [...new Set(discounts.map(({ discount }) => idOf(discount)))],
    hosted_invoice_url: null,
    lines: listOf(lines, `/v1/invoices/${id}/lines`),
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    parent: {
      subscription_details: {
        metadata: { ...subscription.metadata },
        subscription: subscription.id,
      },
      type: 'subscription_details',
    },
    period_end: period.end,
    period_start: period.start,
    status: 'draft',
    status_transitions: {
      finalized_at: null,
      marked_uncollectible_at: null,
      paid_at: null,
      voided_at: null,
    },
    subtotal,
    total,
    total_discount_amounts: discountOf(lines),
    total_taxes: [],
  } as unknown as Stripe.Invoice;
  state.invoices[id] = invoice;
  subscription.latest_invoice = id;
  return invoice;
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
  const invoice = addDraft(subscription, lines, reason, context);
  context.emit('invoice.created', invoice);
  if (reason !== 'subscription_cycle') finalize(invoice, context);
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
