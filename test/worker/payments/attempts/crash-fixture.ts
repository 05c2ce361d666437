import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import type { Purchase } from '../../../../worker/payments/attempts/purchase-request.ts';
import type { GatewayName } from '../../../../worker/payments/purchase/state.ts';
import { cycleOfOurs } from '../../../fakes/braintree/server.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import {
  buyer,
  forgetIntros,
  gateways,
  remainingAmounts,
  stubGateways,
} from '../payments-fixture.ts';
import { shownTerms } from './attempt-fixture.ts';
import { crashAt, type DrivenObject, driveObject } from './driven-object.ts';

export type Fakes = ReturnType<typeof stubGateways>;
export type CrashScenario = (
  driven: DrivenObject,
  purchase: Purchase,
  fakes: Fakes,
) => Promise<void>;

/** When each run begins, ms since 1970. */
export const startedAt = Date.now();
export const intro = 'monthly_7d_usd';
/** A plan missing in Braintree's account, so its renewals are refused for good. */
export const noRenewals = 'monthly_5d_usd';

/** Buys. A sale that a crash kept from Braintree is not sent again: it fails, and is bought again. */
export async function buyAgain(driven: DrivenObject, purchase: Purchase, { braintree }: Fakes) {
  for (;;) {
    const attempt = await driven.buy(purchase);
    const sales = Object.values(braintree.state.transactions);
    const arrived = sales.some(({ orderId }) => orderId === attempt.id);
    const refundFailed = attempt.gateway === 'braintree' && attempt.state === 'failed' && !arrived;
    if (!refundFailed || attempt.sentAt === null) return attempt;
  }
}

/** A purchase that must succeed. */
export const buyPlan = async (driven: DrivenObject, purchase: Purchase, fakes: Fakes) => {
  const attempt = await buyAgain(driven, purchase, fakes);
  expect(attempt.state).toBe('active');
  return attempt;
};

export const subscriptionIn = (driven: DrivenObject) =>
  driven.object().ownedSubscriptions()[0]?.subscription;

interface CrashPlan {
  /** The awaits at which the object crashes. */
  at: readonly number[];
  /** Whether the awaited call was executed. */
  arrives: boolean;
}

/** Runs with a new account and with crashes. @returns the number of awaits, and of crashes */
async function runScenario(
  scenario: CrashScenario,
  gateway: GatewayName,
  { at, arrives }: CrashPlan,
) {
  const crash = crashAt(at, arrives);
  // A crashed object's pending awaits never resolve, so it never continues.
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: startedAt });
  const fakes = stubGateways({
    unpaidTrialStatus: 'trialing',
    cycleOf: (plan) => (plan === noRenewals ? undefined : cycleOfOurs(plan)),
    wrap: (next) => (input, init) => crash.gate(() => next(input, init)),
  });
  await forgetIntros();
  const { stub, purchase } = buyer({ gateway, nonce: approved[gateway], terms: shownTerms() });
  await driveObject(
    stub,
    async (started) => {
      crash.watch(started);
      await scenario(started, purchase, fakes);
      const rows = started
        .object()
        .ownedSubscriptions()
        .flatMap((subscription) => subscription.rows);
      const ledger = rows.map(({ kind, amount }) => (kind === 'capture' ? amount : -amount));
      const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
      expect(sum(ledger)).toBe(sum(remainingAmounts(fakes.captured())));
    },
    crash.gate,
  );
  return { awaits: crash.awaits(), crashes: crash.crashes() };
}

/**
 * Variants of a crash at an await: with the awaited call executed or not and, from the second await on, again this
 * many awaits later.
 */
const crashesAt = (at: number): CrashPlan[] =>
  env.FULL
    ? Array.from({ length: 20 }, (_, i) => ({
        at: i < 2 ? [at] : [at, at + (i >> 1)],
        arrives: i % 2 === 0,
      }))
    : [{ at: [at], arrives: at % 8 === 1 }];

/** Plays each scenario with a crash at each await, at all gateways that support it. */
export function testCrashes(scenarios: Record<string, CrashScenario>): void {
  const cases = Object.entries(scenarios).flatMap(([name, scenario]) =>
    gateways
      // At Stripe a plan is one object, so it has no second step.
      .filter((gateway) => gateway === 'braintree' || !name.includes('second half'))
      .filter((gateway) => gateway === 'stripe' || !/debit|PayPal|Link/.test(name))
      .map((gateway) => [gateway, name, scenario] as const),
  );

  test.each(cases)(
    'crash: %s: %s, with a crash at any await',
    { timeout: 1_800_000 },
    async (...one) => {
      const [gateway, , scenario] = one;
      const { awaits } = await runScenario(scenario, gateway, { at: [], arrives: true });
      for (let at = 1; at <= awaits; at += env.FULL ? 1 : 4) {
        for (const crash of crashesAt(at)) {
          expect((await runScenario(scenario, gateway, crash)).crashes).toBeGreaterThanOrEqual(1);
        }
      }
    },
  );
}
