import { env } from 'cloudflare:test';
import { vi } from 'vitest';
import type { Purchase } from '../../../../worker/payments/purchase-request.ts';
import { type Attempt, isFinal } from '../../../../worker/payments/rules/attempt.ts';
import { type Faults, withFaults } from '../../../fakes/faults.ts';
import { seedProduct } from '../../../fakes/stripe/catalog.ts';
import { createStripe, type StripeOptions } from '../../../fakes/stripe/server.ts';
import { takenAtStripe } from './captured-amounts.ts';
import { auditAccount, auditBank } from './ledger-assertions.ts';

type Fetch = typeof fetch;

/** Full counts belong to `npm run test:full`; a twentieth, at least one, to `npm test`. */
export const scaled = (count: number) => (env.FULL ? count : Math.max(1, Math.ceil(count / 20)));

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** A Stripe behind the Worker's fetch; `line` is what lies between the two. */
export function openBank(
  faults?: Faults,
  line: (next: Fetch) => Fetch = (next) => next,
  options: StripeOptions = {},
) {
  const stripe = createStripe(options);
  seedProduct(env.STRIPE_PRODUCT, 'Funnel', stripe.state);
  const wire = faults ? withFaults(stripe.fetch, faults) : stripe.fetch;
  vi.stubGlobal('fetch', line(wire as Fetch));
  auditBank(() => takenAtStripe(stripe));
  return stripe;
}

/** A new account's purchases object, and a purchase of the monthly plan with an approving card. */
export function buyer(change: Partial<Purchase> = {}) {
  const account = crypto.randomUUID();
  const purchase: Purchase = {
    account,
    epoch: 0,
    email: `${account}@example.com`,
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

type Stub = ReturnType<typeof buyer>['stub'];

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Polls until the attempt is final, or the bank asks the payer. */
export async function known(stub: Stub, pollingId: string): Promise<Attempt> {
  for (;;) {
    const attempt = await stub.result(pollingId).catch(() => undefined);
    if (attempt && (isFinal(attempt.state) || attempt.state === 'challenged')) return attempt;
    await pause(50);
  }
}

/** The polling id of a purchase that was not refused. */
export async function open(stub: Stub, purchase: Purchase): Promise<string> {
  const opened = await stub.buy(purchase);
  if (opened.kind === 'refused') throw new Error(opened.refusal);
  return opened.pollingId;
}

/** Buys, and waits for what comes of it. */
export async function buy(stub: Stub, purchase: Purchase): Promise<Attempt> {
  return known(stub, await open(stub, purchase));
}
