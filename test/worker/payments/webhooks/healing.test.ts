import { env, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import type { GatewayName } from '../../../../worker/payments/rules/attempt.ts';
import type { OwnedSubscription } from '../../../../worker/payments/subscription-changes.ts';
import { approved, buy, buyer, openBanks, quietly } from '../payments-fixture.ts';
import { dispute, refund } from '../purchases/provider-side.ts';

quietly();

const day = 86_400_000;
const gateways: GatewayName[] = ['stripe', 'braintree'];

/** An account that bought, at a bank whose messages all are lost. */
async function bought(gateway: GatewayName) {
  vi.useFakeTimers({ toFake: ['Date'] });
  const bank = openBanks({ now: () => Date.now() });
  const { stub, purchase } = buyer({ gateway, nonce: approved[gateway] });
  const main = await buy(stub, purchase);
  const later = async (days: number) => {
    vi.setSystemTime(Date.now() + days * day);
    await runDurableObjectAlarm(stub);
  };
  const alarm = () => runInDurableObject(stub, (_, state) => state.storage.getAlarm());
  const kinds = async (attempt: string) => {
    const { results } = await env.DB.prepare(
      'SELECT kind FROM ledger WHERE attempt_id = ? ORDER BY kind',
    )
      .bind(attempt)
      .all<{ kind: string }>();
    return results.map((row: { kind: string }) => row.kind);
  };
  return { bank, stub, purchase, main, later, alarm, kinds };
}

test.each(gateways)('sync: %s: a dispute without a webhook is found', async (gateway) => {
  const { bank, stub, purchase, later, kinds } = await bought(gateway);
  const guide = await buy(stub, { ...purchase, plan: 'guide_1799_usd', nonce: null });
  for (let months = 0; months < 4; months += 1) await later(31);
  await dispute(bank, gateway, guide.charge?.paymentId ?? '');
  expect(await kinds(guide.id)).toEqual(['capture']);
  await later(31);
  expect(await kinds(guide.id)).toEqual(['capture', 'dispute']);
  const all: OwnedSubscription[] = await stub.ownedSubscriptions();
  const held = all.find(({ subscription: { attempt } }) => attempt === guide.id);
  expect(held?.subscription.status).toBe('ended');
});

test.each(gateways)(
  'sync: %s: a refund after the end is found; reads stop after 180 days',
  async (gateway) => {
    const { bank, stub, main, later, alarm, kinds } = await bought(gateway);
    await stub.cancelSubscription(main.id);
    await runDurableObjectAlarm(stub);
    await later(32);
    expect((await stub.ownedSubscriptions())[0]?.subscription.status).toBe('ended');
    await refund(bank, gateway, main.charge?.paymentId ?? '');
    await later(31);
    expect(await kinds(main.id)).toEqual(['capture', 'refund']);
    for (let months = 0; months < 5 && (await alarm()) !== null; months += 1) await later(31);
    expect(await alarm()).toBeNull();
  },
);
