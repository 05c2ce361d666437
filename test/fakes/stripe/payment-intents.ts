import type { Stripe } from 'stripe';
import { minorDigits } from '../../../locales/format/currency.ts';
import { isCurrency, smallestCharge } from '../../../worker/catalog/rules/currencies.ts';
import { type Call, find, idOf, invalid, only, Refused } from './call.ts';
import { charge } from './charge-card.ts';
import { addPaymentIntent } from './charges.ts';
import { usable } from './customers.ts';
import {
  fits,
  flag,
  group,
  metadata,
  type Params,
  page,
  text,
  textOrNull,
  texts,
  whole,
} from './params.ts';
import { hooksOf } from './tax.ts';

const createFields = (
  'amount currency customer payment_method confirm off_session metadata description ' +
  'allowed_payment_method_types payment_method_types shipping automatic_payment_methods return_url hooks ' +
  'confirmation_method mandate_data'
).split(' ');
const confirmFields = (
  'payment_method payment_method_options payment_method_types off_session return_url ' +
  'use_stripe_sdk mandate_data client_secret'
).split(' ');

/** Error of an intent whose status does not allow the call. */
function unexpected(message: string, intent: Stripe.PaymentIntent): Refused {
  const error = invalid(message, 'payment_intent_unexpected_state');
  return new Refused(400, { ...error.body, payment_intent: structuredClone(intent) });
}

/** GET /payment_intents/:id; the browser must know the secret. */
export function retrievePaymentIntent({ state, id, browser, params }: Call): Stripe.PaymentIntent {
  const intent = find(state.payment_intents, 'payment_intent', id);
  if (browser && text(params, 'client_secret') !== intent.client_secret) {
    throw invalid(
      'The client_secret provided does not match any associated PaymentIntent on this account.',
      'resource_missing',
      'intent',
    );
  }
  return intent;
}

export const listPaymentIntents = ({ state, params }: Call) =>
  page(state.payment_intents, '/v1/payment_intents', params, ({ customer }) =>
    fits(params, { customer }),
  );

/** "By default, automatic_payment_methods is enabled", unless the call names types. */
function automatic(params: Params): Stripe.PaymentIntent.AutomaticPaymentMethods | null {
  if ((params.allowed_payment_method_types ?? params.payment_method_types) !== undefined)
    return null;
  const methodOptions = group(params, 'automatic_payment_methods');
  if (methodOptions.enabled === 'false') return null;
  return { enabled: true, allow_redirects: text(methodOptions, 'allow_redirects') ?? 'always' };
}

/** Without redirects: every method of the Dashboard that needs none, which here are these. */
function typesOf(params: Params, found: Stripe.PaymentIntent.AutomaticPaymentMethods | null) {
  const named = texts(params, 'allowed_payment_method_types');
  if (named.length > 0) return named;
  return found?.allow_redirects === 'never' ? ['card', 'link', 'sepa_debit'] : undefined;
}

/** POST /payment_intents, for a one-time charge; `confirm=true` charges at once. */
export function createPaymentIntent(call: Call): Stripe.PaymentIntent {
  const { params, state, now } = call;
  only(params, createFields, 'payment_intents.create');
  const customer = text(params, 'customer');
  if (customer) find(state.customers, 'customer', customer, 'customer');
  const amount = whole(params, 'amount', 0);
  const currency = text(params, 'currency')?.toUpperCase();
  if (!isCurrency(currency)) throw invalid(`Invalid currency: ${currency}`, undefined, 'currency');
  // https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts
  const least = smallestCharge(currency);
  if (amount < least) {
    throw invalid(`Amount must be at least ${least} ${currency}`, 'amount_too_small', 'amount');
  }
  // https://docs.stripe.com/currencies#three-decimal
  if (minorDigits(currency) === 3 && amount % 10 !== 0) {
    throw invalid('The amount must end in 0.', undefined, 'amount');
  }
  if (flag(params, 'off_session') && !flag(params, 'confirm')) {
    throw invalid('off_session is only valid when confirm=true.', undefined, 'off_session');
  }
  const requestedMethod = text(params, 'payment_method');
  const method = requestedMethod
    ? usable(requestedMethod, state, now, 'payment_method')
    : undefined;
  const automated = automatic(params);
  const confirmation = text(params, 'confirmation_method') === 'manual' ? 'manual' : 'automatic';
  const types = typesOf(params, automated);
  const intent = addPaymentIntent(
    {
      automatic_payment_methods: automated,
      confirmation_method: confirmation,
      ...(types && { payment_method_types: types }),
      amount,
      created: now,
      currency: (text(params, 'currency') ?? '').toLowerCase(),
      customer: customer ?? null,
      description: textOrNull(params, 'description'),
      hooks: hooksOf(call),
      metadata: metadata(params),
      payment_method: method?.id ?? null,
    },
    state,
  );
  call.emit('payment_intent.created', intent);
  return flag(params, 'confirm') ? confirm(intent, call) : intent;
}

