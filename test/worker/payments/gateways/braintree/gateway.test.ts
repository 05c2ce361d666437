import { expect, test, vi } from 'vitest';
import { builtInCatalog } from '../../../../../worker/catalog/rules/catalog.ts';
import { sendLimitMs } from '../../../../../worker/payments/purchase/gateway-try.ts';
import { chargeRequest, gateway, nonceOfCard, stubBraintree } from './braintree-fixture.ts';

const plans = ['monthly_7d_usd', 'monthly_usd', 'quarterly_eur', 'guide_1799_eur'];
const intro = 'monthly_7d_usd';
const minute = 60_000;

test.each(plans)('Braintree: %s is charged once, and found again by its id', async (plan) => {
  const { fake } = stubBraintree();
  const request = await chargeRequest(plan);
  const row = builtInCatalog.planById(plan);
  const first = await gateway.charge(request);
  expect(first).toMatchObject({
    kind: 'active',
    charge: {
      amount: row?.today,
      currency: row?.currency,
      subscriptionId: row?.period === 'once' ? null : request.attempt.id,
    },
  });
  expect(request.attempt.paymentId).toBe(fake.captures()[0]?.transaction);
  expect(await gateway.lookUp(request)).toEqual(first);
  expect(await gateway.cancelUnpaid(request)).toEqual(first);
  expect(fake.captures()).toMatchObject([{ orderId: request.attempt.id, refunded: 0 }]);
  const renewals = Object.values(fake.state.subscriptions);
  expect(renewals.map(({ price }) => price)).toEqual(row?.period === 'once' ? [] : [row?.price]);
});

test.each(['fake-processor-declined-visa-nonce', 'fake-gateway-rejected-fraud-nonce'])(
  'Braintree: %s is declined, and nothing is stored or charged',
  async (nonce) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { fake } = stubBraintree();
    const request = await chargeRequest(intro, nonce);
    const outcome = await gateway.charge(request);
    expect(outcome).toMatchObject({ kind: 'declined', declineCode: 'generic_decline' });
    vi.setSystemTime(Date.now() + 2 * minute);
    expect(await gateway.lookUp(request)).toEqual(outcome);
    expect(await gateway.cancelUnpaid(request)).toEqual(outcome);
    expect(fake.captures()).toEqual([]);
    expect([fake.state.subscriptions, fake.state.methods]).toEqual([{}, {}]);
  },
);

test('Braintree: a consumed and an unknown nonce are rejected', async () => {
  const { fake } = stubBraintree();
  for (const nonce of ['fake-consumed-nonce', 'tokencc_nobody']) {
    expect(await gateway.charge(await chargeRequest(intro, nonce))).toMatchObject({
      kind: 'rejected',
    });
  }
  expect(fake.captures()).toEqual([]);
});

test('Braintree: an attempt that gets close to its time limit while its nonce is read is not sent', async () => {
  const now = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now });
  const { fake, calls } = stubBraintree({
    before: ({ path }) => {
      if (path.startsWith('/payment_method_nonces/')) vi.setSystemTime(now + 20_000);
      return undefined;
    },
  });
  const openedAt = now - sendLimitMs + 35_000;
  const request = await chargeRequest('monthly_usd', 'fake-valid-nonce', { openedAt });
  expect(await gateway.charge(request)).toEqual({ kind: 'unknown' });
  expect(calls.at(-1)?.path).toBe('/payment_method_nonces/fake-valid-nonce');
  expect(fake.captures()).toEqual([]);
});

/** A Braintree that loses its reply to a sale (or the sale itself), on fake time. */
function stubWithLostSales({ searchLag = minute, arrives = true } = {}) {
  vi.useFakeTimers({ toFake: ['Date'] });
  const lose = ({ body }: { body: string }) => {
    if (body.includes('chargePaymentMethod')) throw new TypeError('network connection lost');
    return undefined;
  };
  const opened = stubBraintree({
    searchLag,
    ...(arrives ? { after: lose } : { before: lose }),
  });
  const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);
  return { ...opened, pass };
}
const sends = ({ calls }: Pick<ReturnType<typeof stubBraintree>, 'calls'>) =>
  calls.filter(({ body }) => body.includes('chargePaymentMethod')).length;

test('Braintree: a sale whose reply was lost is unknown until the search finds it', async () => {
  const braintree = stubWithLostSales();
  const request = await chargeRequest(intro);
  await expect(gateway.charge(request)).rejects.toThrow('lost');
  expect(request.attempt).toMatchObject({ state: 'sent', sentAt: Date.now() });
  braintree.pass(minute - 1);
  expect(await gateway.cancelUnpaid(request)).toEqual({ kind: 'unknown' });
  braintree.pass(1);
  expect(await gateway.cancelUnpaid(request)).toMatchObject({
    kind: 'active',
    charge: { amount: 699 },
  });
  expect([sends(braintree), braintree.fake.captures().length]).toEqual([1, 1]);
});

test('Braintree: a sale that never arrived is not retried, and expires after five minutes', async () => {
  const braintree = stubWithLostSales({ arrives: false });
  const request = await chargeRequest(intro, await nonceOfCard(braintree.fake, '4111111111111111'));
  await expect(gateway.charge(request)).rejects.toThrow('lost');
  braintree.pass(5 * minute - 1);
  expect(await gateway.cancelUnpaid(request)).toEqual({ kind: 'unknown' });
  braintree.pass(1);
  expect(await gateway.cancelUnpaid(request)).toEqual({ kind: 'rejected', reason: 'expired' });
  expect([sends(braintree), braintree.fake.captures().length]).toEqual([1, 0]);
});

test('Braintree: a consumed nonce means a sale, however far the search lags', async () => {
  const braintree = stubWithLostSales({ searchLag: 60 * minute });
  const request = await chargeRequest(intro, await nonceOfCard(braintree.fake, '4111111111111111'));
  await expect(gateway.charge(request)).rejects.toThrow('lost');
  braintree.pass(59 * minute);
  expect(await gateway.cancelUnpaid(request)).toEqual({ kind: 'unknown' });
  braintree.pass(minute);
  expect(await gateway.cancelUnpaid(request)).toMatchObject({ kind: 'active' });
});

test('Braintree: a decline whose reply was lost is declined once it is found', async () => {
  const braintree = stubWithLostSales();
  const request = await chargeRequest(intro, 'fake-processor-declined-visa-nonce');
  await expect(gateway.charge(request)).rejects.toThrow('lost');
  braintree.pass(minute);
  expect(await gateway.cancelUnpaid(request)).toMatchObject({ kind: 'declined' });
});

test('Braintree: a sale stopped by duplicate checking is unknown, not declined', async () => {
  const { fake } = stubBraintree();
  const request = await chargeRequest('monthly_usd');
  expect(await gateway.charge(request)).toMatchObject({ kind: 'active' });
  // The runtime may send a request twice on its own.
  const attempt = { ...request.attempt, paymentId: null };
  expect(await gateway.charge({ ...request, attempt, record() {} })).toEqual({ kind: 'unknown' });
  expect(fake.captures()).toHaveLength(1);
});
