import type { Stripe } from 'stripe';
import { type Call, type Context, cardError, find, idOf, invalid, only } from './call.ts';
import { TEST_CARDS } from './cards.ts';
import { attachTo, usable } from './customers.ts';
import { flag, group, metadata, text, textOrNull } from './params.ts';
import { newId, nulls } from './state.ts';

const createFields = (
  'customer payment_method usage confirm use_stripe_sdk automatic_payment_methods metadata ' +
  'payment_method_options description payment_method_types'
).split(' ');

const nullsOfSetup = [
  'allowed_payment_method_types application automatic_payment_methods cancellation_reason customer_account',
  'description excluded_payment_method_types last_setup_error latest_attempt managed_payments mandate',
  'next_action on_behalf_of payment_method_configuration_details single_use_mandate',
] as const;

/** GET /setup_intents/:id; the browser must know the secret. */
export function retrieveSetupIntent({ state, id, browser, params }: Call): Stripe.SetupIntent {
  const intent = find(state.setup_intents, 'setup_intent', id);
  if (browser && text(params, 'client_secret') !== intent.client_secret) {
    throw invalid('No such setupintent', 'resource_missing', 'intent');
  }
  return intent;
}

/** "4000000000000341: attaching this card to a Customer object succeeds": only charges are declined. */
const declineOf = (method: Stripe.PaymentMethod, { state }: Pick<Call, 'state'>) => {
  const card = TEST_CARDS[state.cards[method.id] ?? ''];
  return card?.decline && !card.attaches ? card.decline : undefined;
};

/**
 * After a decline the intent is in `requires_payment_method` again, with the reason in `last_setup_error`.
 * https://docs.stripe.com/payments/paymentintents/lifecycle (SetupIntents follow it)
 */
function finishSetup(
  intent: Stripe.SetupIntent,
  method: Stripe.PaymentMethod,
  context: Context,
): void {
  const { state, emit } = context;
  const decline = declineOf(method, context);
  intent.next_action = null;
  if (decline) {
    intent.status = 'requires_payment_method';
    intent.payment_method = null;
    intent.last_setup_error = {
      type: 'card_error',
      ...decline,
      payment_method: structuredClone(method),
    };
    emit('setup_intent.setup_failed', intent);
    throw cardError({ ...decline, payment_method: structuredClone(method) });
  }
  const customer = idOf(intent.customer);
  if (customer) {
    attachTo(method, customer, state);
    emit('payment_method.attached', method);
  }
  state.set_up[method.id] = true;
  intent.status = 'succeeded';
  emit('setup_intent.succeeded', intent);
}

/** The payment method of a call, which must not belong to another customer. */
function methodFrom({ params, state, now }: Call, customer: string | undefined) {
  const named = text(params, 'payment_method');
  const method = named ? usable(named, state, now, 'payment_method') : null;
  const owner = idOf(method?.customer);
  if (!owner || owner === customer) return method;
  throw invalid(
    'The provided PaymentMethod does not belong to the Customer.',
    undefined,
    'payment_method',
  );
}

/**
 * POST /setup_intents, with `confirm=true`: saves a card for payments without the payer. "If the SetupIntent
 * requires authentication, it transitions to requires_action". https://docs.stripe.com/api/setup_intents
 */
export function createSetupIntent(call: Call): Stripe.SetupIntent {
  const { params, state, now } = call;
  only(params, createFields, 'setup_intents.create');
  const customer = text(params, 'customer');
  if (customer) find(state.customers, 'customer', customer, 'customer');
  const method = methodFrom(call, customer);
  const id = newId('seti');
  const intent: Stripe.SetupIntent = {
    id,
    object: 'setup_intent',
    client_secret: `${id}_secret_${newId('x').slice(2)}`,
    created: now,
    livemode: false,
    metadata: metadata(params),
    payment_method_options: {},
    payment_method_types: ['card'],
    ...nulls(...nullsOfSetup),
    customer: customer ?? null,
    description: textOrNull(params, 'description'),
    payment_method: method?.id ?? null,
    status: method ? 'requires_confirmation' : 'requires_payment_method',
    usage: text(params, 'usage') ?? 'off_session',
  };
  state.setup_intents[id] = intent;
  call.emit('setup_intent.created', intent);
  if (!flag(params, 'confirm')) return intent;
  if (!method) throw invalid('This SetupIntent has no payment method.', 'parameter_missing');
  const { challenge } = TEST_CARDS[state.cards[method.id] ?? ''] ?? {};
  const { request_three_d_secure: threeDSecure } = group(
    group(params, 'payment_method_options'),
    'card',
  );
  const requested = threeDSecure === 'any' || threeDSecure === 'challenge';
  if (challenge === 'never' || (challenge === 'when requested' && !requested)) {
    finishSetup(intent, method, call);
    return intent;
  }
  intent.status = 'requires_action';
  intent.next_action = {
    type: 'use_stripe_sdk',
    use_stripe_sdk: { type: 'three_d_secure_redirect', source: `src_${id}` },
  };
  call.emit('setup_intent.requires_action', intent);
  return intent;
}

/** The payer's response to the challenge. https://docs.stripe.com/error-codes#setup-intent-authentication-failure */
export function answerSetup(intent: Stripe.SetupIntent, outcome: string, call: Call) {
  if (intent.status !== 'requires_action') throw invalid(`${intent.id} has no open challenge.`);
  const method = find(call.state.payment_methods, 'PaymentMethod', idOf(intent.payment_method));
  if (outcome === 'authenticated') {
    try {
      finishSetup(intent, method, call);
    } catch {
      // Stripe.js reads a decline from the intent.
    }
    return intent;
  }
  intent.status = 'requires_payment_method';
  intent.payment_method = null;
  intent.next_action = null;
  intent.last_setup_error = {
    type: 'invalid_request_error',
    code: 'setup_intent_authentication_failure',
    message:
      'The latest attempt to set up the payment method has failed because authentication failed.',
    payment_method: structuredClone(method),
  };
  call.emit('setup_intent.setup_failed', intent);
  return intent;
}
