import { afterEach, expect, test, vi } from 'vitest';
import { planById } from '../../../worker/funnel/plans.ts';
import { sendLimit } from '../../../worker/funnel/purchase.ts';
import { scaled, seeded } from '../purchases/bank.ts';
import {
  gateway,
  nonceOfCard,
  openBraintree,
  orderOf,
  patiently,
  returned,
  until,
  verifiedNonce,
} from './braintree-bank.ts';

afterEach(() => void vi.unstubAllGlobals());

const plans = ['monthly_7d_usd', 'monthly_usd', 'quarterly_eur', 'guide_1799_eur'];
const intro = 'monthly_7d_usd';
const expired = { kind: 'rejected', reason: 'expired' };
const isSubscription = ({ method, path }: { method: string; path: string }) =>
  method === 'POST' && path === '/subscriptions';
const isCharge = ({ body }: { body: string }) => body.includes('chargePaymentMethod');

test('an account has one customer, however often it is asked for', async () => {
  const { bank } = openBraintree();
  const ids = await Promise.all([1, 2].map(() => gateway.customer('same', 'a@example.com')));
  ids.push(await gateway.customer('same', 'a@example.com'));
  expect(new Set(ids).size).toBe(1);
  expect(Object.keys(bank.state.customers)).toEqual(['same']);
});

test('the e-mail goes to the customer’s call and to no other', async () => {
  const { calls } = openBraintree();
  const order = await orderOf(intro);
  await gateway.charge(order);
  await gateway.lookUp(order);
  await gateway.settle(order);
  const told = calls.filter(({ path, body }) => /example\.com|%40/.test(path + body));
  expect(told.map(({ path }) => path)).toEqual(['/customers']);
  expect(calls.length).toBeGreaterThan(6);
});

test.each(plans)('%s is charged once however often it is sent', async (plan) => {
  const { bank } = openBraintree();
  const order = await orderOf(plan);
  const row = planById(plan);
  const first = await gateway.charge(order);
  expect(first).toMatchObject({
    kind: 'active',
    charge: {
      amount: row?.today,
      currency: row?.currency,
      subscriptionId: row?.period === 'once' ? null : order.attempt.id,
    },
  });
  expect(await gateway.charge(order)).toEqual(first);
  expect(await gateway.lookUp(order)).toEqual(first);
  expect(await gateway.settle(order)).toEqual(first);
  expect(bank.captures()).toMatchObject([{ orderId: order.attempt.id, refunded: 0 }]);
  const renewals = Object.values(bank.state.subscriptions);
  expect(renewals.map(({ price }) => price)).toEqual(row?.period === 'once' ? [] : [row?.price]);
});

test.each([
  ['monthly_7d_usd', '2026-02-07', '2026-03-07'],
  ['monthly_usd', '2026-02-28', '2026-03-28'],
  ['quarterly_usd', '2026-04-30', '2026-07-30'],
])('%s is charged again on %s, then on %s', async (plan, ...days) => {
  let now = Date.UTC(2026, 0, 31, 12);
  const { bank } = openBraintree({ now: () => now });
  await gateway.charge(await orderOf(plan));
  for (const [i, day] of days.entries()) {
    now = Date.parse(`${day}T11:00:00Z`);
    await bank.pass();
    expect(bank.captures()).toHaveLength(1 + i);
    now = Date.parse(`${day}T12:00:00Z`);
    await bank.pass();
    expect(bank.captures()).toHaveLength(2 + i);
    expect(bank.captures().at(-1)?.amount).toBe(planById(plan)?.price);
  }
});

test.each(['fake-processor-declined-visa-nonce', 'fake-gateway-rejected-fraud-nonce'])(
  '%s is a decline that leaves nothing behind',
  async (nonce) => {
    const { bank } = openBraintree();
    const order = await orderOf(intro, nonce);
    const outcome = await gateway.charge(order);
    expect(outcome).toMatchObject({ kind: 'declined', declineCode: 'generic_decline' });
    expect(await gateway.lookUp(order)).toEqual(outcome);
    expect(await gateway.settle(order)).toEqual(outcome);
    expect(bank.captures()).toEqual([]);
    expect([bank.state.subscriptions, bank.state.methods]).toEqual([{}, {}]);
  },
);

test('a spent nonce is rejected, and so is one that nobody knows', async () => {
  const { bank } = openBraintree();
  for (const nonce of ['fake-consumed-nonce', 'tokencc_nobody']) {
    expect(await gateway.charge(await orderOf(intro, nonce))).toMatchObject({ kind: 'rejected' });
  }
  expect(bank.captures()).toEqual([]);
});

test('one nonce in two attempts is one sale', async () => {
  const { bank } = openBraintree();
  const nonce = await nonceOfCard(bank, '4111111111111111');
  const orders = [await orderOf('monthly_usd', nonce), await orderOf('monthly_usd', nonce)];
  const kinds = await Promise.all(orders.map(async (order) => (await gateway.charge(order)).kind));
  expect(kinds.sort()).toEqual(['active', 'rejected']);
  expect(bank.captures()).toHaveLength(1);
});

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
  expect(outcome).toEqual({ kind: 'rejected', reason: 'subscription refused 91904' });
  expect(bank.captures()).toMatchObject([{ amount: 699, refunded: 699 }]);
  expect(Object.values(bank.state.transactions)[0]?.status).toBe(status);
  // However often it is asked again, it stays given back, and nothing more is.
  for (const again of [gateway.charge, gateway.settle]) {
    expect(await again(order)).toMatchObject({ kind: 'rejected' });
  }
  expect(await gateway.lookUp(order)).toMatchObject({ kind: 'rejected' });
  expect(bank.captures()).toMatchObject([{ amount: 699, refunded: 699 }]);
});

