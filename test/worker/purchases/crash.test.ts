import { env } from 'cloudflare:test';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Terms } from '../../../worker/funnel/attempt.ts';
import type { GatewayName } from '../../../worker/funnel/purchase.ts';
import type { Purchase } from '../../../worker/purchases.ts';
import { cycleOfOurs } from '../../fakes/braintree/server.ts';
import { nonceOfCard } from '../vendors/braintree-bank.ts';
import { listen } from '../webhooks/said.ts';
import { buyer } from './bank.ts';
import { approved, declining, openBanks } from './banks.ts';
import { type Driven, drive, type Gate } from './driven.ts';

beforeEach(() => void listen());
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

type Bank = ReturnType<typeof openBanks>;
type Play = (driven: Driven, purchase: Purchase, bank: Bank) => Promise<void>;

const terms: Terms = {
  text: 'Order',
  version: null,
  language: 'de',
  market: 'euro',
  timeZone: 'Europe/Berlin',
  at: Date.now(),
};
const day = 86_400_000;
const intro = 'monthly_7d_usd';
/** A plan that Braintree's merchant does not have: its renewals are refused for good. */
const noRenewals = 'monthly_5d_usd';

const left = (bank: Bank) => bank.taken().map(({ amount, refunded }) => amount - refunded);
/** Nothing of an attempt that came to nothing may run on, or be paid later. */
function nothingRuns({ stripe, braintree }: Bank) {
  const { subscriptions, payment_intents: intents, invoices } = stripe.state;
  const states = [subscriptions, intents, invoices].flatMap((table) =>
    Object.values(table).map(({ status }) => status),
  );
  for (const status of states) expect(['canceled', 'incomplete_expired', 'void']).toContain(status);
  expect(Object.values(braintree.state.subscriptions)).toEqual([]);
}
const bought = async (driven: Driven, purchase: Purchase) => {
  const attempt = await driven.buy(purchase);
  expect(attempt.state).toBe('active');
  return attempt;
};
const heldIn = (driven: Driven) => driven.object().held()[0]?.bought;

/** Whatever the job has to do until a moment. */
async function until(driven: Driven, end: number) {
  for (let at = driven.alarm(); at !== null && at <= end; at = driven.alarm()) {
    vi.setSystemTime(Math.max(at, Date.now() + 1));
    await driven.run((object) => object.alarm());
  }
}

const plays: Record<string, Play> = {
  async 'a purchase'(driven, purchase, bank) {
    await bought(driven, purchase);
    expect(left(bank)).toEqual([3999]);
  },
  async 'an intro'(driven, purchase, bank) {
    await bought(driven, { ...purchase, plan: intro });
    expect(left(bank)).toEqual([699]);
  },
  async 'an intro, then renewals'(driven, purchase, bank) {
    await bought(driven, { ...purchase, plan: intro });
    await until(driven, terms.at + 40 * day);
    expect(left(bank)).toEqual([699, 3999, 3999]);
  },
  async 'a second half that is refused'(driven, purchase, bank) {
    expect((await driven.buy({ ...purchase, plan: noRenewals })).state).toBe('failed');
    expect(left(bank)).toEqual([0]);
    nothingRuns(bank);
  },
  async 'a decline'(driven, purchase, bank) {
    const nonce = declining[purchase.gateway];
    expect((await driven.buy({ ...purchase, plan: intro, nonce })).state).toBe('declined');
    nothingRuns(bank);
    expect(left(bank)).toEqual([]);
  },
  async 'a challenge that nobody answers'(driven, purchase, bank) {
    const nonce =
      purchase.gateway === 'stripe'
        ? 'pm_card_authenticationRequired'
        : await nonceOfCard(bank.braintree, '4000000000001091');
    expect(await driven.buy({ ...purchase, plan: intro, nonce })).toMatchObject({
      state: 'failed',
      challengedAt: expect.any(Number),
    });
    nothingRuns(bank);
  },
  async 'an upsell'(driven, purchase, bank) {
    await bought(driven, purchase);
    await bought(driven, { ...purchase, plan: 'upsell_monthly_799_usd', nonce: null });
    expect(left(bank)).toEqual([3999, 799]);
  },
  async 'a refund'(driven, purchase, bank) {
    const { charge } = await bought(driven, purchase);
    await driven.run((object) => object.refund(charge?.paymentId ?? '', null, 'key'));
    await driven.rest();
    expect(left(bank)).toEqual([0]);
    expect(heldIn(driven)).toMatchObject({ status: 'ended', ends: true });
  },
  async 'a cancellation'(driven, purchase, bank) {
    const { id } = await bought(driven, purchase);
    await driven.run((object) => object.end(id));
    await driven.rest();
    expect(left(bank)).toEqual([3999]);
    expect(heldIn(driven)).toMatchObject({ status: 'active', ends: true });
  },
  async 'a withdrawal'(driven, purchase, bank) {
    const { id } = await bought(driven, { ...purchase, plan: intro });
    await driven.run((object) => object.withdraw(id));
    await driven.rest();
    expect(left(bank)).toEqual([0]);
    expect(heldIn(driven)).toMatchObject({ status: 'ended', ends: true });
  },
  async 'a deleted account'(driven, purchase, { stripe, braintree }) {
    await bought(driven, purchase);
    await driven.run((object) => object.leave());
    await driven.rest();
    const known = [stripe, braintree].flatMap(({ state }) => Object.values(state.customers));
    expect(known.map(({ email }) => email ?? '').join('')).toBe('');
    expect(heldIn(driven)).toMatchObject({ ends: true });
  },
};

