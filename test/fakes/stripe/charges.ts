import type { Stripe } from 'stripe';
import { isCreatedWithin } from './balance.ts';
import type { Call } from './call.ts';
import { type Decline, TEST_CARDS } from './cards.ts';
import { fits, page } from './params.ts';
import { newId, type StripeState } from './state.ts';

/** A stored payment intent before any confirmation. */
export function addPaymentIntent(
  fields: Pick<Stripe.PaymentIntent, 'amount' | 'currency' | 'created'> &
    Partial<Stripe.PaymentIntent>,
  state: StripeState,
): Stripe.PaymentIntent {
  const id = newId('pi');
  const intent = {
    id,
    object: 'payment_intent',
    amount_received: 0,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    client_secret: newId(`${id}_secret`, 25),
    customer: null,
    description: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    metadata: {},
    next_action: null,
    payment_method: null,
    setup_future_usage: null,
    // https://docs.stripe.com/payments/paymentintents/lifecycle
    status: fields.payment_method ? 'requires_confirmation' : 'requires_payment_method',
    ...fields,
  } as Stripe.PaymentIntent;
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
  const charge = {
    id: newId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: captured ? intent.amount : 0,
    amount_refunded: 0,
    captured,
    created: now,
    currency: intent.currency,
    customer: intent.customer,
    disputed: false,
    failure_code: decline?.code ?? null,
    livemode: false,
    metadata: { ...intent.metadata },
    paid,
    payment_intent: intent.id,
    payment_method: method.id,
    refunded: false,
    payment_method_details: { type: method.type },
    status,
  } as Stripe.Charge;
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
