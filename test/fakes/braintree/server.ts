import type { World } from './call.ts';
import { type BraintreeCapture, braintreeCaptures } from './captures.ts';
import { answerClient } from './client-api.ts';
import { fingerprint, merchant } from './client-token.ts';
import { passTime } from './clock.ts';
import { type MerchantDiscount, ourDiscounts } from './discounts.ts';
import { NotThere } from './errors.ts';
import { type Asked, answerGraphql } from './graphql/answer.ts';
import { type MerchantPlan, ourPlans } from './merchant-plans.ts';
import { subjectOf, type Webhook, webhookOf } from './notifications.ts';
import { answerRest } from './rest/answer.ts';
import { type BraintreeState, emptyBraintree, newId } from './state.ts';

export interface BraintreeOptions {
  /** The clock, in milliseconds. */
  now?: () => number;
  /** The clock that webhooks are stamped with; the same where it is left out. */
  stamp?: () => number;
  /** Where to go on from; the object is used and changed, not copied. */
  state?: BraintreeState;
  /** Hears each webhook once the call that caused it is done. */
  onWebhook?: (webhook: Webhook) => void;
  /** Plans of the merchant: months of a billing cycle. Ours have their period in their name. */
  cycleOf?: (planId: string) => number | undefined;
  /** What its list of plans says of them; ours by default. */
  plans?: readonly MerchantPlan[];
  /** Its discounts; ours by default. */
  discounts?: readonly MerchantDiscount[];
  /**
   * How far the search is behind, in ms: a minute by default. Braintree promises no time; a transaction
   * that is read by its id is there at once.
   */
  searchLag?: number;
  /**
   * For how long a sale of the same order, sum and card as a successful one is refused, in ms: 30 seconds
   * by default; 0 where the merchant turned it off
   * (developer.paypal.com/braintree/articles/control-panel/transactions/duplicate-checking).
   */
  duplicateWindow?: number;
}

export interface BraintreeFake {
  /** Answers both interfaces of Braintree and what its browser code asks. */
  fetch(input: Request | string | URL, init?: RequestInit): Promise<Response>;
  readonly state: BraintreeState;
  /** The money taken so far, oldest first. */
  captures(): BraintreeCapture[];
  /** Declines charges of a vaulted method from now on. */
  decline(token: string, code: string): void;
  /** The cardholder disputes a transaction. */
  dispute(transaction: string): void;
  /** The bank takes the disputed money back. */
  lose(transaction: string): void;
  /** Plays what is due by the clock, and waits until its webhooks are told. */
  pass(): Promise<void>;
}

/** `null` for what is no plan of ours. */
export const cycleOfOurs = (planId: string): number | undefined =>
  /quarterly/.test(planId) ? 3 : /monthly/.test(planId) ? 1 : undefined;

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
  let told: Promise<unknown>[] = [];
  const world: World = {
    state,
    now: options.now ?? Date.now,
    declines: new Map(),
    cycleOf: options.cycleOf ?? cycleOfOurs,
    plans: options.plans ?? ourPlans(),
    discounts: options.discounts ?? ourDiscounts(),
    searchLag: options.searchLag ?? 60_000,
    duplicateWindow: options.duplicateWindow ?? 30_000,
    tell(kind, subject) {
      const at = (options.stamp ?? world.now)();
      const webhook = webhookOf(merchant, kind, subjectOf(world, kind, subject), at);
      told.push(webhook.then((made) => options.onWebhook?.(made)));
    },
  };

  async function graphql(request: Request): Promise<Response> {
    const authorization = request.headers.get('authorization') ?? '';
    const browser = authorization.startsWith(`Bearer ${fingerprint}`);
    if (!browser && authorization !== server) {
      const extensions = { errorClass: 'AUTHENTICATION' };
      return json({ data: null, errors: [{ message: 'Authentication failed', extensions }] });
    }
    const asked: Asked = await request.json();
    return json(answerGraphql(world, asked, browser));
  }

  async function client(path: string, request: Request): Promise<Response> {
    const body = await request.json().catch(() => ({}));
    try {
      const answer = answerClient(world, path, body);
      return answer ? json(answer, 201) : json({ error: { message: `no call ${path}` } }, 501);
    } catch (error) {
      if (error instanceof NotThere) return json({ error: { message: 'not found' } }, 404);
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
    return answerRest(world, path, request);
  }

  return {
    state,
    captures: () => braintreeCaptures(world),
    decline: (token, code) => void world.declines.set(token, code),
    lose(transaction) {
      for (const dispute of Object.values(state.disputes)) {
        if (dispute.transaction !== transaction) continue;
        dispute.status = 'lost';
        world.tell('dispute_lost', dispute);
      }
    },
    dispute(transaction) {
      const amount = state.transactions[transaction]?.amount ?? 0;
      const made = { id: newId(), transaction, amount, status: 'open', createdAt: world.now() };
      state.disputes[made.id] = made;
      world.tell('dispute_opened', made);
    },
    async pass() {
      passTime(world);
      const waiting = told;
      told = [];
      await Promise.all(waiting);
    },
    async fetch(input, init) {
      const request = new Request(input, init);
      if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: cors });
      passTime(world);
      return answer(request);
    },
  };
}
