import type { Stripe } from 'stripe';
import { newId, type StripeState } from './state.ts';

const secret = (id: string) => newId(`${id}_secret`, 25);

/** A stored payment intent that nobody has confirmed yet. */
export function addPaymentIntent(
  fields: Pick<Stripe.PaymentIntent, 'amount' | 'currency' | 'created'> &
    Partial<Stripe.PaymentIntent>,
  state: StripeState,
): Stripe.PaymentIntent {
  const id = newId('pi');
  const intent: Stripe.PaymentIntent = {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: secret(id),
    confirmation_method: 'automatic',
    customer: null,
    customer_account: null,
    description: null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    // https://docs.stripe.com/payments/paymentintents/lifecycle
    status: fields.payment_method ? 'requires_confirmation' : 'requires_payment_method',
    transfer_data: null,
    transfer_group: null,
    ...fields,
  };
  state.payment_intents[id] = intent;
  return intent;
}