interface Crash {
  /** Which awaits of the object it never comes back from. */
  at: readonly number[];
  /** Whether what it waited for was done. */
  arrives: boolean;
}

/** Plays in a new account with crashes. @returns how often it was waited for, and crashed */
async function live(play: Play, gateway: GatewayName, { at, arrives }: Crash) {
  let awaits = 0;
  let crashes = 0;
  let driven: Driven | undefined;
  const gate: Gate = async (act) => {
    awaits += 1;
    if (!at.includes(awaits)) return act();
    if (arrives) await act();
    crashes += 1;
    driven?.restart();
    return new Promise(() => {});
  };
  // What a dead object still waits for never ends, and so never goes on.
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: terms.at });
  const bank = openBanks({
    now: () => Date.now(),
    unpaidTrialStatus: 'trialing',
    cycleOf: (plan) => (plan === noRenewals ? undefined : cycleOfOurs(plan)),
    line: (next) => (input, init) => gate(() => next(input, init)),
  });
  const { stub, purchase } = buyer({ gateway, nonce: approved[gateway], terms });
  await drive(
    stub,
    async (started) => {
      driven = started;
      await play(started, purchase, bank);
      const rows = started
        .object()
        .held()
        .flatMap((held) => held.rows);
      const ledger = rows.map(({ kind, amount }) => (kind === 'capture' ? amount : -amount));
      const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
      expect(sum(ledger)).toBe(sum(left(bank)));
    },
    gate,
  );
  return { awaits, crashes };
}

const gateways: GatewayName[] = ['stripe', 'braintree'];
const cases = Object.entries(plays).flatMap(([name, play]) =>
  gateways
    // At Stripe a plan is one object: it has no second half.
    .filter((gateway) => gateway === 'braintree' || !name.includes('second half'))
    .map((gateway) => [gateway, name, play] as const),
);

/**
 * How it crashes at an await: with what it waits for done or not, and, from the second time on, once
 * more so many awaits later.
 */
const crashesAt = (at: number): Crash[] =>
  env.PROVE
    ? Array.from({ length: 20 }, (_, i) => ({
        at: i < 2 ? [at] : [at, at + (i >> 1)],
        arrives: i % 2 === 0,
      }))
    : [{ at: [at], arrives: at % 8 === 1 }];

test.each(cases)('%s: %s, with a crash at any await', { timeout: 1_800_000 }, async (...one) => {
  const [gateway, , play] = one;
  const { awaits } = await live(play, gateway, { at: [], arrives: true });
  for (let at = 1; at <= awaits; at += env.PROVE ? 1 : 4) {
    for (const crash of crashesAt(at)) {
      expect((await live(play, gateway, crash)).crashes).toBeGreaterThanOrEqual(1);
    }
  }
});