function methodFor(intent: Stripe.PaymentIntent, call: Call): Stripe.PaymentMethod {
  const { params, state, now } = call;
  const requestedMethod = text(params, 'payment_method') ?? idOf(intent.payment_method);
  if (!requestedMethod) {
    throw unexpected(
      "You cannot confirm this PaymentIntent because it's missing a payment method.",
      intent,
    );
  }
  const method = usable(requestedMethod, state, now, 'payment_method');
  const owner = idOf(method.customer);
  if (owner && owner !== idOf(intent.customer)) {
    throw invalid(
      `The provided PaymentMethod (${method.id}) does not belong to the Customer of this PaymentIntent.`,
      'payment_method_customer_mismatch',
      'payment_method',
    );
  }
  return method;
}

/** A captured payment, or a debit being processed, can neither be confirmed nor cancelled. */
const closed = ({ status }: Stripe.PaymentIntent) =>
  ['succeeded', 'canceled', 'processing'].includes(status);

function confirm(intent: Stripe.PaymentIntent, call: Call): Stripe.PaymentIntent {
  const { params } = call;
  if (closed(intent)) {
    throw unexpected(
      `You cannot confirm this PaymentIntent because it has a status of ${intent.status}.`,
      intent,
    );
  }
  const redirects = intent.automatic_payment_methods?.allow_redirects === 'always';
  if (redirects && !text(params, 'return_url')) {
    // https://docs.stripe.com/api/payment_intents/confirm#confirm_payment_intent-return_url
    throw invalid(
      'This PaymentIntent is configured to accept payment methods enabled in your Dashboard. Because ' +
        'some of these payment methods might redirect your customer off of your page, you must ' +
        'provide a `return_url`.',
    );
  }
  const method = methodFor(intent, call);
  const offSession = flag(params, 'off_session') || params.off_session === 'recurring';
  const { request_three_d_secure: threeDSecure } = group(
    group(params, 'payment_method_options'),
    'card',
  );
  const requested = threeDSecure === 'any' || threeDSecure === 'challenge';
  const bank = {
    mandate: params.mandate_data !== undefined,
    returnUrl: text(params, 'return_url'),
  };
  const authenticated = call.state.authenticated[intent.id] === true;
  delete call.state.authenticated[intent.id];
  charge(intent, method, { offSession, authenticated, requested, ...bank }, call);
  return intent;
}

export function confirmPaymentIntent(call: Call): Stripe.PaymentIntent {
  only(call.params, confirmFields, 'payment_intents.confirm');
  const intent = retrievePaymentIntent(call);
  // github.com/stripe/stripe-php/issues/1109 quotes the message.
  if (call.browser && intent.confirmation_method === 'manual')
    throw invalid(
      `This PaymentIntent ${intent.id} cannot be confirmed using your publishable key because its ` +
        '`confirmation_method` is set to `manual`. Please use your secret key instead, or create a ' +
        'PaymentIntent with `confirmation_method` set to `automatic`.',
    );
  return confirm(intent, call);
}

export function cancelPaymentIntent(call: Call): Stripe.PaymentIntent {
  const intent = retrievePaymentIntent(call);
  if (closed(intent)) {
    throw unexpected(
      `You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`,
      intent,
    );
  }
  intent.status = 'canceled';
  intent.canceled_at = call.now;
  intent.cancellation_reason = textOrNull(call.params, 'cancellation_reason');
  intent.next_action = null;
  call.emit('payment_intent.canceled', intent);
  return intent;
}