test('the reversal’s lost reply is a reversal all the same', async () => {
  let lost = false;
  const { bank } = openBraintree({
    cycleOf: () => undefined,
    after: ({ body }) => {
      if (lost || !body.includes('reverseTransaction')) return;
      lost = true;
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
  let cut = true;
  const { bank } = openBraintree({
    after: (call) => {
      if (!isSubscription(call) || !cut) return;
      cut = false;
      throw new TypeError('network connection lost');
    },
  });
  const order = await orderOf(intro);
  await expect(gateway.charge(order)).rejects.toThrow('lost');
  const subscription = bank.state.subscriptions[order.attempt.id];
  if (subscription) subscription.status = 'Canceled';
  expect(await gateway.settle(order)).toEqual({ kind: 'rejected', reason: 'subscription ended' });
  expect(bank.captures()).toMatchObject([{ refunded: 699 }]);
});

test('an attempt near its limit is not sent any more', async () => {
  const { bank } = openBraintree();
  const openedAt = Date.now() - sendLimit + 20_000;
  const order = await orderOf('monthly_usd', 'fake-valid-nonce', { openedAt });
  expect(await gateway.charge(order)).toEqual({ kind: 'unknown' });
  expect(await gateway.lookUp(order)).toEqual({ kind: 'none' });
  expect(await gateway.settle(order)).toEqual(expired);
  expect(bank.captures()).toEqual([]);
});

test('another attempt of the same customer is not taken for this one', async () => {
  openBraintree();
  const order = await orderOf('monthly_usd');
  await gateway.charge(order);
  const other = { ...order, attempt: { ...order.attempt, id: crypto.randomUUID() } };
  expect(await gateway.lookUp(other)).toEqual({ kind: 'none' });
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
  await vi.waitFor(() => expect(first).toBe(false));
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

test('a European card is verified first: nonce and amount go to the payer', async () => {
  const { bank } = openBraintree();
  const nonce = await nonceOfCard(bank, '4000000000001000');
  const order = await orderOf(intro, nonce);
  expect(await gateway.charge(order)).toEqual({
    kind: 'challenge',
    paymentId: order.attempt.id,
    secret: '',
    nonce,
    amount: 699,
  });
  expect(bank.captures()).toEqual([]);
  const again = returned(order, await verifiedNonce(bank, nonce));
  expect(await gateway.charge(again)).toMatchObject({ kind: 'active', charge: { amount: 699 } });
  expect(await gateway.charge(again)).toMatchObject({ kind: 'active' });
  expect(bank.captures()).toHaveLength(1);
});

test('a payer whom the bank does not know is declined, whatever the browser says', async () => {
  const { bank } = openBraintree();
  const nonce = await nonceOfCard(bank, '4000000000001018');
  const order = await orderOf(intro, nonce);
  await gateway.charge(order);
  expect(await gateway.charge(returned(order, await verifiedNonce(bank, nonce)))).toMatchObject({
    kind: 'declined',
    declineCode: 'authentication_failed',
  });
  expect(bank.captures()).toEqual([]);
});

test('a bank that asks after the charge is answered by a new nonce, once', async () => {
  const { bank } = openBraintree();
  const order = await orderOf('monthly_usd', await nonceOfCard(bank, '4111111111111111'));
  // The issuer's soft decline, which the sandbox ties to a sum that is not ours.
  const declineFirst = (token: string) => bank.decline(token, '2099');
  const main = await gateway.charge(order);
  const methodId = main.kind === 'active' ? main.charge.methodId : '';
  declineFirst(Object.keys(bank.state.methods)[0] ?? '');
  const upsell = {
    ...order,
    methodId,
    attempt: {
      ...order.attempt,
      id: crypto.randomUUID(),
      plan: 'upsell_monthly_799_usd' as const,
      nonce: null,
    },
  };
  const challenge = await gateway.charge(upsell);
  expect(challenge).toMatchObject({
    kind: 'challenge',
    amount: 799,
    nonce: expect.stringMatching(/^tokencc/),
  });
  const { nonce = '' } = challenge as { nonce?: string };
  expect(await gateway.settle(upsell)).toEqual(expired);
  const verified = returned(upsell, await verifiedNonce(bank, nonce));
  // The same bank, not content with a verified payer: no third round.
  expect(await gateway.charge(verified)).toMatchObject({ kind: 'declined' });
  expect(bank.captures()).toHaveLength(1);
});

test('an upsell charges the saved method and stores none', async () => {
  const { bank } = openBraintree();
  const order = await orderOf('monthly_usd');
  const main = await gateway.charge(order);
  const methodId = main.kind === 'active' ? main.charge.methodId : '';
  const id = crypto.randomUUID();
  const attempt = { ...order.attempt, id, plan: 'upsell_monthly_799_usd' as const, nonce: null };
  expect(await gateway.charge({ ...order, attempt, methodId })).toMatchObject({
    kind: 'active',
    charge: { amount: 799, methodId, subscriptionId: id },
  });
  expect(Object.keys(bank.state.methods)).toHaveLength(1);
  expect(bank.captures()).toHaveLength(2);
});
