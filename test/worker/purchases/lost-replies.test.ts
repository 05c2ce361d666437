import { env } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import type { GatewayName } from '../../../worker/funnel/purchase.ts';
import { buy, buyer, scaled, seeded } from './bank.ts';
import { approved, kept, openBanks } from './banks.ts';
import { balances } from './books.ts';

afterEach(() => void vi.unstubAllGlobals());

/** The worst lines are for the full proof: their jobs wait for minutes between tries. */
const lines: [GatewayName, number, number][] = [
  ['stripe', 0.4, 500],
  ['braintree', 0.4, 500],
];
const worst: typeof lines = [
  ['stripe', 0.7, 150],
  ['braintree', 0.7, 150],
];

test.each(env.PROVE ? [...lines, ...worst] : lines)(
  '%s, a share of %d of all calls lost: charges are jobs',
  { timeout: 1_800_000 },
  async (...[gateway, rate, count]) => {
    const bank = openBanks({ faults: { rate, random: seeded(count * rate) } });
    const jobs = Array.from({ length: scaled(count) }, () =>
      buyer({ gateway, nonce: approved[gateway] }),
    );
    const results = await Promise.all(jobs.map(({ stub, purchase }) => buy(stub, purchase)));
    // None is stuck, none is an orphan, none was charged twice.
    expect(results.map(({ state }) => state)).toEqual(jobs.map(() => 'active'));
    const attempts = kept(bank.taken()).map(({ attempt }) => attempt);
    expect(attempts.sort()).toEqual(results.map(({ id }) => id).sort());
    for (const { stub } of jobs) await balances(stub, bank.taken());
  },
);
