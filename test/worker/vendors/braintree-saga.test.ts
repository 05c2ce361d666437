import { afterEach, expect, test, vi } from 'vitest';
import { planById } from '../../../worker/funnel/plans.ts';
import { patience } from '../../patience.ts';
import { scaled, seeded } from '../purchases/bank.ts';
import { gateway, openBraintree, orderOf, patiently, until } from './braintree-bank.ts';

afterEach(() => void vi.unstubAllGlobals());

const plans = ['monthly_7d_usd', 'monthly_usd', 'quarterly_eur', 'guide_1799_eur'];
const intro = 'monthly_7d_usd';
const isSubscription = ({ method, path }: { method: string; path: string }) =>
  method === 'POST' && path === '/subscriptions';
const isCharge = ({ body }: { body: string }) => body.includes('chargePaymentMethod');

test.each([
  ['before it is settled', 0, 'VOIDED'],
  ['after it is settled', 2 * 24 * 3_600_000, 'SETTLED'],
])('a subscription that is finally refused gives the money back %s', async (_, later, status) => {
  let now = Date.now();
  const { bank } = openBraintree({
    now: () => now,
    cycleOf: () => undefined,
    before: (call) => {
      if (isSubscription(call)) now += later;
      return undefined;
    },
  });
  const order = await orderOf(intro);
  const outcome = await gateway.charge(order);
  const money = { captures: [{ amount: 699 }], refunds: [{ amount: 699 }] };
  const no = { kind: 'rejected', undone: money };
  expect(outcome).toMatchObject({ ...no, reason: 'subscription refused 91904' });
  expect(bank.captures()).toMatchObject([{ amount: 699, refunded: 699 }]);
  expect(Object.values(bank.state.transactions)[0]?.status).toBe(status);
  // However often it is asked again, it stays given back, and nothing more is.
  for (const again of [gateway.charge, gateway.settle]) {
    expect(await again(order)).toMatchObject(no);
  }
  expect(await gateway.lookUp(order)).toMatchObject(no);
  expect(bank.captures()).toMatchObject([{ amount: 699, refunded: 699 }]);
});

test('the reversal’s lost reply is a reversal all the same', async () => {
  let lost = 0;
  const { bank } = openBraintree({
    cycleOf: () => undefined,
    after: ({ body }) => {
      if (lost === 3 || !body.includes('reverseTransaction')) return;
      lost += 1;
      throw new TypeError('network connection lost');
    },
  });
  const order = await orderOf(intro);
  await expect(gateway.charge(order)).rejects.toThrow('lost');
  expect(await gateway.charge(order)).toMatchObject({ kind: 'rejected' });
  expect(bank.captures()).toMatchObject([{ refunded: 699 }]);
});

test.each([500, 429, 401])(
  'a subscription answered %i is tried again, not undone',
  async (status) => {
    let refused = 0;
    const { bank } = openBraintree({
      before: (call) => {
        if (!isSubscription(call)) return undefined;
        refused += 1;
        return refused > 1 ? undefined : new Response('', { status });
      },
    });
    const order = await orderOf(intro);
    await expect(gateway.charge(order)).rejects.toThrow(`http ${status}`);
    expect(await gateway.lookUp(order)).toEqual({ kind: 'unfinished' });
    expect(await gateway.charge(order)).toMatchObject({ kind: 'active' });
    expect(bank.captures()).toMatchObject([{ refunded: 0 }]);
  },
);

test('money that was taken is sold even when the attempt is late', async () => {
  const { bank } = openBraintree({
    before: (call) => (isSubscription(call) && late ? undefined : failing(call)),
  });
  let late = false;
  const failing = (call: { method: string; path: string }) =>
    isSubscription(call) ? new Response('', { status: 503 }) : undefined;
  const order = await orderOf(intro);
  await expect(gateway.charge(order)).rejects.toThrow('503');
  late = true;
  expect(await gateway.settle(order)).toMatchObject({ kind: 'active' });
  expect(bank.captures()).toMatchObject([{ refunded: 0 }]);
});

test('a subscription that was ended meanwhile gives today’s money back', async () => {
  let cut = 3;
  const { bank } = openBraintree({
    after: (call) => {
      if (!isSubscription(call) || cut === 0) return;
      cut -= 1;
      throw new TypeError('network connection lost');
    },
  });
  const order = await orderOf(intro);
  await expect(gateway.charge(order)).rejects.toThrow('lost');
  const subscription = bank.state.subscriptions[order.attempt.id];
  if (subscription) subscription.status = 'Canceled';
  expect(await gateway.settle(order)).toMatchObject({
    kind: 'rejected',
    reason: 'subscription ended',
  });
  expect(bank.captures()).toMatchObject([{ refunded: 699 }]);
});

test('a key that is in use is no answer: the money may be on its way', async () => {
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  let first = true;
  const { bank, calls } = openBraintree({
    during: () => {
      const wait = first && calls.some(isCharge) ? held : undefined;
      if (wait) first = false;
      return wait;
    },
  });
  const order = await orderOf('monthly_usd');
  const slow = gateway.charge(order);
  await vi.waitFor(() => expect(first).toBe(false), patience);
  await expect(gateway.charge(order)).rejects.toThrow('VALIDATION');
  release();
  expect(await slow).toMatchObject({ kind: 'active' });
  expect(await gateway.charge(order)).toEqual(await slow);
  expect(bank.captures()).toHaveLength(1);
});

test('40 % of all replies lost: every order is charged once', { timeout: 120_000 }, async () => {
  const { bank } = openBraintree({ faults: { rate: 0.4, random: seeded(11) } });
  for (let round = 0; round < scaled(200); round++) {
    const plan = plans[round % plans.length] ?? intro;
    const order = await patiently(() => orderOf(plan));
    expect(await until(() => gateway.charge(order))).toMatchObject({ kind: 'active' });
    const mine = bank.captures().filter(({ orderId }) => orderId === order.attempt.id);
    expect(mine).toMatchObject([{ amount: planById(plan)?.today, refunded: 0 }]);
  }
});
