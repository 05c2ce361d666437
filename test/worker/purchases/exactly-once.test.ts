import { env, runInDurableObject } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import type { Opened } from '../../../worker/purchases.ts';
import { buy, buyer, known, open, openBank, scaled, seeded } from './bank.ts';

afterEach(() => void vi.unstubAllGlobals());

const patient = 300_000;

test('200 identical posts at once: one polling id, one charge', async () => {
  const bank = openBank();
  const { stub, purchase } = buyer();
  const ids = await Promise.all(Array.from({ length: 200 }, () => open(stub, purchase)));
  expect(new Set(ids).size).toBe(1);
  expect((await known(stub, ids[0] ?? '')).state).toBe('active');
  expect(bank.captures()).toHaveLength(1);
  // And so it stays: the same post after the purchase is still the same purchase.
  expect(await open(stub, purchase)).toBe(ids[0]);
  expect(bank.captures()).toHaveLength(1);
});

test('two tabs with two plans at once: one charge, one refusal', { timeout: patient }, async () => {
  const bank = openBank();
  const rounds = 50;
  for (let round = 0; round < rounds; round++) {
    const { stub, purchase } = buyer();
    const tabs: Opened[] = await Promise.all([
      stub.buy(purchase),
      stub.buy({ ...purchase, plan: 'quarterly_usd' }),
    ]);
    expect(tabs.filter((tab) => 'refusal' in tab)).toEqual([{ refusal: 'slot_busy' }]);
    const opened = tabs.find((tab) => 'pollingId' in tab);
    if (opened && 'pollingId' in opened) await known(stub, opened.pollingId);
    expect(bank.captures()).toHaveLength(round + 1);
  }
});

test('40 % of all replies lost: every job is charged once, none is stuck', {
  timeout: patient,
}, async () => {
  const bank = openBank({ rate: 0.4, random: seeded(7) });
  const jobs = Array.from({ length: 100 }, () => buyer());
  const results = await Promise.all(jobs.map(({ stub, purchase }) => buy(stub, purchase)));
  expect(results.map(({ state }) => state)).toEqual(jobs.map(() => 'active'));
  const attempts = bank.captures().map(({ metadata }) => metadata.attempt_id);
  expect(attempts).toHaveLength(jobs.length);
  expect(new Set(attempts).size).toBe(jobs.length);
});

test.each([1, 2, 3, 4, 5])(
  'a crash at call %i of the job, before it arrives or after',
  {
    timeout: patient,
  },
  async (step) => {
    for (const arrives of env.PROVE ? [true, false] : [Math.random() < 0.5]) {
      for (let round = 0; round < scaled(20); round++) {
        let calls = 0;
        const { stub, purchase } = buyer();
        const bank = openBank(undefined, (next) => async (input, init) => {
          calls += 1;
          if (calls !== step) return next(input, init);
          if (arrives) await next(input, init);
          runInDurableObject(stub, (_object, state) => state.abort('crash')).catch(() => {});
          return new Promise(() => {});
        });
        const attempt = await buy(stub, purchase);
        expect(attempt.state).toBe('active');
        expect(bank.captures()).toHaveLength(1);
      }
    }
  },
);
