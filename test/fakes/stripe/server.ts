import type { Stripe } from 'stripe';
import { bodyText } from '../body-text.ts';
import {
  addEvent,
  type Call,
  type Context,
  find,
  idOf,
  Refused,
  type Reply,
  reply,
  type Settings,
  toReply,
  unauthorized,
} from './call.ts';
import { answerChallenge, type Outcome } from './charge-card.ts';
import { passTime } from './clock.ts';
import { expanded, forBrowser } from './expand.ts';
import { type Params, parseForm, texts } from './params.ts';
import { type Capture, capturesOf, failRefund, openDispute } from './refunds-and-disputes.ts';
import { authenticate, BROWSER_ROUTES, ROUTES, routeOf } from './routes.ts';
import { emptyState, newId, type StripeState } from './state.ts';
import { fingerprintOf, type InFlight, savedReply, validate } from './validate.ts';

export interface StripeOptions extends Partial<Settings> {
  /** The clock, in milliseconds. */
  now?: () => number;
  /** How far the clock is ahead of the caller's, in milliseconds. */
  ahead?: () => number;
  /** Initial state; the object is modified. */
  state?: StripeState;
  /** Called with each event after the call that caused it. */
  onEvent?: (event: Stripe.Event) => void;
  /**
   * Runs inside a call, after its idempotency key is locked and before it executes. A promise delays the call; an
   * error makes Stripe respond with 500, which is saved under the key as in Stripe.
   * @param call such as `POST /subscriptions`
   */
  during?: (call: string) => void | Promise<void>;
}

export interface StripeFake {
  /** Responds to https://api.stripe.com/v1/*, with any host and any prefix before `/v1`. */
  fetch(input: Request | string | URL, init?: RequestInit): Promise<Response>;
  readonly state: StripeState;
  /** The account's settings, which a test may change. */
  readonly settings: Settings;
  /** Captured payments, oldest first. */
  captures(): Capture[];
  /** Answers the bank's challenge of an intent in `requires_action`, as the customer would. */
  challenge(intent: string, outcome: Outcome): void;
  /** Executes due renewals, retries and ends, as each call does first. */
  passTime(): void;
  /**
   * A bank suspects that a payment is fraud; a dispute often follows.
   * https://docs.stripe.com/api/radar/early_fraud_warnings/object
   */
  warnOfFraud(intent: string): void;
  /** The cardholder disputes a payment. @returns the dispute's id */
  dispute(intent: string, reason?: string): string;
  /** The bank returns a refund. */
  failRefund(refund: string): void;
}

type Cause = Parameters<typeof addEvent>[2];

