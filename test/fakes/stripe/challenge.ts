import type { Call } from './call.ts';
import { charge } from './charge-card.ts';
import { invalid, missing, Refused } from './errors.ts';
import { find, idOf } from './find.ts';
import { invoiceUnpaid } from './invoices.ts';
import { text } from './params.ts';

export type Outcome = 'authenticated' | 'failed';

/** https://docs.stripe.com/error-codes#payment-intent-authentication-failure */
const FAILED = {
  type: 'invalid_request_error' as const,
  message:
    'The provided PaymentMethod has failed authentication. You can provide payment_method_data or ' +
    'a new PaymentMethod to attempt to fulfill this PaymentIntent again.',
};

/** After `authenticated` the charge goes on; after `failed` a new card is due. */
function answerPayment(id: string, outcome: Outcome, call: Call) {
  const { state } = call;
  const intent = find(state.payment_intents, 'payment_intent', id);
  if (intent.status !== 'requires_action') throw invalid(`${id} has no open challenge.`);
  const method = find(state.payment_methods, 'PaymentMethod', idOf(intent.payment_method));
  if (outcome === 'authenticated') {
    try {
      charge(intent, method, { offSession: false, authenticated: true }, call);
    } catch (error) {
      // Stripe.js reads a decline from the intent.
      if (!(error instanceof Refused)) throw error;
    }
    return intent;
  }
  intent.status = 'requires_payment_method';
  intent.payment_method = null;
  intent.next_action = null;
  intent.last_payment_error = {
    ...FAILED,
    code: 'payment_intent_authentication_failure',
    payment_method: structuredClone(method),
  };
  call.emit('payment_intent.payment_failed', intent);
  invoiceUnpaid(intent, call);
  return intent;
}

/** POST /__challenge/:id, for the fake Stripe.js only; not part of Stripe's API. */
export function answerChallenge(call: Call) {
  const outcome = text(call.params, 'outcome');
  if (outcome !== 'authenticated' && outcome !== 'failed') {
    throw invalid('outcome must be authenticated or failed', undefined, 'outcome');
  }
  const intent = call.state.payment_intents[call.id];
  if (!intent) throw missing('intent', call.id);
  if (call.browser && text(call.params, 'client_secret') !== intent.client_secret) {
    throw missing('intent', call.id);
  }
  return answerPayment(call.id, outcome, call);
}
