import type { Stripe } from 'stripe';
import type { Call, Context } from './call.ts';
import { invalid } from './errors.ts';
import { idOf } from './find.ts';
import { paymentsOf, retrieveInvoice } from './invoices.ts';

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
}

/**
 * POST /invoices/:id/void: "If the subscription is incomplete and you void the first invoice that's
 * generated, the subscription updates to incomplete_expired"; a running trial is left alone. One that is past
 * due for the invoice owes nothing any more.
 * https://docs.stripe.com/billing/subscriptions/overview (voiding an invoice of a subscription)
 */
export function voidByCall(call: Call): Stripe.Invoice {
  const { state, now, emit } = call;
  const invoice = retrieveInvoice(call);
  if (invoice.status !== 'open' && invoice.status !== 'uncollectible') {
    throw invalid("You can only pass in open invoices. This invoice isn't open.");
  }
  voidInvoice(invoice, call);
  const of = idOf(invoice.parent?.subscription_details?.subscription);
  const subscription = state.subscriptions[of];
  const first = invoice.billing_reason === 'subscription_create';
  if (first && subscription?.status === 'incomplete') {
    subscription.status = 'incomplete_expired';
    subscription.ended_at = now;
    emit('customer.subscription.updated', subscription);
  }
  const latest = idOf(subscription?.latest_invoice) === invoice.id;
  if (latest && subscription?.status === 'past_due') {
    subscription.status = 'active';
    emit('customer.subscription.updated', subscription);
  }
  return invoice;
}
