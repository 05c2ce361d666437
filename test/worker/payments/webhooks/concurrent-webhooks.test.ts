import { runInDurableObject } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import type { Purchases } from '../../../../worker/payments/purchases-object.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import { buy, buyer, runAlarm, stubGateways } from '../payments-fixture.ts';

test.each(['stripe', 'braintree'] as const)(
  'webhooks: %s: concurrent webhooks for one account cause one read at the provider',
  async (gateway) => {
    stubGateways();
    const { stub, purchase } = buyer({ gateway, nonce: approved[gateway] });
    expect((await buy(stub, purchase)).state).toBe('active');
    await runAlarm(stub);
    const fakes = globalThis.fetch;
    let calls = 0;
    vi.stubGlobal('fetch', (...call: Parameters<typeof fetch>) => {
      calls += 1;
      return fakes(...call);
    });
    expect(await stub.sync()).toBe(true);
    const one = calls;
    expect(one).toBeGreaterThan(0);
    calls = 0;
    const answers = await runInDurableObject(stub, (object: Purchases) =>
      Promise.all(Array.from({ length: 50 }, () => object.sync())),
    );
    expect(answers).toEqual(Array(50).fill(true));
    expect(calls).toBe(one);
  },
);
