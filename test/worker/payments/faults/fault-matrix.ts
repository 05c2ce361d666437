import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import type { Purchase } from '../../../../worker/payments/attempts/purchase-request.ts';
import type { GatewayName } from '../../../../worker/payments/purchase/state.ts';
import type { AttemptAnswer } from '../../../../worker/payments/storage/stored-records.ts';
import { cycleOfOurs } from '../../../fakes/braintree/server.ts';
import { withFaults } from '../../../fakes/faults.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import { seeded } from '../../../seeded-random.ts';
import { shortenTimers } from '../../faults/faulty-binding.ts';
import { sampled } from '../../sampled.ts';
import { shownTerms } from '../attempts/attempt-fixture.ts';
import {
  type AwaitHook,
  crashAt,
  type DrivenObject,
  driveObject,
} from '../attempts/driven-object.ts';
import {
  buyer,
  type Fetch,
  forgetIntros,
  gateways,
  remainingAmounts,
  scaled,
  stubGateways,
} from '../payments-fixture.ts';

/** When each run begins. */
export const startedAt = Date.UTC(2027, 0, 15, 12);
export const intro = 'monthly_7d_usd';
/** A plan missing in Braintree's account, so its renewals are refused for good. */
export const noRenewals = 'monthly_5d_usd';

export type Fakes = ReturnType<typeof stubGateways>;

export interface Scene {
  driven: DrivenObject;
  purchase: Purchase;
  fakes: Fakes;
  /** Acts, and does what is then due, with the fault; all before and after it works. */
  underFault<T>(act: () => Promise<T>): Promise<T>;
}

/** What an account does, with a new account each time, and what must be true in spite of the fault. */
export type Operation = (scene: Scene) => Promise<void>;

/** What happens to an object at some of its awaits, or of its calls to a gateway, during an operation. */
interface Fault {
  crash?: ReturnType<typeof crashAt>;
  line?: (next: Fetch) => Fetch;
  /** The number of awaits or calls, and of those that failed. */
  chances(): number;
  hits(): number;
}

/** Plays an operation with a new account, and compares the ledger with the gateways' records. */
export async function play(
  gateway: GatewayName,
  operation: Operation,
  { crash, line }: Partial<Fault> = {},
) {
  // A crashed object's pending awaits never resolve, so it never continues.
  const timers = crash ? (['setTimeout', 'clearTimeout'] as const) : [];
  vi.useFakeTimers({ toFake: ['Date', ...timers], now: startedAt });
  let isOn = false;
  const gate: AwaitHook = (act) => (isOn && crash ? crash.gate(act) : act());
  const fakes = stubGateways({
    unpaidTrialStatus: 'trialing',
    cycleOf: (plan) => (plan === noRenewals ? undefined : cycleOfOurs(plan)),
    wrap: (next) => {
      const faulty = line?.(next) ?? next;
      return (input, init) => gate(() => (isOn ? faulty : next)(input, init));
    },
  });
  await forgetIntros();
  const { stub, purchase } = buyer({ gateway, nonce: approved[gateway], terms: shownTerms() });
  const use = async (driven: DrivenObject) => {
    crash?.watch(driven);
    const underFault: Scene['underFault'] = async (act) => {
      isOn = true;
      const result = await act();
      await driven.runDueAlarms();
      isOn = false;
      await driven.runDueAlarms();
      return result;
    };
    await operation({ driven, purchase, fakes, underFault });
    const rows = driven
      .object()
      .ownedSubscriptions()
      .flatMap((owned) => owned.rows);
    const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
    const ledger = rows.map(({ kind, amount }) => (kind === 'capture' ? amount : -amount));
    expect(sum(ledger)).toBe(sum(remainingAmounts(fakes.captured())));
  };
  await driveObject(stub, use, gate);
}

function crashing(at: readonly number[], arrives: boolean): Fault {
  const crash = crashAt(at, arrives);
  return { crash, chances: crash.awaits, hits: crash.crashes };
}

/** What happens to a call, by the number that `withFaults` draws. */
const lostCalls = {
  'never arrives': 0,
  'is done, and its reply lost': 0.4,
  'is answered 500': 0.8,
  'is answered 500 without an error': 0.9,
};

/** Breaks the connection from a call on, for this many calls. */
function breaking(first: number, count: number, kind: number): Fault {
  let [calls, hits] = [0, 0];
  const line = (next: Fetch): Fetch => {
    const faulty = withFaults(next, { rate: 2, random: () => kind });
    return (input, init) => {
      calls += 1;
      const isBroken = calls >= first && calls < first + count;
      if (isBroken) hits += 1;
      return (isBroken ? faulty : next)(input, init);
    };
  };
  return { line, chances: () => calls, hits: () => hits };
}

