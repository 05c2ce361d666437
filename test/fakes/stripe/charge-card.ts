import type { Stripe } from 'stripe';
import { bankOf } from './banks.ts';
import {
  type Call,
  type Context,
  cardError,
  find,
  idOf,
  invalid,
  missing,
  Refused,
} from './call.ts';
import type { Decline } from './cards.ts';
import { type BankAttempt, chargeBank, returnFromBank } from './charge-bank.ts';
import { addCharge, cardOf } from './charges.ts';
import { attachTo, usedUp } from './customers.ts';
import { invoiceOf, invoiceUnpaid, payInvoice } from './invoices.ts';
import { text } from './params.ts';
import { approvePayPal, checkPayPal, isPayPal, payPalRedirect } from './paypal.ts';
import { openDispute } from './refunds-and-disputes.ts';
import { answerSetup } from './setup-intents.ts';

interface Attempt extends BankAttempt {
  /** Whether the payer is absent, so that a challenge is impossible. https://docs.stripe.com/payments/save-and-reuse */
  offSession: boolean;
  /** Whether the customer has just passed the challenge. */
  authenticated: boolean;
  /** Whether the merchant requests 3-D Secure, whatever the bank decides. */
  requested?: boolean;
}

/** https://docs.stripe.com/declines/codes: authentication_required */
const NOBODY_THERE: Decline = {
  code: 'authentication_required',
  decline_code: 'authentication_required',
  message:
    'Your card was declined. This transaction requires authentication. Please use a different ' +
    'card, or complete authentication.',
};

function needsChallenge(
  method: Stripe.PaymentMethod,
  attempt: Attempt,
  { state }: Context,
): boolean {
  if (attempt.authenticated) return false;
  if (isPayPal(method)) return !state.set_up[method.id];
  const { challenge } = cardOf(method, state);
  if (challenge === 'never') return false;
  if (challenge === 'when requested') return attempt.requested === true && !attempt.offSession;
  if (!attempt.offSession || challenge === 'always') return true;
  return challenge === 'until set up' && !state.set_up[method.id];
}

function refuse(
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  context: Context,
  decline: Decline,
): never {
  const charge = addCharge(intent, method, context, decline);
  // https://docs.stripe.com/payments/paymentintents/lifecycle: a declined intent goes back to
  // requires_payment_method, its method removed, and the reason stays in last_payment_error.
  intent.status = 'requires_payment_method';
  intent.payment_method = null;
  intent.next_action = null;
  intent.last_payment_error = {
    type: 'card_error',
    ...decline,
    charge: charge.id,
    payment_method: structuredClone(method),
  };
  context.emit('payment_intent.payment_failed', intent);
  invoiceUnpaid(intent, context);
  throw cardError({
    ...decline,
    charge: charge.id,
    payment_intent: structuredClone(intent),
    payment_method: structuredClone(method),
  });
}

function succeed(
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  context: Context,
  { authenticated }: Attempt,
): void {
  const { state, emit } = context;
  const customer = idOf(intent.customer);
  const paid = addCharge(intent, method, context);
  if (authenticated && isPayPal(method)) approvePayPal(method);
  intent.status = 'succeeded';
  intent.amount_received = intent.amount;
  intent.next_action = null;
  intent.last_payment_error = null;
  // https://docs.stripe.com/api/payment_intents: with setup_future_usage the method is attached to
  // the intent's customer once the payment succeeds.
  if (intent.setup_future_usage && customer) {
    if (!method.customer) {
      attachTo(method, customer, state);
      emit('payment_method.attached', method);
    }
    if (authenticated && intent.setup_future_usage === 'off_session')
      state.set_up[method.id] = true;
  } else if (!method.customer) {
    state.spent[method.id] = true;
  }
  emit('payment_intent.succeeded', intent);
  const invoice = invoiceOf(intent, state);
  if (invoice) payInvoice(invoice, method.id, context);
  const { disputes, inquires = false } = cardOf(method, state);
  if (disputes) openDispute(paid, disputes, context, inquires);
}

/**
 * One attempt to charge the intent: it ends `succeeded`, `requires_action`, or back in `requires_payment_method`
 * with a thrown 402 card_error that contains the intent.
 */
export function charge(
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  attempt: Attempt,
  context: Context,
): void {
  if (context.state.spent[method.id]) throw usedUp();
  // docs.stripe.com/api/payment_intents/object: "the list of payment method types that this intent can use".
  const { payment_method_types: allowed } = intent;
  if (allowed && !allowed.includes(method.type)) {
    throw invalid(
      `The PaymentMethod provided (${method.type}) is not allowed for this PaymentIntent.`,
      'payment_intent_incompatible_payment_method',
      'payment_method',
    );
  }
  if (bankOf(method, context.state)) {
    chargeBank(intent, method, attempt, context);
    return;
  }
  if (isPayPal(method) && !attempt.authenticated)
    checkPayPal(intent, method, attempt, context.state);
  intent.payment_method = method.id;
  const { decline } = cardOf(method, context.state);
  if (needsChallenge(method, attempt, context)) {
    if (attempt.offSession) refuse(intent, method, context, NOBODY_THERE);
    intent.status = 'requires_action';
    intent.next_action = isPayPal(method)
      ? payPalRedirect(intent, attempt.returnUrl ?? '')
      : {
          type: 'use_stripe_sdk',
          use_stripe_sdk: { type: 'three_d_secure_redirect', source: `src_${intent.id}` },
        };
    context.emit('payment_intent.requires_action', intent);
    const invoice = invoiceOf(intent, context.state);
    if (invoice) context.emit('invoice.payment_action_required', invoice);
    return;
  }
  if (decline) refuse(intent, method, context, decline);
  succeed(intent, method, context, attempt);
}

export type Outcome = 'authenticated' | 'failed';

/** https://docs.stripe.com/error-codes#payment-intent-authentication-failure */
const FAILED = {
  type: 'invalid_request_error' as const,
  message:
    'The provided PaymentMethod has failed authentication. You can provide payment_method_data or ' +
    'a new PaymentMethod to attempt to fulfill this PaymentIntent again.',
};

/** After `authenticated` the charge continues; after `failed` a new card is required. */
function answerPayment(id: string, outcome: Outcome, call: Call) {
  const { state } = call;
  const intent = find(state.payment_intents, 'payment_intent', id);
  if (intent.status !== 'requires_action') throw invalid(`${id} has no open challenge.`);
  const method = find(state.payment_methods, 'PaymentMethod', idOf(intent.payment_method));
  if (bankOf(method, state)) {
    returnFromBank(intent, outcome === 'authenticated', call);
    return intent;
  }
  if (outcome === 'authenticated' && intent.confirmation_method === 'manual') {
    // "The PaymentIntent returns to the requires_confirmation state after handling next_actions, and requires your
    // server to initiate each payment attempt with an explicit confirmation."
    // docs.stripe.com/api/payment_intents/object#payment_intent_object-confirmation_method
    state.authenticated[id] = true;
    intent.status = 'requires_confirmation';
    intent.next_action = null;
    return intent;
  }
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
  const setup = call.state.setup_intents[call.id];
  const intent = setup ?? call.state.payment_intents[call.id];
  if (!intent) throw missing('intent', call.id);
  if (call.browser && text(call.params, 'client_secret') !== intent.client_secret) {
    throw missing('intent', call.id);
  }
  if (setup) return answerSetup(setup, outcome, call);
  return answerPayment(call.id, outcome, call);
}
