import type { Stripe } from 'stripe';
import type { Call } from './call.ts';
import { charge } from './charge-card.ts';
import { cardError, Refused } from './errors.ts';
import { find } from './find.ts';
import { addPaymentIntent } from './intent-objects.ts';
import { linkPayment } from './invoice-objects.ts';
import { flag } from './params.ts';
import { voidInvoice } from './voiding.ts';

/**
 * Collects the first invoice. `default_incomplete` leaves its intent to be confirmed;
 * `allow_incomplete` (the default) charges now and keeps the subscription `incomplete` where that
 * fails; `error_if_incomplete` answers 402. https://docs.stripe.com/api/subscriptions/create
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
