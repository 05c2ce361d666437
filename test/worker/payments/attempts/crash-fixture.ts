import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import type { Purchase } from '../../../../worker/payments/attempts/purchase-request.ts';
import type { GatewayName } from '../../../../worker/payments/rules/attempt.ts';
import { cycleOfOurs } from '../../../fakes/braintree/server.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import { buyer, forgetIntros, gateways, openBanks, remainingAmounts } from '../payments-fixture.ts';
import { shownTerms } from './attempt-fixture.ts';
import { crashing, type Driven, drive } from './driven-object.ts';

export type Bank = ReturnType<typeof openBanks>;
export type CrashScenario = (driven: Driven, purchase: Purchase, bank: Bank) => Promise<void>;

/** When each run begins, ms since 1970. */
export const startedAt = Date.now();
export const intro = 'monthly_7d_usd';
/** A plan missing in Braintree's account, so its renewals are refused for good. */
export const noRenewals = 'monthly_5d_usd';

/** Buys. A sale that a crash kept from Braintree is not sent again: it fails, and is bought again. */
export async function buyAgain(driven: Driven, purchase: Purchase, { braintree }: Bank) {
  for (;;) {
    const attempt = await driven.buy(purchase);
    const sales = Object.values(braintree.state.transactions);
    const arrived = sales.some(({ orderId }) => orderId === attempt.id);
    const kept = attempt.gateway === 'braintree' && attempt.state === 'failed' && !arrived;
    if (!kept || attempt.sentAt === null) return attempt;
  }
}

/** A purchase that must succeed. */
export const buyPlan = async (driven: Driven, purchase: Purchase, bank: Bank) => {
  const attempt = await buyAgain(driven, purchase, bank);
  expect(attempt.state).toBe('active');
  return attempt;
};

export const subscriptionIn = (driven: Driven) =>
  driven.object().ownedSubscriptions()[0]?.subscription;

interface Crash {
  /** The awaits at which the object crashes. */
  at: readonly number[];
  /** Whether the awaited call was executed. */
  arrives: boolean;
}

/** Runs with a new account and with crashes. @returns the number of awaits, and of crashes */
async function live(play: CrashScenario, gateway: GatewayName, { at, arrives }: Crash) {
  const crash = crashing(at, arrives);
  // A crashed object's pending awaits never resolve, so it never continues.
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: startedAt });
  const bank = openBanks({
    now: () => Date.now(),
    unpaidTrialStatus: 'trialing',
    cycleOf: (plan) => (plan === noRenewals ? undefined : cycleOfOurs(plan)),
    line: (next) => (input, init) => crash.gate(() => next(input, init)),
  });
  await forgetIntros();
  const { stub, purchase } = buyer({ gateway, nonce: approved[gateway], terms: shownTerms() });
  await drive(
    stub,
    async (started) => {
      crash.watch(started);
      await play(started, purchase, bank);
      const rows = started
        .object()
        .ownedSubscriptions()
        .flatMap((held) => held.rows);
      const ledger = rows.map(({ kind, amount }) => (kind === 'capture' ? amount : -amount));
      const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
      expect(sum(ledger)).toBe(sum(remainingAmounts(bank.taken())));
    },
    crash.gate,
  );
  return { awaits: crash.awaits(), crashes: crash.crashes() };
}

/**
 * Variants of a crash at an await: with the awaited call executed or not and, from the second await on, again this
 * many awaits later.
 */
const crashesAt = (at: number): Crash[] =>
  env.FULL
    ? Array.from({ length: 20 }, (_, i) => ({
        at: i < 2 ? [at] : [at, at + (i >> 1)],
        arrives: i % 2 === 0,
      }))
    : [{ at: [at], arrives: at % 8 === 1 }];

/** Plays each scenario with a crash at each await, at all gateways that support it. */
export function testCrashes(scenarios: Record<string, CrashScenario>): void {
  const cases = Object.entries(scenarios).flatMap(([name, play]) =>
    gateways
      // At Stripe a plan is one object, so it has no second step.
      .filter((gateway) => gateway === 'braintree' || !name.includes('second half'))
      .filter((gateway) => gateway === 'stripe' || !/debit|PayPal|Link/.test(name))
      .map((gateway) => [gateway, name, play] as const),
  );

  test.each(cases)(
    'crash: %s: %s, with a crash at any await',
    { timeout: 1_800_000 },
    async (...one) => {
      const [gateway, , play] = one;
      const { awaits } = await live(play, gateway, { at: [], arrives: true });
      for (let at = 1; at <= awaits; at += env.FULL ? 1 : 4) {
        for (const crash of crashesAt(at)) {
          expect((await live(play, gateway, crash)).crashes).toBeGreaterThanOrEqual(1);
        }
      }
    },
  );
}
