import type { Stripe } from 'stripe';
import type { Call, Context } from './call.ts';
import { cardOf } from './charges.ts';
import { cardError, invalid } from './errors.ts';
import { find, idOf } from './find.ts';
import { text } from './params.ts';
import { attachTo, usable } from './payment-methods.ts';

/** GET /setup_intents/:id; the browser must know the secret. */
export function retrieveSetupIntent({ state, id, browser, params }: Call): Stripe.SetupIntent {
  const intent = find(state.setup_intents, 'setup_intent', id);
  if (browser && text(params, 'client_secret') !== intent.client_secret) {
    throw invalid('No such setup_intent for this client_secret.', 'resource_missing', 'intent');
  }
  return intent;
}

/** The card is saved: attached to the customer and, where asked, made the subscription's own. */
function saved(intent: Stripe.SetupIntent, method: Stripe.PaymentMethod, context: Context): void {
  const { state, emit } = context;
  attachTo(method, idOf(intent.customer), state);
  state.set_up[method.id] = true;
  intent.status = 'succeeded';
  intent.next_action = null;
  intent.last_setup_error = null;
  emit('setup_intent.succeeded', intent);
  for (const subscription of Object.values(state.subscriptions)) {
    if (subscription.pending_setup_intent !== intent.id) continue;
    subscription.pending_setup_intent = null;
    if (subscription.payment_settings?.save_default_payment_method === 'on_subscription') {
      subscription.default_payment_method = method.id;
    }
    emit('customer.subscription.updated', subscription);
  }
}

/** One try at saving the card; mirrors `charge` without money. */
export function setUp(
  intent: Stripe.SetupIntent,
  method: Stripe.PaymentMethod,
  authenticated: boolean,
  context: Context,
): void {
  const card = cardOf(method, context.state);
  intent.payment_method = method.id;
  if (card.challenge !== 'never' && card.challenge !== 'on session' && !authenticated) {
    intent.status = 'requires_action';
    intent.next_action = { type: 'use_stripe_sdk', use_stripe_sdk: {} };
    context.emit('setup_intent.requires_action', intent);
    return;
  }
  if (card.decline && !card.attaches) {
    intent.status = 'requires_payment_method';
    intent.payment_method = null;
    intent.last_setup_error = { type: 'card_error', ...card.decline };
    context.emit('setup_intent.setup_failed', intent);
    throw cardError({ ...card.decline, setup_intent: structuredClone(intent) });
  }
  saved(intent, method, context);
}

/** POST /setup_intents/:id/confirm */
export function confirmSetupIntent(call: Call): Stripe.SetupIntent {
  const { params, state, now } = call;
  const intent = retrieveSetupIntent(call);
  if (intent.status === 'succeeded' || intent.status === 'canceled') {
    throw invalid(
      `You cannot confirm this SetupIntent because it has a status of ${intent.status}.`,
      'setup_intent_unexpected_state',
    );
  }
  const asked = text(params, 'payment_method') ?? idOf(intent.payment_method);
  if (!asked) {
    throw invalid(
      "You cannot confirm this SetupIntent because it's missing a payment method.",
      'setup_intent_unexpected_state',
    );
  }
  setUp(intent, usable(asked, state, now, 'payment_method'), false, call);
  return intent;
}
