import { expect, test, vi } from 'vitest';
import { planById } from '../../../../../worker/catalog/plans.ts';
import { sendLimitMs } from '../../../../../worker/payments/rules/attempt.ts';
import { minor } from '../../../../../worker/types.ts';
import { attemptId } from '../../attempt-fixture.ts';
import { quietly } from '../../payments-fixture.ts';
import { gateway, nonceOfCard, openBraintree, orderOf } from './braintree-fixture.ts';

quietly();

const plans = ['monthly_7d_usd', 'monthly_usd', 'quarterly_eur', 'guide_1799_eur'];
const intro = 'monthly_7d_usd';
const minute = 60_000;

test('Braintree: an account has one customer, however often it is requested', async () => {
  const { bank } = openBraintree();
  const ids = await Promise.all([1, 2].map(() => gateway.customer('same', 'a@example.com')));
  ids.push(await gateway.customer('same', 'a@example.com'));
  expect(new Set(ids).size).toBe(1);
  expect(Object.keys(bank.state.customers)).toEqual(['same']);
});

test('Braintree: only the customer call has the e-mail', async () => {
  const { calls } = openBraintree();
  const order = await orderOf(intro);
  await gateway.charge(order);
  await gateway.lookUp(order);
  await gateway.cancelUnpaid(order);
  const told = calls.filter(({ path, body }) => /example\.com|%40/.test(path + body));
  expect(told.map(({ path }) => path)).toEqual(['/customers']);
  expect(calls.length).toBeGreaterThan(6);
});

test.each(plans)('Braintree: %s is charged once, and found again by its id', async (plan) => {
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
  expect(order.attempt.paymentId).toBe(bank.captures()[0]?.transaction);
  expect(await gateway.lookUp(order)).toEqual(first);
  expect(await gateway.cancelUnpaid(order)).toEqual(first);
  expect(bank.captures()).toMatchObject([{ orderId: order.attempt.id, refunded: 0 }]);
  const renewals = Object.values(bank.state.subscriptions);
  expect(renewals.map(({ price }) => price)).toEqual(row?.period === 'once' ? [] : [row?.price]);
});

test.each([
  ['monthly_7d_usd', '2026-02-07', '2026-03-07'],
  ['monthly_usd', '2026-02-28', '2026-03-28'],
  ['quarterly_usd', '2026-04-30', '2026-07-30'],
])('Braintree: %s renews on %s, then on %s', async (plan, ...days) => {
  let now = Date.UTC(2026, 0, 31, 12);
  const { bank } = openBraintree({ now: () => now });
  await gateway.charge(await orderOf(plan));
  for (const [i, day] of days.entries()) {
    now = Date.parse(`${day}T11:00:00Z`);
    await bank.passTime();
    expect(bank.captures()).toHaveLength(1 + i);
    now = Date.parse(`${day}T12:00:00Z`);
    await bank.passTime();
    expect(bank.captures()).toHaveLength(2 + i);
    expect(bank.captures().at(-1)?.amount).toBe(planById(plan)?.price);
  }
});

test.each(['fake-processor-declined-visa-nonce', 'fake-gateway-rejected-fraud-nonce'])(
  'Braintree: %s is declined, and nothing is stored or charged',
  async (nonce) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { bank } = openBraintree({ now: () => Date.now() });
    const order = await orderOf(intro, nonce);
    const outcome = await gateway.charge(order);
    expect(outcome).toMatchObject({ kind: 'declined', declineCode: 'generic_decline' });
    vi.setSystemTime(Date.now() + 2 * minute);
    expect(await gateway.lookUp(order)).toEqual(outcome);
    expect(await gateway.cancelUnpaid(order)).toEqual(outcome);
    expect(bank.captures()).toEqual([]);
    expect([bank.state.subscriptions, bank.state.methods]).toEqual([{}, {}]);
  },
);

test('Braintree: a consumed and an unknown nonce are rejected', async () => {
  const { bank } = openBraintree();
  for (const nonce of ['fake-consumed-nonce', 'tokencc_nobody']) {
    expect(await gateway.charge(await orderOf(intro, nonce))).toMatchObject({ kind: 'rejected' });
  }
  expect(bank.captures()).toEqual([]);
});

test('Braintree: one nonce in two attempts is charged once', async () => {
  const { bank } = openBraintree();
  const nonce = await nonceOfCard(bank, '4111111111111111');
  const orders = [await orderOf('monthly_usd', nonce), await orderOf('monthly_usd', nonce)];
  const kinds = await Promise.all(orders.map(async (order) => (await gateway.charge(order)).kind));
  expect(kinds.sort()).toEqual(['active', 'rejected']);
  expect(bank.captures()).toHaveLength(1);
});

test('Braintree: an attempt close to its time limit is not sent', async () => {
  const { bank } = openBraintree();
  const openedAt = Date.now() - sendLimitMs + 20_000;
  const order = await orderOf('monthly_usd', 'fake-valid-nonce', { openedAt });
  expect(await gateway.charge(order)).toEqual({ kind: 'unknown' });
  expect(await gateway.lookUp(order)).toEqual({ kind: 'none' });
  expect(await gateway.cancelUnpaid(order)).toEqual({ kind: 'rejected', reason: 'expired' });
  expect(bank.captures()).toEqual([]);
});

