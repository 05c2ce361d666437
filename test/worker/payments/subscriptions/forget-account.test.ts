import { env, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import type { GatewayName } from '../../../../worker/payments/purchase/state.ts';
import { PurchaseStorage } from '../../../../worker/payments/storage/purchase-storage.ts';
import {
  forgetAccount,
  forgetElsewhere,
} from '../../../../worker/payments/subscriptions/forget-account.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import { buy, buyer, expectBalanced, gateways, hourMs, stubGateways } from '../payments-fixture.ts';

/** A buyer, and the e-mail addresses that the gateways have. */
async function buyPlan(gateway: GatewayName) {
  let down = false;
  const fakes = stubGateways({
    wrap: (next) => async (input, init) =>
      down ? new Response('', { status: 401 }) : next(input, init),
  });
  const { stub, purchase } = buyer({ gateway, nonce: approved[gateway] });
  await buy(stub, purchase);
  const emails = () =>
    [fakes.stripe, fakes.braintree].flatMap(({ state }) =>
      Object.values(state.customers).map(({ email }) => email),
    );
  const set = (is: boolean) => {
    down = is;
  };
  return { fakes, stub, emails, set, email: purchase.email };
}

test.each(gateways)(
  'account deletion: %s deletes the e-mail, and the payments stay',
  async (gateway) => {
    const { fakes, stub, emails, email } = await buyPlan(gateway);
    expect(emails()).toEqual([email]);
    await stub.deleteAccount(async () => null);
    await runDurableObjectAlarm(stub);
    expect(emails().join('')).toBe('');
    expect(await stub.sync()).toBe(true);
    expect((await stub.ownedSubscriptions())[0]?.subscription).toMatchObject({ ends: true });
    await expectBalanced(stub, fakes.captured());
  },
);

test('account deletion: a gateway that is down is called again in an hour, until it has deleted the e-mail', async () => {
  const { stub, emails, set, email } = await buyPlan('stripe');
  await runInDurableObject(stub, async (_, state) => {
    const storage = new PurchaseStorage(state.storage.kv as never);
    forgetAccount(storage, env);
    set(true);
    const again = (await forgetElsewhere(storage, env)) ?? 0;
    expect([Math.round((again - Date.now()) / hourMs), ...emails()]).toEqual([1, email]);
    set(false);
    expect(await forgetElsewhere(storage, env)).toBeNull();
    expect(emails().join('')).toBe('');
    set(true);
    expect(await forgetElsewhere(storage, env)).toBeNull();
  });
});

test('account deletion: no gateway is called for an account that never bought', async () => {
  const calls = vi.fn();
  vi.stubGlobal('fetch', calls);
  await runInDurableObject(buyer().stub, async (_, state) => {
    const storage = new PurchaseStorage(state.storage.kv as never);
    forgetAccount(storage, env);
    expect(await forgetElsewhere(storage, env)).toBeNull();
  });
  expect(calls).not.toHaveBeenCalled();
});
