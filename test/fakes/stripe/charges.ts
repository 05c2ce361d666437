import type { Stripe } from 'stripe';
import type { Call } from './call.ts';
import { type Decline, TEST_CARDS } from './cards.ts';
import { page } from './lists.ts';
import { text } from './params.ts';
import { newId } from './state.ts';

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

/** GET /charges */
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
