import type { PaymentIntent, PaymentMethod, SetupIntent, StripeError } from '@stripe/stripe-js';
import { type Answer, request } from './api.ts';
import { showChallenge } from './challenge-dialog.ts';
import { FieldElement } from './field-element.ts';
import type { Place } from './script-origin.ts';

type Intent = PaymentIntent | SetupIntent;
export type Confirmed<T> =
  | { intent: T; error?: undefined }
  | { intent?: undefined; error: StripeError };

/** https://docs.stripe.com/js/payment_intents/confirm_card_payment */
const NOT_YOU = {
  type: 'invalid_request_error',
  message:
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
} as const;

/** The card part of a payment method: an element of ours, or the id of one made before. */
export interface CardData {
  payment_method?: string | { card: unknown; billing_details?: object };
}

/** Confirms payment intents (`pi_`) and setup intents (`seti_`) by their client secret. */
export function confirmer(key: string, place: Place) {
  const idOf = (secret: string) => secret.split('_secret_')[0] ?? '';
  const path = (id: string) => `/${id.startsWith('seti_') ? 'setup' : 'payment'}_intents/${id}`;
  const named = (id: string) => (id.startsWith('seti_') ? 'setup_intent' : 'payment_intent');
  const call = (method: 'GET' | 'POST', to: string, params: object): Promise<Answer> =>
    request(place.api, key, method, to, params);

  async function retrieve<T extends Intent>(secret: string): Promise<Confirmed<T>> {
    const answer = await call('GET', path(idOf(secret)), { client_secret: secret });
    return answer.error ? { error: answer.error } : { intent: answer.object as T };
  }

  async function act<T extends Intent>(intent: T, secret: string): Promise<Confirmed<T>> {
    if (intent.status !== 'requires_action') return { intent };
    await showChallenge(place, { intent: intent.id, secret, key });
    const after = await retrieve<T>(secret);
    if (after.error || !after.intent.status.startsWith('requires_')) return after;
    const now: Intent = after.intent;
    const found = 'last_payment_error' in now ? now.last_payment_error : undefined;
    const failed = found?.code?.endsWith('_authentication_failure') ?? true;
    const code = `${named(now.id)}_authentication_failure`;
    const error = failed ? { ...NOT_YOU, code } : (found as StripeError);
    return { error: { ...error, [named(now.id)]: now } };
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

  async function confirm<T extends Intent>(
    secret: string,
    data: CardData = {},
    { handleActions = true } = {},
  ): Promise<Confirmed<T>> {
    const method = await methodOf(data);
    if (method !== undefined && typeof method !== 'string') return { error: method };
    const before = await retrieve<T>(secret);
    if (before.error) return before;
    if (before.intent.status === 'requires_action' && !method && handleActions) {
      return act(before.intent, secret);
    }
    const answer = await call('POST', `${path(idOf(secret))}/confirm`, {
      client_secret: secret,
      payment_method: method,
    });
    if (answer.error) return { error: answer.error };
    const intent = answer.object as T;
    return handleActions ? act(intent, secret) : { intent };
  }

  return { retrieve, confirm, act };
}