test('Braintree: an attempt that gets close to its time limit while its nonce is read is not sent', async () => {
  const now = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now });
  const { bank, calls } = openBraintree({
    before: ({ path }) => {
      if (path.startsWith('/payment_method_nonces/')) vi.setSystemTime(now + 20_000);
      return undefined;
    },
  });
  const openedAt = now - sendLimitMs + 35_000;
  const order = await orderOf('monthly_usd', 'fake-valid-nonce', { openedAt });
  expect(await gateway.charge(order)).toEqual({ kind: 'unknown' });
  expect(calls.at(-1)?.path).toBe('/payment_method_nonces/fake-valid-nonce');
  expect(bank.captures()).toEqual([]);
});

test('Braintree: a refused e-mail creates no customer', async () => {
  openBraintree({
    before: () =>
      new Response(
        '<api-error-response><errors><customer><errors type="array"><error><code>81604</code></error></errors></customer></errors></api-error-response>',
        { status: 422 },
      ),
  });
  expect(await gateway.customer('a', 'ann@')).toBeUndefined();
});

test('Braintree: another attempt of the same customer is not mistaken for this one', async () => {
  openBraintree();
  const order = await orderOf('monthly_usd');
  await gateway.charge(order);
  const id = attemptId();
  const other = { ...order, attempt: { ...order.attempt, id, paymentId: null } };
  expect(await gateway.lookUp(other)).toEqual({ kind: 'none' });
});

test('Braintree: an upsell charges the saved method and stores none', async () => {
  const { bank } = openBraintree();
  const order = await orderOf('monthly_usd');
  const main = await gateway.charge(order);
  const methodId = main.kind === 'active' ? main.charge.methodId : '';
  const id = attemptId();
  const upsell = { plan: 'upsell_monthly_799_usd', amount: minor(799), nonce: null } as const;
  const attempt = { ...order.attempt, id, ...upsell };
  const extra = { ...attempt, paymentId: null, state: 'open' } as const;
  expect(await gateway.charge({ ...order, attempt: extra, methodId })).toMatchObject({
    kind: 'active',
    charge: { amount: 799, methodId, subscriptionId: id },
  });
  expect(Object.keys(bank.state.methods)).toHaveLength(1);
  expect(bank.captures()).toHaveLength(2);
});

/** A Braintree that loses its reply to a sale (or the sale itself), on fake time. */
function losingSales({ searchLag = minute, arrives = true } = {}) {
  vi.useFakeTimers({ toFake: ['Date'] });
  const lose = ({ body }: { body: string }) => {
    if (body.includes('chargePaymentMethod')) throw new TypeError('network connection lost');
    return undefined;
  };
  const opened = openBraintree({
    now: () => Date.now(),
    searchLag,
    ...(arrives ? { after: lose } : { before: lose }),
  });
  const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);
  return { ...opened, pass };
}
const sends = ({ calls }: Pick<ReturnType<typeof openBraintree>, 'calls'>) =>
  calls.filter(({ body }) => body.includes('chargePaymentMethod')).length;

test('Braintree: a sale whose reply was lost is unknown until the search finds it', async () => {
  const braintree = losingSales();
  const order = await orderOf(intro);
  await expect(gateway.charge(order)).rejects.toThrow('lost');
  expect(order.attempt).toMatchObject({ state: 'sent', sentAt: Date.now() });
  braintree.pass(minute - 1);
  expect(await gateway.cancelUnpaid(order)).toEqual({ kind: 'unknown' });
  braintree.pass(1);
  expect(await gateway.cancelUnpaid(order)).toMatchObject({
    kind: 'active',
    charge: { amount: 699 },
  });
  expect([sends(braintree), braintree.bank.captures().length]).toEqual([1, 1]);
});

test('Braintree: a sale that never arrived is not retried, and expires after five minutes', async () => {
  const braintree = losingSales({ arrives: false });
  const order = await orderOf(intro, await nonceOfCard(braintree.bank, '4111111111111111'));
  await expect(gateway.charge(order)).rejects.toThrow('lost');
  braintree.pass(5 * minute - 1);
  expect(await gateway.cancelUnpaid(order)).toEqual({ kind: 'unknown' });
  braintree.pass(1);
  expect(await gateway.cancelUnpaid(order)).toEqual({ kind: 'rejected', reason: 'expired' });
  expect([sends(braintree), braintree.bank.captures().length]).toEqual([1, 0]);
});

test('Braintree: a consumed nonce means a sale, however far the search lags', async () => {
  const braintree = losingSales({ searchLag: 60 * minute });
  const order = await orderOf(intro, await nonceOfCard(braintree.bank, '4111111111111111'));
  await expect(gateway.charge(order)).rejects.toThrow('lost');
  braintree.pass(59 * minute);
  expect(await gateway.cancelUnpaid(order)).toEqual({ kind: 'unknown' });
  braintree.pass(minute);
  expect(await gateway.cancelUnpaid(order)).toMatchObject({ kind: 'active' });
});

test('Braintree: a decline whose reply was lost is declined once it is found', async () => {
  const braintree = losingSales();
  const order = await orderOf(intro, 'fake-processor-declined-visa-nonce');
  await expect(gateway.charge(order)).rejects.toThrow('lost');
  braintree.pass(minute);
  expect(await gateway.cancelUnpaid(order)).toMatchObject({ kind: 'declined' });
});

test('Braintree: a sale stopped by duplicate checking is unknown, not declined', async () => {
  const { bank } = openBraintree();
  const order = await orderOf('monthly_usd');
  expect(await gateway.charge(order)).toMatchObject({ kind: 'active' });
  // The runtime may send a request twice of its own accord.
  const attempt = { ...order.attempt, paymentId: null };
  expect(await gateway.charge({ ...order, attempt, record() {} })).toEqual({ kind: 'unknown' });
  expect(bank.captures()).toHaveLength(1);
});
