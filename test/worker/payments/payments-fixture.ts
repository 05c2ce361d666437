import { env, runInDurableObject } from 'cloudflare:test';
import type { DurableObjectStub } from '@cloudflare/workers-types';
import { afterEach, expect, vi } from 'vitest';
import { gatewayNames } from '../../../worker/catalog/rules/gateway-names.ts';
import type { EmailMessage } from '../../../worker/email/enqueue-email.ts';
import type { Purchase } from '../../../worker/payments/attempts/purchase-request.ts';
import { isFinal } from '../../../worker/payments/purchase/attempt.ts';
import type { GatewayName } from '../../../worker/payments/purchase/state.ts';
import type { Purchases } from '../../../worker/payments/purchases-object.ts';
import { PurchaseStorage } from '../../../worker/payments/storage/purchase-storage.ts';
import type { AttemptAnswer } from '../../../worker/payments/storage/stored-records.ts';
import { ChangeStorage } from '../../../worker/payments/subscriptions/change-storage.ts';
import type { OwnedSubscription } from '../../../worker/payments/subscriptions/owned-subscription.ts';
import type { Env } from '../../../worker/platform/env.ts';
import type { AccountId } from '../../../worker/platform/types.ts';
import { type BraintreeOptions, createBraintree } from '../../fakes/braintree/server.ts';
import { type Faults, withFaults } from '../../fakes/faults.ts';
import { seedProduct } from '../../fakes/stripe/catalog.ts';
import { createStripe, type StripeOptions } from '../../fakes/stripe/server.ts';
import { approved } from '../../fakes/test-nonces.ts';
import './announced-audit.ts';
import { shownTerms } from './attempts/attempt-fixture.ts';
import { type CapturedAmount, capturedAtBraintree, capturedAtStripe } from './captured-amounts.ts';

