import { answerClient, fingerprint, merchant } from './client-api.ts';
import { passTime, subjectOf, type Webhook, webhookOf } from './clock.ts';
import { answerGraphql, type GraphqlRequest } from './graphql/execute.ts';
import { answerRest } from './rest/routes.ts';
import { type BraintreeCapture, braintreeCaptures } from './sale.ts';
import { type BraintreeState, emptyBraintree, NotFound, newId, type Sandbox } from './state.ts';

import {
  type MerchantDiscount,
  type MerchantPlan,
  ourDiscounts,
  ourPlans,
} from './subscriptions.ts';

export interface BraintreeOptions {
  /** The clock, in milliseconds. */
  now?: () => number;
  /** The clock for the timestamps of webhooks; the same by default. */
  stamp?: () => number;
  /** Initial state; the object is modified. */
  state?: BraintreeState;
  /** Called with each webhook after the call that caused it. */
  onWebhook?: (webhook: Webhook) => void;
  /** The merchant's plans: months of a billing cycle. Ours have their period in their name. */
  cycleOf?: (planId: string) => number | undefined;
  /** The plans in its list; ours by default. */
  plans?: readonly MerchantPlan[];
  /** Its discounts; ours by default. */
  discounts?: readonly MerchantDiscount[];
  /**
   * Ms by which the search lags: a minute by default. Braintree documents no limit; a read by id does not
   * lag.
   */
  searchLag?: number;
  /**
   * How long a sale with the same order, amount and card as a successful one is refused, in ms: 30 seconds by
   * default; 0 if the merchant turned it off
   * (developer.paypal.com/braintree/articles/control-panel/transactions/duplicate-checking).
   */
  duplicateWindow?: number;
}

export interface BraintreeFake {
  /** Handles REST, GraphQL and the client API. */
  fetch(input: Request | string | URL, init?: RequestInit): Promise<Response>;
  readonly state: BraintreeState;
  /** Captured transactions, oldest first. */
  captures(): BraintreeCapture[];
  /** Declines charges of a vaulted method from now on. */
  decline(token: string, code: string): void;
  /** The cardholder disputes a transaction. */
  dispute(transaction: string, kind?: 'chargeback' | 'retrieval'): void;
  /** A dispute ends for the cardholder: the bank decides, or we accepted it or never answered. */
  lose(transaction: string, status?: 'lost' | 'accepted' | 'auto_accepted' | 'expired'): void;
  /** Executes what is due by the clock, and waits until its webhooks are delivered. */
  passTime(): Promise<void>;
}

export function cycleOfOurs(planId: string): number | undefined {
  const [name = ''] = /quarterly|half_yearly|yearly|monthly/.exec(planId) ?? [];
  return { quarterly: 3, half_yearly: 6, yearly: 12, monthly: 1 }[name];
}

const cors = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*, authorization, braintree-version, content-type',
  'access-control-allow-methods': 'GET, POST, PUT, OPTIONS',
  'cache-control': 'no-store',
};
const json = (body: object, status = 200) => Response.json(body, { status, headers: cors });
const server = `Basic ${btoa(`${merchant.publicKey}:${merchant.privateKey}`)}`;

/** A Braintree sandbox account, kept in memory. */
export function createBraintree(options: BraintreeOptions = {}): BraintreeFake {
  const state = options.state ?? emptyBraintree();
  let deliveries: Promise<unknown>[] = [];
  const sandbox: Sandbox = {
    state,
    now: options.now ?? (() => Date.now()),
    declines: new Map(),
    cycleOf: options.cycleOf ?? cycleOfOurs,
    plans: [...(options.plans ?? ourPlans())],
    discounts: options.discounts ?? ourDiscounts(),
    searchLag: options.searchLag ?? 60_000,
    duplicateWindow: options.duplicateWindow ?? 30_000,
    notify(kind, subject) {
      const at = (options.stamp ?? sandbox.now)();
      const webhook = webhookOf(merchant, kind, subjectOf(sandbox, kind, subject), at);
      deliveries.push(webhook.then((notification) => options.onWebhook?.(notification)));
    },
  };

  async function graphql(request: Request): Promise<Response> {
    const authorization = request.headers.get('authorization') ?? '';
    const browser = authorization.startsWith(`Bearer ${fingerprint}`);
    if (!browser && authorization !== server) {
      const extensions = { errorClass: 'AUTHENTICATION' };
      return json({ data: null, errors: [{ message: 'Authentication failed', extensions }] });
    }
    const requestBody: GraphqlRequest = await request.json();
    return json(answerGraphql(sandbox, requestBody, browser));
  }

  async function client(path: string, request: Request): Promise<Response> {
    const body = await request.json().catch(() => ({}));
    try {
      const answer = answerClient(sandbox, path, body);
      return answer ? json(answer, 201) : json({ error: { message: `no call ${path}` } }, 501);
    } catch (error) {
      if (error instanceof NotFound) return json({ error: { message: 'not found' } }, 404);
      return json({ error: { message: 'invalid' }, fieldErrors: [] }, 422);
    }
  }

  async function answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname.endsWith('/graphql')) return graphql(request);
    const [, merchantId, path = ''] = /\/merchants\/([^/]+)(\/.*)$/.exec(pathname) ?? [];
    if (merchantId !== merchant.id) return new Response('', { status: 404 });
    const inner = /^\/client_api\/v1\/(.*)$/.exec(path)?.[1];
    if (inner !== undefined) return client(inner, request);
    if (request.headers.get('authorization') !== server) return new Response('', { status: 401 });
    return answerRest(sandbox, path, request);
  }

  return {
    state,
    captures: () => braintreeCaptures(sandbox),
    decline: (token, code) => void sandbox.declines.set(token, code),
    lose(transaction, status = 'lost') {
      for (const dispute of Object.values(state.disputes)) {
        if (dispute.transaction !== transaction) continue;
        dispute.status = status;
        sandbox.notify(`dispute_${status}`, dispute);
      }
    },
    dispute(transaction, kind = 'chargeback') {
      const { amount = 0, currency = 'USD' } = state.transactions[transaction] ?? {};
      const opened = { status: 'open', createdAt: sandbox.now() };
      const created = { id: newId(), kind, transaction, amount, currency, ...opened };
      state.disputes[created.id] = created;
      sandbox.notify('dispute_opened', created);
    },
    async passTime() {
      passTime(sandbox);
      const waiting = deliveries;
      deliveries = [];
      await Promise.all(waiting);
    },
    async fetch(input, init) {
      const request = new Request(input, init);
      if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: cors });
      passTime(sandbox);
      return answer(request);
    },
  };
}
