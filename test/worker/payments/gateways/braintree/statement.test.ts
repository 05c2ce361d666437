import { env } from 'cloudflare:test';
import { describe, expect, test, vi } from 'vitest';
import { decimal } from '../../../../../locales/format/currency.ts';
import { builtInCatalog } from '../../../../../worker/catalog/rules/catalog.ts';
import { braintreeCredentials } from '../../../../../worker/payments/gateways/braintree/client.ts';
import { checkPlans } from '../../../../../worker/payments/gateways/braintree/plan-check.ts';
import {
  cancelSubscription,
  readSubscription,
  subscribe,
} from '../../../../../worker/payments/gateways/braintree/subscription.ts';
import type { ChargeRequest } from '../../../../../worker/payments/purchase/gateway.ts';
import { minor, paymentIdOf } from '../../../../../worker/platform/types.ts';
import type { BraintreeOptions } from '../../../../fakes/braintree/server.ts';
import { ourPlans } from '../../../../fakes/braintree/subscriptions.ts';
import { paymentOf } from '../../../../payment-of.ts';
import { newRefund } from '../gateway-fixture.ts';
import { chargeRequest, gateway, stubBraintree } from './braintree-fixture.ts';

const day = 24 * 60 * 60_000;

/** A purchase on the first of January, on fake time. */
async function buyPlan() {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1, 12) });
  const { fake } = stubBraintree();
  const before = await chargeRequest('monthly_7d_usd', 'fake-valid-nonce');
  const outcome = await gateway.charge(before);
  if (outcome.kind !== 'active') throw new Error(outcome.kind);
  const { charge } = outcome;
  const attempt = { ...before.attempt, state: 'active', charge } as const;
  const request: ChargeRequest = { ...before, attempt };
  const later = async (days: number) => {
    vi.setSystemTime(Date.now() + days * day);
    await fake.passTime();
  };
  const read = () => gateway.statement(request);
  return { fake, order: request, paymentId: paymentOf(charge), later, read };
}

const dateOf = (at: number | null) => at && new Date(at).toISOString().slice(0, 10);

const sums = (list: { amount: number }[]) => list.map(({ amount }) => amount);

test('Braintree statement: an intro is paid until its days are over', async () => {
  const { read, paymentId } = await buyPlan();
  const { paidUntil, captures, ...rest } = await read();
  expect([dateOf(paidUntil), rest]).toEqual([
    '2026-01-08',
    {
      ...{ status: 'active', pausesUntil: null, ends: false, unpaid: 0, isDisputed: false },
      ...{ refunds: [], disputes: [] },
    },
  ]);
  expect(captures).toMatchObject([{ id: paymentId, paymentId, amount: 699 }]);
});

test('Braintree statement: each renewal is a capture', async () => {
  const { read, later } = await buyPlan();
  await later(40);
  const { paidUntil, captures, status } = await read();
  expect([status, sums(captures)]).toEqual(['active', [699, 3999, 3999]]);
  expect(dateOf(paidUntil)).toBe('2026-03-08');
  expect(new Set(captures.map(({ id }) => id)).size).toBe(3);
});

test('Braintree statement: a cancelled subscription stays active until the paid period ends', async () => {
  const { order: request, read, later } = await buyPlan();
  await gateway.cancel(request, 1);
  await gateway.cancel(request, 1);
  expect(await read()).toMatchObject({ status: 'active', ends: true });
  await later(8);
  expect(await read()).toMatchObject({ status: 'ended', ends: true });
});

test('Braintree statement: a voided payment counts as captured and refunded', async () => {
  const { fake, order: request, paymentId, read } = await buyPlan();
  expect(await gateway.refund(request, paymentId, minor(100), newRefund('a'))).toMatchObject({
    kind: 'refused',
    reason: expect.stringContaining('not settled'),
  });
  for (const _ of [1, 2]) {
    const whole = await gateway.refund(request, paymentId, minor(699), newRefund('b'));
    expect(whole).toEqual({ kind: 'voided' });
  }
  const { captures, refunds } = await read();
  expect([sums(captures), sums(refunds)]).toEqual([[699], [699]]);
  expect(fake.captures()).toMatchObject([{ amount: 699, refunded: 699 }]);
});

test('Braintree statement: partial refunds, once per key, never exceed the capture', async () => {
  const { order: request, paymentId, later, read } = await buyPlan();
  await later(2);
  for (let i = 0; i < 2; i += 1)
    expect(await gateway.refund(request, paymentId, minor(200), newRefund('a'))).toEqual({
      kind: 'refunded',
    });
  expect(await gateway.refund(request, paymentId, minor(500), newRefund('b'))).toMatchObject({
    kind: 'refused',
    reason: '91521',
  });
  expect(await gateway.refund(request, paymentId, minor(499), newRefund('c'))).toEqual({
    kind: 'refunded',
  });
  const nothing = paymentIdOf('nothing');
  expect(await gateway.refund(request, nothing, minor(1), newRefund('d'))).toMatchObject({
    kind: 'refused',
    reason: 'unknown transaction',
  });
  const { refunds } = await read();
  expect(refunds.map(({ paymentId: of, amount, refundKey }) => [of, amount, refundKey])).toEqual([
    [paymentId, 200, 'a'],
    [paymentId, 499, 'c'],
  ]);
});