type Play = (fault: Fault) => Promise<void>;

interface Case {
  play: Play;
  seed: number;
  phase: number;
  /** The calls of the operation without a fault, which all lost calls share; 0 before it was played. */
  calls: { count: number };
}

/** Looking up all day makes hundreds of calls, of which only the first differ. */
const mostCalls = env.FULL ? 200 : 20;

const stride = env.FULL ? 1 : 8;

/**
 * Plays an operation with a fault at each await or call in turn. Outside the full run at every eighth, whose first
 * differs from case to case.
 */
async function sweep(
  { play, phase }: Case,
  chances: number,
  faultsAt: (at: number, index: number) => Fault[],
) {
  expect(chances).toBeGreaterThan(0);
  const first = 1 + (phase % Math.min(stride, chances));
  for (let at = first, index = 0; at <= chances; at += stride, index += 1) {
    for (const fault of faultsAt(at, index)) {
      await play(fault);
      expect(fault.hits()).toBeGreaterThan(0);
    }
  }
}

async function chancesOf(play: Play, none: Fault): Promise<number> {
  await play(none);
  return none.chances();
}

const faults: Record<string, (played: Case) => Promise<void>> = {
  // The second crash is some awaits later.
  'a crash at any await': async (played) =>
    sweep(played, await chancesOf(played.play, crashing([], true)), (at, index) =>
      env.FULL
        ? Array.from({ length: 20 }, (_, i) =>
            crashing(i < 2 ? [at] : [at, at + (i >> 1)], i % 2 === 0),
          )
        : [crashing([at], index % 2 === 0)],
    ),
  ...Object.fromEntries(
    Object.entries(lostCalls).map(([name, kind]) => [
      `any call that ${name}`,
      // With three lost calls in a row even a retried one has no reply.
      async (played: Case) => {
        const { calls, play } = played;
        calls.count ||= await chancesOf(play, breaking(1, 0, kind));
        await sweep(played, Math.min(mostCalls, calls.count), (at, index) =>
          (env.FULL ? [1, 2, 3, 6] : [index % 2 === 0 ? 1 : 3]).map((count) =>
            breaking(at, count, kind),
          ),
        );
      },
    ]),
  ),
  async 'four of ten calls lost'({ play, seed }) {
    for (let run = 0; run < scaled(100); run += 1) {
      const random = seeded(seed + run);
      const line = (next: Fetch) => withFaults(next, { rate: 0.4, random });
      await play({ line, chances: () => 0, hits: () => 0 });
    }
  },
};

/**
 * Plays each operation with each fault at the gateways that have it; outside the full run at one of them, so that each
 * gateway has every operation and every fault. The ordinary run plays every tenth case.
 */
export function testFaults(operations: Record<string, Operation>, at = gateways): void {
  const cases = Object.entries(operations).flatMap(([name, operation], row) =>
    at.flatMap((gateway, place) => {
      const calls = { count: 0 };
      return Object.keys(faults)
        .filter((_, column) => env.FULL || (row + column) % at.length === place)
        .map((fault) => ({ gateway, name, fault, operation, calls }));
    }),
  );
  test.each(sampled(cases, 10))(
    'faults: $gateway: $name, with $fault: charged once or definitely not',
    { timeout: 1_800_000 },
    async ({ gateway, name, fault, operation, calls }) => {
      if (!fault.includes('crash')) shortenTimers(1000);
      const phase = name.length + fault.length + gateway.length;
      const run: Play = (one) => play(gateway, operation, one);
      await faults[fault]?.({ play: run, seed: name.length * 100, phase, calls });
    },
  );
}

/** Buys. A sale that never arrived at Braintree is not sent again: it fails, and is bought again. */
export async function buyAgain(
  { driven, fakes }: Scene,
  purchase: Purchase,
): Promise<AttemptAnswer> {
  for (;;) {
    const attempt = await driven.buy(purchase);
    const isCharged = fakes.captured().some((charge) => charge.attempt === attempt.id);
    if (attempt.state !== 'failed' || attempt.gateway !== 'braintree' || isCharged) return attempt;
  }
}

/** A purchase that must succeed. */
export async function buyPlan(scene: Scene, more: Partial<Purchase> = {}): Promise<AttemptAnswer> {
  const attempt = await buyAgain(scene, { ...scene.purchase, ...more });
  expect(attempt.state).toBe('active');
  return attempt;
}
