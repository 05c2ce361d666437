import type { Stripe } from 'stripe';
import { isCreatedWithin } from './balance.ts';
import type { Call } from './call.ts';
import { type Decline, TEST_CARDS } from './cards.ts';
import { fits, page } from './params.ts';
import { newId, nulls, type StripeState } from './state.ts';

const nullsOfIntent = [
  'allowed_payment_method_types application application_fee_amount automatic_payment_methods canceled_at',
  'cancellation_reason customer customer_account description excluded_payment_method_types last_payment_error',
  'latest_charge managed_payments next_action on_behalf_of payment_method',
  'payment_method_configuration_details payment_record processing receipt_email review setup_future_usage',
  'shipping source statement_descriptor statement_descriptor_suffix transfer_group',
] as const;

const nullsOfCharge = [
  'application application_fee application_fee_amount balance_transaction',
  'calculated_statement_descriptor description failure_balance_transaction on_behalf_of outcome',
  'receipt_email receipt_number receipt_url review shipping source source_transfer statement_descriptor',
  'statement_descriptor_suffix transfer_data transfer_group',
] as const;

/** A stored payment intent before any confirmation. */
export function addPaymentIntent(
  fields: Pick<Stripe.PaymentIntent, 'amount' | 'currency' | 'created'> &
    Partial<Stripe.PaymentIntent>,
  state: StripeState,
): Stripe.PaymentIntent {
  const id = newId('pi');
  const intent: Stripe.PaymentIntent = {
    id,
    object: 'payment_intent',
    amount_capturable: 0,
    amount_received: 0,
    capture_method: 'automatic_async',
    client_secret: newId(`${id}_secret`, 25),
    confirmation_method: 'automatic',
    livemode: false,
    metadata: {},
    payment_method_options: {},
    payment_method_types: ['card', 'link', 'sepa_debit', 'ideal', 'bancontact', 'paypal'],
    ...nulls(...nullsOfIntent),
    // https://docs.stripe.com/payments/paymentintents/lifecycle
    status: fields.payment_method ? 'requires_confirmation' : 'requires_payment_method',
    ...fields,
  };
  state.payment_intents[id] = intent;
  return intent;
}

/** A charge for the whole intent, stored: succeeded, failed with the issuer's decline, or a pending debit. */
export function addCharge(
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  { state, now, emit }: Pick<Call, 'state' | 'now' | 'emit'>,
  decline?: Decline,
  status: Stripe.Charge.Status = decline ? 'failed' : 'succeeded',
): Stripe.Charge {
  const paid = status === 'succeeded';
  const captured = status !== 'failed';
  const charge: Stripe.Charge = {
    id: newId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: captured ? intent.amount : 0,
    amount_refunded: 0,
    billing_details: method.billing_details,
    captured,
    created: now,
    currency: intent.currency,
    customer: intent.customer,
    disputed: false,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: { ...intent.metadata },
    paid,
    payment_intent: intent.id,
    payment_method: method.id,
    refunded: false,
    payment_method_details: { type: method.type },
    status,
    ...nulls(...nullsOfCharge),
  };
  state.charges[charge.id] = charge;
  intent.latest_charge = charge.id;
  emit(
    paid ? 'charge.succeeded' : status === 'failed' ? 'charge.failed' : 'charge.pending',
    charge,
  );
  return charge;
}

export const listCharges = ({ state, params }: Call) =>
  page(
    state.charges,
    '/v1/charges',
    params,
    ({ customer, payment_intent, created }) =>
      fits(params, { customer, payment_intent }) && isCreatedWithin(params, created),
  );

/** The test card behind a payment method. */
export function cardOf(method: Stripe.PaymentMethod, state: Call['state']) {
  const card = TEST_CARDS[state.cards[method.id] ?? ''];
  if (!card) throw new Error(`no test card behind ${method.id}`);
  return card;
}
