import type { Stripe } from 'stripe';
import type { Call } from './call.ts';
import { type Decline, TEST_CARDS } from './cards.ts';
import { page, text } from './params.ts';
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

/** A charge for the whole intent, stored: succeeded, or failed with the issuer's decline. */
export function addCharge(
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  { state, now, emit }: Pick<Call, 'state' | 'now' | 'emit'>,
  decline?: Decline,
): Stripe.Charge {
  const paid = decline === undefined;
  const charge: Stripe.Charge = {
    id: newId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: paid ? intent.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: paid ? newId('txn') : null,
    billing_details: method.billing_details,
    calculated_statement_descriptor: 'FUNNEL',
    captured: paid,
    created: now,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: { ...intent.metadata },
    on_behalf_of: null,
    outcome: {
      advice_code: decline?.advice_code ?? null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: paid ? 'approved_by_network' : 'declined_by_network',
      reason: decline?.decline_code ?? null,
      risk_level: 'normal',
      seller_message: paid ? 'Payment complete.' : 'The bank did not return any further details.',
      type: paid ? 'authorized' : 'issuer_declined',
    },
    paid,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: {
      type: method.type,
    },
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: paid ? 'succeeded' : 'failed',
    transfer_data: null,
    transfer_group: null,
  };
  state.charges[charge.id] = charge;
  intent.latest_charge = charge.id;
  emit(paid ? 'charge.succeeded' : 'charge.failed', charge);
  return charge;
}

export const listCharges = ({ state, params }: Call) =>
  page(state.charges, '/v1/charges', params, ({ customer, payment_intent }) => {
    const buyer = text(params, 'customer');
    const intent = text(params, 'payment_intent');
    return (!buyer || buyer === customer) && (!intent || intent === payment_intent);
  });

/** The test card behind a payment method. */
export function cardOf(method: Stripe.PaymentMethod, state: Call['state']) {
  const card = TEST_CARDS[state.cards[method.id] ?? ''];
  if (!card) throw new Error(`no test card behind ${method.id}`);
  return card;
}
