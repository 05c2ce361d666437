import { env } from 'cloudflare:test';
import { beforeEach, expect, test, vi } from 'vitest';
import type { GatewayName } from '../../../../worker/payments/purchase/state.ts';
import { approved, declining } from '../../../fakes/test-nonces.ts';
import { seeded } from '../../../seeded-random.ts';
import { emptyStorage } from '../../empty-storage.ts';
import { buyer, type Fetch, forgetIntros, hourMs, stubGateways } from '../payments-fixture.ts';
import { type DrivenObject, driveObject } from './driven-object.ts';
import { followTestClock } from './slow-timers.ts';
import { buyWithFailover, circuits, gatewayOfHost } from './two-gateways.ts';

let hang: ReturnType<typeof followTestClock>['hang'];
beforeEach(async () => {
  await emptyStorage();
  vi.useFakeTimers({ toFake: ['Date'] });
  ({ hang } = followTestClock());
});

/** Each gateway is down for a quarter of the time, in turn; in every eighth turn both are. */
const outageSlotMs = 90_000;

function isUp(gateway: GatewayName, now: number): boolean {
  const slot = Math.floor(now / outageSlotMs) % 8;
  if (slot === 7) return false;
  return gateway === 'stripe' ? slot % 4 !== 1 : slot % 4 !== 3;
}

const lostReplyRate = 0.4;
/** How long a call may be delayed. */
const longestDelayMs = 60_000;

/** Outcomes of a call without a reply. A hanging one lasts until its caller gives up, or a minute. */
const faults = ['lost', 'done', 'error', 'late', 'hangs', 'done, then hangs'] as const;
const faultsWhenDown = ['lost', 'error', 'hangs'] as const;

/**
 * Four of ten calls have no reply: they never arrive, are executed, get a 500, arrive up to a minute later, or
 * hang. A gateway that is down responds with 503, not at all, or hangs.
 */
function unreliableConnection(random: () => number) {
  const late: { at: number; deliver: () => Promise<unknown> }[] = [];
  const deliver = async (until: number) => {
    for (const one of late.splice(0)) {
      if (one.at <= until) await one.deliver().catch(() => {});
      else late.push(one);
    }
  };
  const lost = () => new TypeError('network connection lost');
  const failed = (status: number) => Response.json({ error: { type: 'api_error' } }, { status });
  const line =
    (next: Fetch): Fetch =>
    async (input, init) => {
      await deliver(Date.now());
      const request = new Request(input, init);
      const isDown = !isUp(gatewayOfHost(request), Date.now());
      if (!isDown && random() >= lostReplyRate) return next(request);
      const possible = isDown ? faultsWhenDown : faults;
      const fault = possible[Math.floor(random() * possible.length)] ?? 'lost';
      if (fault === 'error') return failed(isDown ? 503 : 500);
      if (fault.startsWith('done')) await next(request);
      if (fault === 'late')
        late.push({ at: Date.now() + random() * longestDelayMs, deliver: () => next(request) });
      if (fault.endsWith('hangs')) await hang(longestDelayMs, init?.signal);
      throw lost();
    };
  return { line, arrive: () => deliver(Number.POSITIVE_INFINITY) };
}

/** 10,000 purchases in ten runs, because a Durable Object keeps two files open until its storage is reset. */
const runs = env.FULL ? 10 : 1;
const purchases = env.FULL ? 1000 : 50;
/** New fakes after this many, as the gateways' lists grow. */
const purchasesPerFake = 50;

/** The attempts that will be charged again. */
const renewing = ({ stripe, braintree }: ReturnType<typeof stubGateways>) => [
  ...Object.values(stripe.state.subscriptions).flatMap(({ status, metadata }) =>
    /^(active|trialing|incomplete)$/.test(status) ? [metadata.attempt_id] : [],
  ),
  ...Object.values(braintree.state.subscriptions).flatMap(({ id, status }) =>
    /^(Active|Pending)$/.test(status) ? [id] : [],
  ),
];

test.for(Array.from({ length: runs }, (_, run) => 2026 + run))(
  'both gateways: with 40 % of the replies lost, late calls, and both down in turn, nobody pays twice (%i)',
  {
    timeout: 1_800_000,
  },
  async (seed) => {
    const random = seeded(seed);
    const ends: Record<string, number> = {};
    for (let batch = 0; batch < purchases / purchasesPerFake; batch += 1) {
      const { line, arrive } = unreliableConnection(random);
      const fakes = stubGateways({ wrap: line });
      const circuit = circuits((name) => isUp(name, Date.now()));
      const sold: [attempt: string, amount: number][] = [];
      for (let at = 0; at < purchasesPerFake; at += 1) {
        const cards = at % 10 === 9 ? declining : approved;
        const { stub, purchase } = buyer({ plan: at % 3 === 0 ? 'monthly_7d_usd' : 'monthly_usd' });
        const gateway = await circuit.first(random() < 0.5 ? 'stripe' : 'braintree');
        const scenario = async (driven: DrivenObject) => {
          const nonceOf = (name: GatewayName) => cards[name];
          const { pollingId } = await buyWithFailover(driven, purchase, {
            gateway,
            nonceOf,
            typingMs: random() * 60_000,
          });
          await arrive();
          // Remains at a gateway are cancelled once it responds again.
          await driven.passTime(3 * hourMs);
          return driven.attempt(pollingId);
        };
        const attempt = await driveObject(stub, scenario, undefined, circuit.binding);
        expect(['active', 'declined', 'failed']).toContain(attempt.state);
        const end = attempt.isRerouted ? `${attempt.state} elsewhere` : attempt.state;
        ends[end] = (ends[end] ?? 0) + 1;
        if (attempt.state === 'active') sold.push([attempt.id, attempt.amount]);
        vi.setSystemTime(Date.now() + random() * outageSlotMs);
        await forgetIntros();
      }
      const unrefunded = fakes.captured().filter(({ amount, refunded }) => refunded < amount);
      expect(unrefunded.map(({ attempt, amount }) => [attempt, amount]).sort()).toEqual(
        sold.sort(),
      );
      // No cancelled attempt renews.
      expect(renewing(fakes).sort()).toEqual(sold.map(([id]) => id).sort());
    }
    expect(ends).toMatchObject({
      active: expect.any(Number),
      'active elsewhere': expect.any(Number),
    });
  },
);
