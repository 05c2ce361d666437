import { env } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import { decimal, planOf } from '../../../../../worker/catalog/plans.ts';
import { braintreeCredentials } from '../../../../../worker/payments/gateways/braintree/client.ts';
import {
  cancelSubscription,
  readSubscription,
  subscribe,
} from '../../../../../worker/payments/gateways/braintree/subscription.ts';
import { ourPlans } from '../../../../fakes/braintree/merchant-plans.ts';
import type { BraintreeOptions } from '../../../../fakes/braintree/server.ts';
import { gateway, openBraintree, orderOf } from './braintree-fixture.ts';

const account = braintreeCredentials(env);
const day = 86_400_000;
const start = Date.UTC(2026, 10, 30, 12);

afterEach(() => void vi.unstubAllGlobals());

async function stored(options: BraintreeOptions = {}) {
  const clock = { now: start };
  const { bank } = openBraintree({ now: () => clock.now, ...options });
  await gateway.charge(await orderOf('guide_899_usd'));
  return { bank, clock, token: Object.keys(bank.state.methods)[0] ?? '' };
}

test.each([
  ['monthly_3d', '2026-12-03'],
  ['monthly', '2026-12-30'],
  ['quarterly', '2027-02-28'],
] as const)('Braintree subscription: %s is billed next on %s', async (family, nextBillingDate) => {
  const { token } = await stored();
  const plan = planOf(family, 'USD');
  const made = await subscribe(account, { id: 'a', plan, coupon: null, token });
  const subscription = await readSubscription(account, 'a');
  expect(made).toEqual({ kind: 'done', subscription });
  expect(subscription).toMatchObject({
    id: 'a',
    status: 'Active',
    price: plan.price,
    nextBillingDate,
  });
});

test.each([
  ['UPSELL30', '3.00', 699],
  // Bought before the plan had a coupon, or without it.
  [null, undefined, 999],
])(
  'Braintree subscription: with the coupon %j each renewal is %s less: %i',
  async (coupon, off, charged) => {
    const { bank, clock, token } = await stored();
    const plan = planOf('upsell_monthly_999', 'USD');
    await subscribe(account, { id: 'a', plan, coupon, token });
    const { price, discounts } = bank.state.subscriptions.a ?? {};
    expect([price, discounts?.map(({ amount }) => decimal(amount))]).toEqual([
      999,
      off ? [off] : [],
    ]);
    clock.now += 125 * day;
    await bank.passTime();
    const renewals = bank.captures().slice(1);
    expect(renewals.map(({ amount }) => amount)).toEqual(Array(4).fill(charged));
  },
);

test('Braintree subscription: discounts of the plan in the control panel are not inherited', async () => {
  const plans = ourPlans().map((plan) => ({ ...plan, discounts: ['UPSELL30'] }));
  const { bank, token } = await stored({ plans });
  const plan = planOf('monthly', 'USD');
  await subscribe(account, { id: 'a', plan, coupon: 'UPSELL30', token });
  expect(bank.state.subscriptions.a?.discounts).toEqual([]);
});

test('Braintree subscription: without its discount in the control panel it is refused', async () => {
  const { token } = await stored({ discounts: [] });
  const wanted = { id: 'a', plan: planOf('upsell_monthly_999', 'USD'), coupon: 'UPSELL30', token };
  expect(await subscribe(account, wanted)).toEqual({ kind: 'refused', codes: ['92013'] });
});

test('Braintree subscription: creating it twice returns the same one', async () => {
  const { bank, token } = await stored();
  const wanted = { id: 'a', plan: planOf('monthly', 'USD'), coupon: null, token };
  expect(await subscribe(account, wanted)).toEqual(await subscribe(account, wanted));
  expect(Object.keys(bank.state.subscriptions)).toEqual(['a']);
});

test('Braintree subscription: a refusal has its validation codes', async () => {
  await stored();
  const wanted = { id: 'a', plan: planOf('monthly', 'USD'), coupon: null, token: 'nothing' };
  expect(await subscribe(account, wanted)).toEqual({ kind: 'refused', codes: ['91903'] });
  expect(await readSubscription(account, 'a')).toBeNull();
});

test('Braintree subscription: a repeated cancellation changes nothing', async () => {
  const { token } = await stored();
  await subscribe(account, { id: 'a', plan: planOf('monthly', 'USD'), coupon: null, token });
  expect(await cancelSubscription(account, 'a')).toBe(true);
  expect(await cancelSubscription(account, 'a')).toBe(true);
  expect(await readSubscription(account, 'a')).toMatchObject({ status: 'Canceled' });
  expect(await cancelSubscription(account, 'b')).toBe(false);
});