export const gateways: readonly GatewayName[] = gatewayNames;

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** @returns the events that were logged since */
export function captureLogEvents(): () => string[] {
  const events: string[] = [];
  for (const level of ['info', 'warn', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation((line) => {
      if (String(line).startsWith('{')) events.push(JSON.parse(line).event);
    });
  }
  return () =>
    events.filter((event) => event !== 'request' && event !== 'purchase_attempt_changed');
}

export type Stub = DurableObjectStub<Purchases>;

/** The gateways and auditedAccounts of the current test. */
const auditedGateways: (() => CapturedAmount[])[] = [];

const auditedAccounts = new Set<Stub>();

/** Registers a gateway whose charges are compared with the ledgers after the test. */
export const auditGateway = (captured: () => CapturedAmount[]) =>
  void auditedGateways.push(captured);

/** Registers an account whose ledger is compared with the gateways after the test. */
export const auditAccount = (stub: Stub) => void auditedAccounts.add(stub);

/** For an account whose money was changed at the gateway: the test itself checks the ledger. */
export const excludeFromAudit = (stub: Stub) => void auditedAccounts.delete(stub);

/** Captures and refunds of each final attempt, including those without a purchase. */
async function ledgerOf(stub: Stub): Promise<{
  open: string[];
  sums: Record<string, number[]>;
  /** The attempt of each change; the change's id is the order id at Braintree. */
  changes: Map<string, string>;
}> {
  return runInDurableObject(stub, (_, state) => {
    const storage = new PurchaseStorage(state.storage.kv as never);
    const changes = new ChangeStorage(state.storage.kv as never, storage).all();
    const sum = (attempt: string, kind: string) =>
      storage
        .rows()
        .filter((row) => row.attempt === attempt && row.kind === kind)
        .reduce((total, { amount }) => total + amount, 0);
    const attempts = storage.attempts().map(({ id }) => id);
    return {
      open: storage.pendingAttempts().map(({ id }) => id),
      changes: new Map(changes.map(({ id, attempt }) => [id, attempt])),
      sums: Object.fromEntries(attempts.map((id) => [id, [sum(id, 'capture'), sum(id, 'refund')]])),
    };
  });
}

/** Fails if an account's ledger differs from the gateways' captures and refunds. */
export async function expectBalanced(
  stub: Stub,
  captured: readonly CapturedAmount[],
): Promise<void> {
  const { open, sums, changes } = await ledgerOf(stub);
  const atGateway: Record<string, number[]> = Object.fromEntries(
    Object.keys(sums).map((attempt) => [attempt, [0, 0]]),
  );
  for (const { attempt: order, amount, refunded, account: whose } of captured) {
    const attempt = changes.get(order) ?? order;
    if (whose !== stub.name || open.includes(attempt)) continue;
    const [sum = 0, back = 0] = atGateway[attempt] ?? [];
    atGateway[attempt] = [sum + amount, back + refunded];
  }
  const settled = Object.entries(sums).filter(([attempt]) => !open.includes(attempt));
  for (const attempt of open) delete atGateway[attempt];
  expect(Object.fromEntries(settled)).toEqual(atGateway);
}

/** Deletes used intros, so that the same card and mailbox can have one again. */
export const forgetIntros = () => env.DB.prepare('DELETE FROM intros').run();

afterEach(() => forgetIntros());

/** After every test: each ledger equals the gateways' captures less refunds. */
afterEach(async () => {
  const captured = auditedGateways.splice(0).flatMap((capturedBy) => capturedBy());
  const all = [...auditedAccounts];
  auditedAccounts.clear();
  for (const stub of all) await expectBalanced(stub, captured);
});

/** `npm run test:full` uses full counts, `npm test` a twentieth, at least one. */
export const scaled = (count: number) => (env.FULL ? count : Math.max(1, Math.ceil(count / 20)));

/**
 * Every combination of three lists in the full run. Otherwise one of `share`, in turn, so that each pair of values
 * from two of the lists still meets.
 */
export const combined = <A, B, C>(
  share: number,
  [first, second, third]: readonly [readonly A[], readonly B[], readonly C[]],
): (readonly [A, B, C])[] =>
  first.flatMap((a, i) =>
    second.flatMap((b, j) =>
      third.filter((_, k) => env.FULL || (i + j + k) % share === 0).map((c) => [a, b, c] as const),
    ),
  );

/** A Stripe fake behind the Worker's fetch; `wrap` intercepts its calls. */
export function stubStripe({
  wrap = (next) => next,
  ...options
}: StripeOptions & { wrap?: (next: Fetch) => Fetch } = {}) {
  const stripe = createStripe(options);
  seedProduct(env.STRIPE_PRODUCT ?? '', 'Funnel', stripe.state);
  vi.stubGlobal('fetch', wrap(stripe.fetch as Fetch));
  auditGateway(() => capturedAtStripe(stripe));
  return stripe;
}

/** A new account's purchases object, and a purchase of the monthly plan with an approving card. */
export function buyer(change: Partial<Purchase> = {}) {
  const { account = crypto.randomUUID() as AccountId } = change;
  const purchase: Purchase = {
    account,
    epoch: 0,
    email: `${account}@example.com`,
    isVerified: true,
    plan: 'monthly_usd',
    gateway: 'stripe',
    coupon: null,
    nonce: 'pm_card_visa',
    deviceData: null,
    paymentId: null,
    experiment: 'prices',
    arm: 'fullPrice',
    terms: null,
    adClickData: null,
    cardCounterNames: [],
    siteOrigin: 'https://funnel.test',
    ...change,
  };
  const stub = env.PURCHASES.getByName(account);
  auditAccount(stub);
  return { stub, purchase };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Polls until the attempt is final or challenged. */
export async function awaitResult(stub: Stub, pollingId: string): Promise<AttemptAnswer> {
  for (;;) {
    const attempt = await stub.result(pollingId).catch(() => undefined);
    const isAnswered = attempt && ['challenged', 'processing'].includes(attempt.state);
    if (attempt && (isFinal(attempt.state) || isAnswered)) return attempt;
    await pause(10);
  }
}

/** The polling id of a purchase that was not refused. */
export async function startPurchase(stub: Stub, purchase: Purchase): Promise<string> {
  const opened = await stub.buy(purchase);
  if (opened.kind === 'refused') throw new Error(opened.refusal);
  return opened.pollingId;
}

/** Buys, and waits for the result. */
export async function buy(stub: Stub, purchase: Purchase): Promise<AttemptAnswer> {
  return awaitResult(stub, await startPurchase(stub, purchase));
}

export type Fetch = (input: Request | string | URL, init?: RequestInit) => Promise<Response>;

interface Options
  extends Pick<BraintreeOptions, 'cycleOf' | 'searchLag'>,
    Pick<StripeOptions, 'unpaidTrialStatus'> {
  faults?: Faults;
  /** Intercepts the calls to both gateways. */
  wrap?: (next: Fetch) => Fetch;
  now?: () => number;
}

/** Both providers behind the Worker's fetch, distinguished by their hosts. */
export function stubGateways({ faults, wrap = (next) => next, now, ...options }: Options = {}) {
  const { unpaidTrialStatus, ...braintreeOnly } = options;
  const stripe = createStripe({ now, unpaidTrialStatus });
  const braintree = createBraintree({ now, ...braintreeOnly });
  seedProduct(env.STRIPE_PRODUCT ?? '', 'Funnel', stripe.state);
  const route: Fetch = (input, init) => {
    const request = new Request(input, init);
    const { hostname } = new URL(request.url);
    return hostname.endsWith('stripe.com') ? stripe.fetch(request) : braintree.fetch(request);
  };
  vi.stubGlobal('fetch', wrap(faults ? withFaults(route, faults) : route));
  const captured = () => [...capturedAtStripe(stripe), ...capturedAtBraintree(braintree)];
  auditGateway(captured);
  return { stripe, braintree, captured };
}

/** The remaining amounts of all charges. */
export const unrefunded = (captured: readonly CapturedAmount[]) =>
  captured.filter((one) => one.refunded < one.amount);

/** Gives the object a queue that only records messages; `refuses` makes it throw. */
export async function recordEmails(stub: Stub) {
  const sent: EmailMessage[] = [];
  const emails = {
    sent,
    refuses: false,
    /** Whether the queue takes an e-mail although its reply is lost. */
    losesReplies: false,
    /** Templates of e-mails in order, including repetitions. */
    templates: () => sent.map(({ template }) => template),
    ofTemplate: (template: string) => sent.filter((email) => email.template === template),
  };
  const EMAIL_QUEUE = {
    async send(email: EmailMessage) {
      if (emails.refuses) throw new Error('queue down');
      sent.push(structuredClone(email));
      if (emails.losesReplies) throw new Error('reply lost');
    },
  };
  await runInDurableObject(stub, (object: Purchases) => {
    const more = { ...env, EMAIL_QUEUE } as unknown as Env;
    Object.defineProperty(object, 'env', { value: more, configurable: true });
  });
  return emails;
}

/** Runs the object's alarm handler now. */
export const runAlarm = (stub: Stub) =>
  runInDurableObject(stub, (object: Purchases) => object.alarm());

/**
 * A purchased plan, with a queue that records its e-mails. The clocks of the object and the gateways stand still,
 * except by `later`.
 */
export async function owner(change: Partial<Purchase> = {}) {
  // The runtime's own clock runs no alarm that an earlier owner's clock would set.
  vi.useRealTimers();
  vi.useFakeTimers({ toFake: ['Date'] });
  const fakes = stubGateways();
  const nonce = approved[change.gateway ?? 'stripe'];
  const { stub, purchase } = buyer({ nonce, terms: shownTerms(), ...change });
  const emails = await recordEmails(stub);
  const attempt = await buy(stub, purchase);
  await runAlarm(stub);
  const wait = (ms: number) => vi.setSystemTime(Date.now() + ms);
  return {
    fakes,
    stub,
    purchase,
    emails,
    attempt,
    runAlarm: () => runAlarm(stub),
    wait,
    /** Lets days pass, at the gateways too. */
    later(days: number) {
      wait(days * dayMs);
      fakes.stripe.passTime();
    },
    async owned(slot = 'main') {
      const all: OwnedSubscription[] = await stub.ownedSubscriptions();
      const one = all.find(({ subscription }) => subscription.slot === slot);
      if (!one) throw new Error(slot);
      return one;
    },
  };
}

/** The remaining amount of each payment. */
export const remainingAmounts = (captured: readonly CapturedAmount[]) =>
  captured.map(({ amount, refunded }) => amount - refunded);

/** The number of an account's rows in D1: attempts, subscriptions, money. */
export const countRows = async (account: string) =>
  Promise.all(
    ['attempts', 'subscriptions', 'ledger'].map((table) =>
      env.DB.prepare(`SELECT COUNT(*) AS n FROM ${table} WHERE account_id = ?`)
        .bind(account)
        .first('n'),
    ),
  );