test('Braintree statement: only a lost dispute counts', async () => {
  const { fake, paymentId, later, read } = await buyPlan();
  await later(2);
  fake.dispute(paymentId);
  expect(await read()).toMatchObject({ disputes: [], isDisputed: true });
  fake.lose(paymentId);
  const lost = { disputes: [{ paymentId, amount: 699 }], isDisputed: false };
  expect(await read()).toMatchObject(lost);
});

test.each(['accepted', 'auto_accepted', 'expired'] as const)(
  'Braintree statement: a dispute that ends as %s is lost',
  async (status) => {
    const { fake, paymentId, later, read } = await buyPlan();
    await later(2);
    fake.dispute(paymentId);
    fake.lose(paymentId, status);
    const lost = { disputes: [{ paymentId, amount: 699 }], isDisputed: false };
    expect(await read()).toMatchObject(lost);
  },
);

test('Braintree statement: a retrieval that nobody answered costs nothing', async () => {
  const { fake, paymentId, later, read } = await buyPlan();
  await later(2);
  fake.dispute(paymentId, 'retrieval');
  fake.lose(paymentId, 'expired');
  expect(await read()).toMatchObject({ disputes: [], isDisputed: false });
});

describe('Braintree subscription', () => {
  const account = braintreeCredentials(env);

  const day = 86_400_000;

  const start = Date.UTC(2026, 10, 30, 12);

  async function stored(options: BraintreeOptions = {}) {
    const clock = { now: start };
    const { fake } = stubBraintree({ now: () => clock.now, ...options });
    await gateway.charge(await chargeRequest('guide_899_usd'));
    return { fake, clock, token: Object.keys(fake.state.methods)[0] ?? '' };
  }

  test.each([
    ['monthly_3d', '2026-12-03'],
    ['monthly', '2026-12-30'],
    ['quarterly', '2027-02-28'],
  ] as const)('%s is billed first on %s', async (family, firstBillingDate) => {
    const { token } = await stored();
    const plan = builtInCatalog.planOf(family, 'USD');
    const made = await subscribe(account, { id: 'a', plan, coupon: null, token });
    const subscription = await readSubscription(account, 'a');
    expect(made).toEqual({ kind: 'done', subscription });
    expect(subscription).toMatchObject({
      id: 'a',
      status: 'Active',
      price: plan.price,
      firstBillingDate,
    });
  });

  test.each([
    ['UPSELL30', '3.00', 699],
    // Bought before the plan had a coupon, or without it.
    [null, undefined, 999],
  ])('with the coupon %j each renewal is %s less: %i', async (coupon, off, charged) => {
    const { fake, clock, token } = await stored();
    const plan = builtInCatalog.planOf('upsell_monthly_999', 'USD');
    await subscribe(account, { id: 'a', plan, coupon, token });
    const { price, discounts } = fake.state.subscriptions.a ?? {};
    expect([price, discounts?.map(({ amount }) => decimal(amount, 'USD'))]).toEqual([
      999,
      off ? [off] : [],
    ]);
    clock.now += 125 * day;
    await fake.passTime();
    const renewals = fake.captures().slice(1);
    expect(renewals.map(({ amount }) => amount)).toEqual(Array(4).fill(charged));
  });

  test('discounts of the plan in the control panel are not inherited', async () => {
    const plans = ourPlans().map((plan) => ({ ...plan, discounts: ['UPSELL30'] }));
    const { fake, token } = await stored({ plans });
    const plan = builtInCatalog.planOf('monthly', 'USD');
    await subscribe(account, { id: 'a', plan, coupon: 'UPSELL30', token });
    expect(fake.state.subscriptions.a?.discounts).toEqual([]);
  });

  test('without its discount in the control panel it is refused', async () => {
    const { token } = await stored({ discounts: [] });
    const wanted = {
      id: 'a',
      plan: builtInCatalog.planOf('upsell_monthly_999', 'USD'),
      coupon: 'UPSELL30',
      token,
    };
    expect(await subscribe(account, wanted)).toEqual({ kind: 'refused', codes: ['92013'] });
  });

  test('creating it twice returns the same one', async () => {
    const { fake, token } = await stored();
    const wanted = { id: 'a', plan: builtInCatalog.planOf('monthly', 'USD'), coupon: null, token };
    expect(await subscribe(account, wanted)).toEqual(await subscribe(account, wanted));
    expect(Object.keys(fake.state.subscriptions)).toEqual(['a']);
  });

  test('a refusal has its validation codes', async () => {
    await stored();
    const wanted = {
      id: 'a',
      plan: builtInCatalog.planOf('monthly', 'USD'),
      coupon: null,
      token: 'nothing',
    };
    expect(await subscribe(account, wanted)).toEqual({ kind: 'refused', codes: ['91903'] });
    expect(await readSubscription(account, 'a')).toBeNull();
  });

  test('a repeated cancellation changes nothing', async () => {
    const { token } = await stored();
    await subscribe(account, {
      id: 'a',
      plan: builtInCatalog.planOf('monthly', 'USD'),
      coupon: null,
      token,
    });
    expect(await cancelSubscription(account, 'a')).toBe(true);
    expect(await cancelSubscription(account, 'a')).toBe(true);
    expect(await readSubscription(account, 'a')).toMatchObject({ status: 'Canceled' });
    expect(await cancelSubscription(account, 'b')).toBe(false);
  });
});