/** A Stripe account in test mode, kept in memory. */
export function createStripe(options: StripeOptions = {}): StripeFake {
  const given: Partial<StripeState> = options.state ?? {};
  // An earlier stored state may have fewer tables.
  const state: StripeState = Object.assign(given, { ...emptyState(), ...given });
  const clock = options.now ?? (() => Date.now());
  const inFlight: InFlight = new Set();
  const settings: Settings = {
    unpaidTrialStatus: options.unpaidTrialStatus ?? 'incomplete',
    afterRetries: options.afterRetries ?? 'canceled',
    afterFailure: options.afterFailure ?? 'past_due',
  };
  const byItself = { id: null, idempotency_key: null };

  function callFor(
    about: Pick<Call, 'id' | 'params' | 'browser'>,
    request: Cause = { id: newId('req', 14), idempotency_key: null },
    version: string | null = null,
  ) {
    const now = Math.floor(clock() / 1000);
    const events: Stripe.Event[] = [];
    const contextAt = (moment: number, cause: Cause): Context => ({
      state,
      now: moment,
      settings,
      emit: (type, object) =>
        void events.push(addEvent(type, object, cause, version, state, moment)),
    });
    const ahead = Math.floor((options.ahead?.() ?? 0) / 1000);
    const call: Call = { ...about, ahead, ...contextAt(now, request) };
    return {
      call,
      elapse: () => passTime(state, now, (moment) => contextAt(moment, byItself)),
      tell: () => events.forEach((event) => void options.onEvent?.(event)),
    };
  }

  /** An event without an API call. */
  function outside(id: string, params: Params, act: (call: Call) => void): void {
    const { call, elapse, tell } = callFor({ id, params, browser: false });
    try {
      elapse();
      act(call);
    } finally {
      tell();
    }
  }

  async function execute(request: Request, path: string, sent: Params, id: string): Promise<Reply> {
    const browser = authenticate(request, sent);
    const route = routeOf(request.method, path);
    if (!route) {
      // https://docs.stripe.com/error-codes#url-invalid
      throw new Refused(404, {
        type: 'invalid_request_error',
        message: `Unrecognized request URL (${request.method}: ${path}).`,
      });
    }
    if (browser && !BROWSER_ROUTES.has(route.name)) {
      throw unauthorized(
        'This API call cannot be made with a publishable API key. Please use a secret API key.',
        'secret_key_required',
      );
    }
    const { key: _, ...params } = sent;
    const key = request.method === 'POST' ? request.headers.get('idempotency-key') : null;
    const fingerprint = fingerprintOf(request.method, path, params);
    const now = Math.floor(clock() / 1000);
    const saved = key ? savedReply(key, fingerprint, inFlight, state, now) : undefined;
    if (saved) {
      return {
        ...saved,
        headers: { 'idempotent-replayed': 'true', 'original-request': saved.request },
      };
    }
    // "If incoming parameters fail validation … we don't save the result": the key stays free.
    const { client_secret: _secret, ...checked } = params;
    // A call without a version uses the account's older one, which still accepts the types.
    const { payment_method_types: _types, ...dated } = checked;
    const versioned = browser || request.headers.has('stripe-version');
    validate(route.name, browser ? checked : versioned ? params : dated);
    if (key) inFlight.add(key);
    try {
      const about = { id, idempotency_key: key };
      const version = request.headers.get('stripe-version');
      const result = await run(route, params, browser, about, version);
      const done: Reply = { ...result, ...(key ? { headers: { 'original-request': id } } : {}) };
      if (key) {
        const { status, body } = done;
        state.idempotency[key] = { fingerprint, status, body, request: id, created: now };
      }
      return done;
    } finally {
      if (key) inFlight.delete(key);
    }
  }

  async function run(
    route: { name: string; id: string },
    params: Params,
    browser: boolean,
    about: { id: string; idempotency_key: string | null },
    version: string | null,
  ): Promise<Reply> {
    try {
      await options.during?.(route.name);
      const { call, elapse, tell } = callFor({ id: route.id, params, browser }, about, version);
      try {
        elapse();
        const handler = ROUTES[route.name];
        const object = handler ? handler(call) : {};
        const shown = expanded(object, texts(params, 'expand'), state);
        return { status: 200, body: JSON.stringify(browser ? forBrowser(shown) : shown, null, 2) };
      } finally {
        tell();
      }
    } catch (error) {
      return toReply(error);
    }
  }

  function chargeOf(intent: string): Stripe.Charge {
    const { latest_charge } = find(state.payment_intents, 'payment_intent', intent);
    return find(state.charges, 'charge', idOf(latest_charge));
  }

  return {
    state,
    settings,
    captures: () => capturesOf(state),
    challenge: (intent, outcome) =>
      outside(intent, { outcome }, (call) => void answerChallenge(call)),
    passTime: () => outside('', {}, () => undefined),
    dispute: (intent, reason = 'fraudulent') => {
      const charge = chargeOf(intent);
      let id = '';
      outside(charge.id, {}, (call) => {
        id = openDispute(charge, reason, call).id;
      });
      return id;
    },
    warnOfFraud: (intent) => {
      const charge = chargeOf(intent);
      outside(charge.id, {}, ({ emit, now }) => {
        const warning: Stripe.Radar.EarlyFraudWarning = {
          id: newId('issfr'),
          object: 'radar.early_fraud_warning',
          actionable: !charge.refunded && !charge.disputed,
          charge: charge.id,
          created: now,
          fraud_type: 'unauthorized_use_of_card',
          livemode: false,
          payment_intent: intent,
        };
        state.early_fraud_warnings[warning.id] = warning;
        emit('radar.early_fraud_warning.created', warning);
      });
    },
    failRefund: (id) =>
      outside(id, {}, (call) => failRefund(find(state.refunds, 'refund', id), call)),
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const id = newId('req', 14);
      const { pathname, search } = new URL(request.url);
      const inQuery = request.method === 'GET' || request.method === 'DELETE';
      const body = await bodyText(request);
      const params = parseForm(inQuery && body === '' ? search.slice(1) : body);
      const answer = await execute(request, pathname, params, id).catch(toReply);
      return reply(answer, request, id);
    },
  };
}
