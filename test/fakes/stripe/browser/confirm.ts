import type { PaymentIntent, PaymentMethod, StripeError } from '@stripe/stripe-js';
import { FieldElement } from './field-element.ts';
import type { ChallengeSetup, FromChallenge, Origins } from './messages.ts';

/** Shows the bank's page above ours; resolves when the customer has answered. */
function showChallenge(
  { js, api }: Origins,
  setup: Pick<ChallengeSetup, 'intent' | 'secret' | 'key'>,
): Promise<void> {
  const frame = document.createElement('iframe');
  const before = document.activeElement;
  const whole: ChallengeSetup = { ...setup, api, page: location.origin };
  frame.name = '__stripeChallengeFrame';
  frame.title = '3D Secure authentication frame';
  frame.style.cssText =
    'position:fixed;inset:0;width:100%;height:100%;border:0;color-scheme:light only;z-index:2147483647;background:rgb(0 0 0/.4)';
  frame.src = `${js}/v3/challenge.html#${encodeURIComponent(JSON.stringify(whole))}`;
  return new Promise((done) => {
    const hear = ({ source, data }: MessageEvent<FromChallenge>) => {
      if (source !== frame.contentWindow || data.kind !== 'challenged') return;
      removeEventListener('message', hear);
      frame.remove();
      if (before instanceof HTMLElement) before.focus();
      done();
    };
    addEventListener('message', hear);
    document.body.append(frame);
  });
}

/** Nested values as bracketed form fields, the way Stripe's interface takes them. */
export function encode(value: object, prefix = ''): [string, string][] {
  return Object.entries(value).flatMap(([name, inner]): [string, string][] => {
    const key = prefix ? `${prefix}[${name}]` : name;
    if (inner === undefined || inner === null) return [];
    return typeof inner === 'object' ? encode(inner, key) : [[key, String(inner)]];
  });
}

type Answer = { object: object; error?: undefined } | { error: StripeError };

/** One call with the publishable key, as a simple request that needs no preflight. */
export async function request(
  api: string,
  key: string,
  method: 'GET' | 'POST',
  path: string,
  params: object,
): Promise<Answer> {
  const form = new URLSearchParams([...encode(params), ['key', key]]);
  try {
    const response =
      method === 'GET'
        ? await fetch(`${api}${path}?${form}`)
        : await fetch(`${api}${path}`, { method, body: form });
    const answer = await response.json();
    return response.ok ? { object: answer } : { error: answer.error };
  } catch {
    // https://docs.stripe.com/js: what Stripe.js says when its request gets no reply.
    const message =
      'We are experiencing issues connecting to our payments provider. You have not been charged. Please check your internet connection and try again. If the problem persists please contact us.';
    return { error: { type: 'api_connection_error', message } };
  }
}

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
