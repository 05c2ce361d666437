import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import type { Purchase } from '../../../../worker/payments/purchase-request.ts';
import type { GatewayName } from '../../../../worker/payments/rules/attempt.ts';
import { cycleOfOurs } from '../../../fakes/braintree/server.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import { shownTerms } from '../attempt-fixture.ts';
import { buyer, forgetIntros, openBanks, quietly } from '../payments-fixture.ts';
import { type Driven, drive, type Gate } from './driven-object.ts';

quietly();

export type Bank = ReturnType<typeof openBanks>;
type Play = (driven: Driven, purchase: Purchase, bank: Bank) => Promise<void>;

/** When each play begins, ms since 1970. */
export const startedAt = Date.now();
export const intro = 'monthly_7d_usd';
/** A plan that Braintree's merchant does not have: its renewals are refused for good. */
export const noRenewals = 'monthly_5d_usd';

/** What is left of each payment. */
export const left = (bank: Bank) => bank.taken().map(({ amount, refunded }) => amount - refunded);

/**
 * Buys. A sale that a crash kept from Braintree is not sent again: it fails, and is bought anew.
 */
export async function buyAgain(driven: Driven, purchase: Purchase, { braintree }: Bank) {
  for (;;) {
    const attempt = await driven.buy(purchase);
    const sales = Object.values(braintree.state.transactions);
    const arrived = sales.some(({ orderId }) => orderId === attempt.id);
    const kept = attempt.gateway === 'braintree' && attempt.state === 'failed' && !arrived;
    if (!kept || attempt.sentAt === null) return attempt;
  }
}

/** Buys what has to succeed. */
export const bought = async (driven: Driven, purchase: Purchase, bank: Bank) => {
  const attempt = await buyAgain(driven, purchase, bank);
  expect(attempt.state).toBe('active');
  return attempt;
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
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: startedAt });
  const bank = openBanks({
    now: () => Date.now(),
    unpaidTrialStatus: 'trialing',
    cycleOf: (plan) => (plan === noRenewals ? undefined : cycleOfOurs(plan)),
    line: (next) => (input, init) => gate(() => next(input, init)),
  });
  await forgetIntros();
  const { stub, purchase } = buyer({ gateway, nonce: approved[gateway], terms: shownTerms() });
  await drive(
    stub,
    async (started) => {
      driven = started;
      await play(started, purchase, bank);
      const rows = started
        .object()
        .ownedSubscriptions()
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

/**
 * How it crashes at an await: with what it waits for done or not, and, from the second time on, once
 * more so many awaits later.
 */
const crashesAt = (at: number): Crash[] =>
  env.FULL
    ? Array.from({ length: 20 }, (_, i) => ({
        at: i < 2 ? [at] : [at, at + (i >> 1)],
        arrives: i % 2 === 0,
      }))
    : [{ at: [at], arrives: at % 8 === 1 }];

/** Tests that each play ends as it should, whichever await of the object it crashes at. */
export function crashEverywhere(plays: Record<string, Play>): void {
  const cases = Object.entries(plays).flatMap(([name, play]) =>
    gateways
      // At Stripe a plan is one object: it has no second half.
      .filter((gateway) => gateway === 'braintree' || !name.includes('second half'))
      .map((gateway) => [gateway, name, play] as const),
  );
  test.each(cases)('%s: %s, with a crash at any await', { timeout: 1_800_000 }, async (...one) => {
    const [gateway, , play] = one;
    const { awaits } = await live(play, gateway, { at: [], arrives: true });
    for (let at = 1; at <= awaits; at += env.FULL ? 1 : 4) {
      for (const crash of crashesAt(at)) {
        expect((await live(play, gateway, crash)).crashes).toBeGreaterThanOrEqual(1);
      }
    }
  });
}
