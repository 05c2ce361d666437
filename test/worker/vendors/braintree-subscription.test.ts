import { env } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import { planOf } from '../../../worker/funnel/plans.ts';
import { braintreeAccount } from '../../../worker/vendors/braintree-account.ts';
import {
  cancelSubscription,
  readSubscription,
  subscribe,
} from '../../../worker/vendors/braintree-subscription.ts';
import { gateway, openBraintree, orderOf } from './braintree-bank.ts';

const account = braintreeAccount(env);
const now = () => Date.UTC(2026, 10, 30, 12);

afterEach(() => void vi.unstubAllGlobals());

async function stored() {
  const { bank } = openBraintree({ now });
  await gateway.charge(await orderOf('guide_899_usd'));
  return { bank, token: Object.keys(bank.state.methods)[0] ?? '' };
}

test.each([
  ['monthly_3d', '2026-12-03'],
  ['monthly', '2026-12-30'],
  ['quarterly', '2027-02-28'],
] as const)('%s is billed next on %s', async (family, nextBillingDate) => {
  const { token } = await stored();
  const plan = planOf(family, 'USD');
  const made = await subscribe(account, { id: 'a', plan, token });
  expect(made).toMatchObject({ id: 'a', status: 'Active', price: plan.price, nextBillingDate });
  expect(await readSubscription(account, 'a')).toEqual(made);
});

test('an id that is taken is the same subscription', async () => {
  const { bank, token } = await stored();
  const wanted = { id: 'a', plan: planOf('monthly', 'USD'), token };
  expect(await subscribe(account, wanted)).toEqual(await subscribe(account, wanted));
  expect(Object.keys(bank.state.subscriptions)).toEqual(['a']);
});

test('a refusal says why', async () => {
  await stored();
  const wanted = { id: 'a', plan: planOf('monthly', 'USD'), token: 'nothing' };
  expect(await subscribe(account, wanted)).toEqual({ refused: ['91903'] });
  expect(await readSubscription(account, 'a')).toBeNull();
});

test('ends once, however often it is ended', async () => {
  const { token } = await stored();
  await subscribe(account, { id: 'a', plan: planOf('monthly', 'USD'), token });
  expect(await cancelSubscription(account, 'a')).toBe(true);
  expect(await cancelSubscription(account, 'a')).toBe(true);
  expect(await readSubscription(account, 'a')).toMatchObject({ status: 'Canceled' });
  expect(await cancelSubscription(account, 'b')).toBe(false);
});
