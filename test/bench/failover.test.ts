import { expect, test } from 'vitest';
import { type Fault, simulate } from './failover.ts';

const cases = [2, 20, 200].flatMap((rate) =>
  (['refuses', 'hangs'] as Fault[]).map((fault) => [rate, fault] as const),
);

test.each(cases)(
  'failover bench: with %d buyers a minute and a Stripe that %s all can pay with failover, and few without',
  (rate, fault) => {
    const one = simulate(rate, fault, true);
    expect(one.paid).toBe(one.buyers);
    expect(one.closedAfterMs).toBeLessThanOrEqual(5000);
    // For 200 buyers a minute the simulation takes seconds.
    const without = simulate(Math.min(rate, 20), fault, false);
    expect(without.paid / without.buyers).toBeLessThan(0.25);
  },
);

test.each(cases)(
  'failover bench: with %d buyers a minute and a Stripe that %s, the circuit opens in time',
  (rate, fault) => {
    const { openedAfterMs, failuresUntilOpen } = simulate(rate, fault, true);
    // Counted from the first call that meets the outage, which is a buyer's.
    const sinceFirstCallMs = (openedAfterMs ?? Infinity) - 60_000 / rate;
    expect(sinceFirstCallMs < 10_000 || failuresUntilOpen <= 20).toBe(true);
  },
);
