import { env, runInDurableObject } from 'cloudflare:test';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Env } from '../../../worker/env.ts';
import type { Purchases } from '../../../worker/payments/purchases-object.ts';
import {
  buy,
  buyer,
  copied,
  listen,
  openBank,
  postBox,
  settle,
} from '../payments/payments-fixture.ts';
import { hurry, outages } from './faulty-binding.ts';

beforeEach(() => {
  listen();
  hurry(100);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const everything = outages.filter(([name]) => name === 'everything');

test.each(everything)(
  'with %s around the object down (every call %s) a plan and an extra are bought, and told later',
  async (_name, _fault, down) => {
    const bank = openBank();
    const { stub, purchase } = buyer();
    await runInDurableObject(stub, (object: Purchases) => {
      const around = { ...env, ...down } as Env;
      Object.defineProperty(object, 'env', { value: around, configurable: true });
    });
    const plan = await buy(stub, purchase);
    const extra = await buy(stub, { ...purchase, plan: 'upsell_monthly_799_usd', nonce: null });
    expect([plan.state, extra.state]).toEqual(['active', 'active']);
    expect(bank.captures().map(({ amount }) => amount)).toEqual([3999, 799]);
    expect(await copied(purchase.account)).toEqual([0, 0, 0]);
    const box = await postBox(stub);
    await settle(stub);
    expect(await copied(purchase.account)).toEqual([2, 2, 2]);
    expect(box.letters()).toEqual(['bought', 'bought']);
  },
);
