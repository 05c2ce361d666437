import type { Call } from './call.ts';
import { charge } from './charge-card.ts';
import { invalid, missing, Refused } from './errors.ts';
import { find, idOf } from './find.ts';
import { invoiceUnpaid } from './invoices.ts';
import { text } from './params.ts';
import { setUp } from './setup-intents.ts';

export type Outcome = 'authenticated' | 'failed';

/** https://docs.stripe.com/error-codes#payment-intent-authentication-failure */
const FAILED = {
  type: 'invalid_request_error' as const,
  message:
    'The provided PaymentMethod has failed authentication. You can provide payment_method_data or ' +
    'a new PaymentMethod to attempt to fulfill this PaymentIntent again.',
};

/** What the bank's page reports: passed, then the charge goes on; failed, then a new card is due. */
function answerPayment(id: string, outcome: Outcome, call: Call) {
  const { state } = call;
  const intent = find(state.payment_intents, 'payment_intent', id);
  if (intent.status !== 'requires_action') throw invalid(`${id} waits for no challenge.`);
  const method = find(state.payment_methods, 'PaymentMethod', idOf(intent.payment_method));
  if (outcome === 'authenticated') {
    try {
      charge(intent, method, { offSession: false, authenticated: true }, call);
    } catch (error) {
      // The page of the bank has no reader for a decline: it is read from the intent.
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

/** The same for a card that is only saved. */
function answerSetup(id: string, outcome: Outcome, call: Call) {
  const { state } = call;
  const intent = find(state.setup_intents, 'setup_intent', id);
  if (intent.status !== 'requires_action') throw invalid(`${id} waits for no challenge.`);
  const method = find(state.payment_methods, 'PaymentMethod', idOf(intent.payment_method));
  if (outcome === 'authenticated') {
    setUp(intent, method, true, call);
    return intent;
  }
  intent.status = 'requires_payment_method';
  intent.payment_method = null;
  intent.next_action = null;
  intent.last_setup_error = { ...FAILED, code: 'setup_intent_authentication_failure' };
  call.emit('setup_intent.setup_failed', intent);
  return intent;
}

/** POST /__challenge/:id, spoken only by the browser stand-in; not part of Stripe's interface. */
export function answerChallenge(call: Call) {
  const outcome = text(call.params, 'outcome');
  if (outcome !== 'authenticated' && outcome !== 'failed') {
    throw invalid('outcome must be authenticated or failed', undefined, 'outcome');
  }
  const intent = call.state.payment_intents[call.id] ?? call.state.setup_intents[call.id];
  if (!intent) throw missing('intent', call.id);
  if (call.browser && text(call.params, 'client_secret') !== intent.client_secret) {
    throw missing('intent', call.id);
  }
  return call.id.startsWith('seti_')
    ? answerSetup(call.id, outcome, call)
    : answerPayment(call.id, outcome, call);
}