test('Braintree plans: a complete account has no problems, by one call for plans, one for discounts and one for each merchant account', async () => {
  const { calls } = stubBraintree();
  const checks = await checkPlans(
    braintreeCredentials(env),
    builtInCatalog.plansIn(['USD', 'EUR']),
  );
  expect(checks).toHaveLength(22);
  expect(checks.flatMap(({ problems }) => problems)).toEqual([]);
  expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /plans',
    'GET /discounts',
    'GET /merchant_accounts/funnel_usd',
    'GET /merchant_accounts/funnel_eur',
  ]);
});

test('Braintree plans: every difference is reported with its plan and Braintree’s id', async () => {
  const wrong: Record<string, object> = {
    gold: { price: 3899, frequency: 2 },
    quarterly_eur: { frequency: 1, currency: 'USD' },
    upsell_monthly_599_usd: { cycles: 12 },
  };
  const plans = ourPlans()
    .filter(({ id }) => id !== 'monthly_7d_usd')
    .map((plan) => (plan.id === 'monthly_usd' ? { ...plan, id: 'gold' } : plan))
    .map((plan) => ({ ...plan, ...wrong[plan.id] }));
  stubBraintree({ plans });
  const account = braintreeCredentials({ ...env, BRAINTREE_PLANS: '{"monthly_usd":"gold"}' });
  const checks = await checkPlans(account, builtInCatalog.plansIn(['USD', 'EUR']));
  expect(checks.filter(({ problems }) => problems.length > 0)).toEqual([
    { plan: 'monthly_usd', price: 'gold', problems: ['billing_frequency is 2, not 1'] },
    {
      plan: 'quarterly_eur',
      price: 'quarterly_eur',
      problems: ['currency is USD, not EUR', 'billing_frequency is 1, not 3'],
    },
    {
      plan: 'monthly_7d_usd',
      price: 'monthly_7d_usd',
      problems: ['it does not exist'],
      missing: {
        plan: 'monthly_7d_usd 39.99 USD',
        fields: 'name “Monthly plan, 7-day intro”, billed every month, no end',
      },
    },
    {
      plan: 'upsell_monthly_599_usd',
      price: 'upsell_monthly_599_usd',
      problems: ['number_of_billing_cycles is 12, not none'],
    },
  ]);
});

test('Braintree plans: a coupon without a discount of its code is a problem of its plans', async () => {
  stubBraintree({ discounts: [] });
  const reduction = { off: minor(0), renewals: 1, day: 1 };
  const reduced = { ...builtInCatalog.planOf('monthly', 'USD'), reduction };
  const [{ problems = [] } = {}] = await checkPlans(braintreeCredentials(env), [reduced]);
  expect(problems).toEqual(['its discount COUPON does not exist']);
  const checks = await checkPlans(
    braintreeCredentials(env),
    builtInCatalog.plansIn(['USD', 'EUR']),
  );
  expect(checks.flatMap(({ plan, problems }) => problems.map((one) => `${plan}: ${one}`))).toEqual(
    ['monthly_usd', 'monthly_eur', 'quarterly_usd', 'quarterly_eur'].map(
      (end) => `upsell_${end.replace('_', '_999_')}: its discount UPSELL30 does not exist`,
    ),
  );
});

test('Braintree plans: without an answer the check throws', async () => {
  stubBraintree({ before: () => new Response('', { status: 503 }) });
  await expect(
    checkPlans(braintreeCredentials(env), builtInCatalog.plansIn(['USD', 'EUR'])),
  ).rejects.toThrow('503');
});

test('Braintree statement: a capture that the list of the newest transactions no longer shows is read by its id', async () => {
  const { order: request, later, fake } = await buyPlan();
  await later(40);
  const { captures: early } = await gateway.statement(request);
  await later(25 * 31);
  const list = await readSubscription(braintreeCredentials(env), request.attempt.id);
  const all = fake.captures();
  expect([list?.charges.length, all.length > 22]).toEqual([20, true]);
  const captured = early.map(({ paymentId }) => paymentId);
  const { captures } = await gateway.statement({ ...request, captured });
  const ids = captures.map(({ id }) => id);
  expect(early.every(({ id }) => ids.includes(id))).toBe(true);
  expect([captures.length, new Set(ids).size]).toEqual([20 + early.length, 20 + early.length]);
});
