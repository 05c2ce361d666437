import { env, runInDurableObject } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import type { GatewayName } from '../../../worker/funnel/purchase.ts';
import { buy, buyer, scaled } from './bank.ts';
import { approved, balances, kept, openBanks } from './banks.ts';

afterEach(() => void vi.unstubAllGlobals());

// Each waits for the crashed object to come back.
const steps = env.PROVE ? [1, 2, 3, 4, 5] : [2, 4];
const cases = (['stripe', 'braintree'] satisfies GatewayName[]).flatMap((gateway) =>
  steps.map((step) => [gateway, step] as const),
);

test.each(cases)(
  '%s: a crash at call %i of the job, before it arrives or after',
  { timeout: 600_000 },
  async (gateway, step) => {
    for (const arrives of env.PROVE ? [true, false] : [Math.random() < 0.5]) {
      for (let round = 0; round < scaled(20); round += 1) {
        let calls = 0;
        const { stub, purchase } = buyer({ gateway, nonce: approved[gateway] });
        const bank = openBanks({
          line: (next) => async (input, init) => {
            calls += 1;
            if (calls !== step) return next(input, init);
            if (arrives) await next(input, init);
            runInDurableObject(stub, (_object, state) => state.abort('crash')).catch(() => {});
            return new Promise(() => {});
          },
        });
        const attempt = await buy(stub, purchase);
        expect(attempt.state).toBe('active');
        expect(kept(bank.taken())).toHaveLength(1);
        await balances(stub, bank.taken());
      }
    }
  },
);
