import type { Stripe } from 'stripe';
import type { Params } from './params.ts';
import { newId, type StripeState } from './state.ts';

/** The `error` of a reply. https://docs.stripe.com/api/errors */
interface ErrorBody {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';
  message: string;
  code?: string;
  decline_code?: string;
  advice_code?: string;
  param?: string;
  charge?: string;
  doc_url?: string;
  payment_intent?: Stripe.PaymentIntent;
  payment_method?: Stripe.PaymentMethod;
}

/** Thrown by a handler: becomes a reply with this status and error. */
export class Refused extends Error {
  readonly status: number;
  readonly body: ErrorBody;

  constructor(status: number, body: ErrorBody) {
    super(body.message);
    this.status = status;
    this.body = body;
  }
}

const docs = (code: string) => `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`;

/** 400 invalid_request_error. */
export function invalid(message: string, code?: string, param?: string): Refused {
  return new Refused(400, {
    type: 'invalid_request_error',
    message,
    ...(code ? { code, doc_url: docs(code) } : {}),
    ...(param ? { param } : {}),
  });
}

/** A missing object: 404 if it is in the path, 400 if a parameter refers to it. */
export function missing(kind: string, id: string, param = 'id'): Refused {
  return new Refused(param === 'id' ? 404 : 400, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    doc_url: docs('resource_missing'),
    message: `No such ${kind}: '${id}'`,
    param,
  });
}

/** 401: no key, or an unknown one. https://docs.stripe.com/api/authentication */
export const unauthorized = (message: string, code?: string): Refused =>
  new Refused(401, { type: 'invalid_request_error', message, ...(code ? { code } : {}) });

/** 402 card_error. https://docs.stripe.com/error-handling#payment-errors */
export const cardError = (body: Omit<ErrorBody, 'type'>): Refused =>
  new Refused(402, {
    type: 'card_error',
    ...(body.code ? { doc_url: docs(body.code) } : {}),
    ...body,
  });

/** The object of a table; throws `resource_missing` (404 for the path, 400 for a parameter). */
export function find<T>(table: Record<string, T>, kind: string, id: string, param = 'id'): T {
  const found = table[id];
  if (!found) throw missing(kind, id, param);
  return found;
}

/** The id of a reference; stored objects never contain expanded ones. */
export const idOf = (reference: string | { id: string } | null | undefined): string =>
  typeof reference === 'string' ? reference : (reference?.id ?? '');

/** Records an event with the object's current state. https://docs.stripe.com/api/events */
export function addEvent(
  type: Stripe.Event.Type,
  object: object,
  request: { id: string | null; idempotency_key: string | null },
  apiVersion: string | null,
  state: StripeState,
  now: number,
): Stripe.Event {
  const event = {
    id: newId('evt'),
    object: 'event',
    api_version: apiVersion,
    created: now,
    data: { object: structuredClone(object) },
    livemode: false,
    pending_webhooks: 0,
    request,
    type,
  } as unknown as Stripe.Event;
  state.events[event.id] = event;
  return event;
}

export interface Reply {
  status: number;
  body: string;
  headers?: Record<string, string>;
}

/** Turns an error into a reply; an error of the fake itself becomes Stripe's own 500. */
export function toReply(error: unknown): Reply {
  if (error instanceof Refused) {
    return { status: error.status, body: JSON.stringify({ error: error.body }, null, 2) };
  }
  const message = error instanceof Error ? error.message : String(error);
  return {
    status: 500,
    body: JSON.stringify({
      error: { type: 'api_error', message: `An error occurred: ${message}` },
    }),
  };
}

/** A reply with Stripe's headers. https://docs.stripe.com/api/request_ids */
export function reply({ status, body, headers }: Reply, request: Request, id: string): Response {
  const echo: Record<string, string> = {};
  for (const name of ['idempotency-key', 'stripe-version']) {
    const value = request.headers.get(name);
    if (value) echo[name] = value;
  }
  return new Response(body, {
    status,
    headers: {
      // Stripe.js sends simple requests, which need no preflight.
      'access-control-allow-origin': '*',
      ...echo,
      'cache-control': 'no-cache, no-store',
      'content-type': 'application/json',
      ...(id ? { 'request-id': id } : {}),
      ...(status === 401 ? { 'www-authenticate': 'Basic realm="Stripe"' } : {}),
      // The SDK: this header is "false in most cases when a 500 is returned, since our idempotency
      // framework would typically replay it anyway".
      ...(status === 500 ? { 'stripe-should-retry': 'false' } : {}),
      ...headers,
    },
  });
}

/** One request while it is handled. */
export interface Call {
  /** The `:id` of the path; empty without one. */
  id: string;
  params: Params;
  state: StripeState;
  /** Unix seconds. */
  now: number;
  /** How far `now` is ahead of the caller's clock, in seconds. */
  ahead: number;
  /** Whether it was sent with a publishable key, from the browser. */
  browser: boolean;
  settings: Settings;
  /** Records an event with the object's current state. */
  emit(type: Stripe.Event.Type, object: object): void;
}

export interface Settings {
  /**
   * Status of an unpaid subscription that has a trial and a first invoice above zero. The reference states that
   * `default_incomplete` makes it `incomplete` "when the first invoice requires payment", and that a subscription
   * in its trial is `trialing`; which of the two takes precedence is not documented, so an adapter must handle
   * both.
   */
  unpaidTrialStatus: 'incomplete' | 'trialing';
  /**
   * The subscription's status after the last retry, by the account's settings: "canceled or unpaid (depending on
   * your subscriptions settings)". An unpaid one stays, and nothing of it is collected.
   * https://docs.stripe.com/api/subscriptions/object#subscription_object-status
   */
  afterRetries: 'canceled' | 'unpaid';
  /** "Pause after payment failure", a setting of the account since 2026-09-30. */
  afterFailure: 'past_due' | 'paused';
}

export type Context = Pick<Call, 'state' | 'now' | 'emit' | 'settings'>;
export type Handler = (call: Call) => object;

export const notImplemented = (what: string): Refused =>
  new Refused(501, {
    type: 'api_error',
    message: `test/fakes/stripe does not implement ${what}`,
  });

/** Refuses a parameter that Stripe accepts and this fake does not implement. */
export function only(params: Params, names: string[], where: string): void {
  const left = Object.keys(params).filter((name) => name !== 'expand' && !names.includes(name));
  if (left.length > 0) throw notImplemented(`${left.join(', ')} of ${where}`);
}
