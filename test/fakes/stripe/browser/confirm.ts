import type { PaymentIntent, PaymentMethod, StripeError } from '@stripe/stripe-js';
import { type Answer, request } from './api.ts';
import { showChallenge } from './challenge-dialog.ts';
import { FieldElement } from './field-element.ts';
import type { Origins } from './script-origin.ts';

export type Confirmed =
  | { intent: PaymentIntent; error?: undefined }
  | { intent?: undefined; error: StripeError };

/** https://docs.stripe.com/js/payment_intents/confirm_card_payment */
const NOT_YOU = {
  type: 'invalid_request_error',
  message:
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
} as const;

/** A card element, or the id of a payment method. */
export interface CardData {
  payment_method?: string | { card: unknown; billing_details?: object };
}

/** Confirms payment intents by their client secret. */
export function confirmer(key: string, place: Origins) {
  const path = (secret: string) => `/payment_intents/${secret.split('_secret_')[0] ?? ''}`;
  const call = (method: 'GET' | 'POST', to: string, params: object): Promise<Answer> =>
    request(place.api, key, method, to, params);

  async function retrieve(secret: string): Promise<Confirmed> {
    const answer = await call('GET', path(secret), { client_secret: secret });
    return answer.error ? { error: answer.error } : { intent: answer.object as PaymentIntent };
  }

  async function act(intent: PaymentIntent, secret: string): Promise<Confirmed> {
    if (intent.status !== 'requires_action') return { intent };
    await showChallenge(place, { intent: intent.id, secret, key });
    const after = await retrieve(secret);
    if (after.error || !after.intent.status.startsWith('requires_')) return after;
    const found = after.intent.last_payment_error;
    const failed = found?.code?.endsWith('_authentication_failure') ?? true;
    const code = 'payment_intent_authentication_failure';
    const error = failed ? { ...NOT_YOU, code } : (found as StripeError);
    return { error: { ...error, payment_intent: after.intent } };
  }

  async function methodOf({
    payment_method: given,
  }: CardData): Promise<string | StripeError | undefined> {
    if (given === undefined || typeof given === 'string') return given;
    if (!(given.card instanceof FieldElement)) throw new Error('card must be a cardNumber element');
    const made = await given.card.create({ billing_details: given.billing_details });
    const { paymentMethod, error } = made as { paymentMethod?: PaymentMethod; error?: StripeError };
    return paymentMethod?.id ?? error;
  }

  async function confirm(
    secret: string,
    data: CardData = {},
    { handleActions = true } = {},
  ): Promise<Confirmed> {
    const method = await methodOf(data);
    if (method !== undefined && typeof method !== 'string') return { error: method };
    const before = await retrieve(secret);
    if (before.error) return before;
    if (before.intent.status === 'requires_action' && !method && handleActions) {
      return act(before.intent, secret);
    }
    const answer = await call('POST', `${path(secret)}/confirm`, {
      client_secret: secret,
      payment_method: method,
    });
    if (answer.error) return { error: answer.error };
    const intent = answer.object as PaymentIntent;
    return handleActions ? act(intent, secret) : { intent };
  }

  return { retrieve, confirm, act };
}
