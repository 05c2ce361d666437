import { env } from 'cloudflare:test';
import { beforeEach, expect, test } from 'vitest';
import {
  accountOfPayment,
  accountOfSubscription,
  buyersAfter,
  copiesOf,
  payerOf,
} from '../../../worker/payments/purchase-lookup.ts';
import { writeProjection } from '../../../worker/payments/purchase-projection.ts';
import { startSubscription } from '../../../worker/payments/rules/subscription.ts';
import { epochMs, minor, paymentIdOf } from '../../../worker/types.ts';
import { attempt } from './attempt-fixture.ts';

const nobody = {
  gateway: 'stripe',
  attempt: null,
  customerId: null,
  subscriptionId: null,
  paymentId: null,
} as const;

/** An account's purchase in D1; every id carries the account's name. */
async function buyPlan(account: string) {
  const charge = {
    subscriptionId: `sub_${account}`,
    paymentId: paymentIdOf(`pi_${account}`),
    customerId: `cus_${account}`,
    methodId: 'pm',
    amount: 3999,
    currency: 'USD',
  } as const;
  const one = attempt({ id: `a_${account}`, state: 'active', charge });
  const { subscription } = startSubscription(one, 5);
  const about = {
    attempt: one.id,
    account,
    currency: 'USD',
    paymentId: charge.paymentId,
    at: epochMs(5),
  };
  const whose = { gateway: 'stripe', experiment: null, arm: 'a' } as const;
  const capture = { ...about, ...whose, id: `capture:pi_${account}`, kind: 'capture' } as const;
  const refund = { ...about, ...whose, id: `refund:re_${account}`, kind: 'refund' } as const;
  await writeProjection(env.DB, [
    { kind: 'attempt', attempt: one, account },
    { kind: 'subscription', subscription, account },
    { kind: 'movement', row: { ...capture, amount: minor(3999) } },
    { kind: 'movement', row: { ...refund, amount: minor(100) } },
  ]);
}

beforeEach(async () => {
  const empty = ['attempts', 'subscriptions', 'ledger'].map((table) =>
    env.DB.prepare(`DELETE FROM ${table}`),
  );
  await env.DB.batch(empty);
  await buyPlan('ann');
  await buyPlan('bob');
});

test.each([
  ['attempt', 'a_bob'],
  ['customerId', 'cus_bob'],
  ['subscriptionId', 'sub_bob'],
  ['paymentId', 'pi_bob'],
] as const)('webhook lookup: an account is found by its %s', async (name, value) => {
  expect(await accountOfPayment(env.DB, { ...nobody, [name]: value })).toBe('bob');
  expect(await accountOfPayment(env.DB, { ...nobody, [name]: `${value}x` })).toBeNull();
});

test('webhook lookup: ids of one gateway are unknown at the other, and an event without ids has no account', async () => {
  const elsewhere = { ...nobody, gateway: 'braintree' } as const;
  expect(await accountOfPayment(env.DB, { ...elsewhere, customerId: 'cus_bob' })).toBeNull();
  expect(await accountOfPayment(env.DB, nobody)).toBeNull();
});

test('lookup: the payer of a payment and the owner of a subscription', async () => {
  expect(await payerOf(env.DB, paymentIdOf('pi_ann'))).toBe('ann');
  expect(await payerOf(env.DB, paymentIdOf('re_ann'))).toBeNull();
  expect(await accountOfSubscription(env.DB, 'a_ann')).toBe('ann');
  expect(await accountOfSubscription(env.DB, 'a_eve')).toBeNull();
});

test('lookup: buyers in the order of their ids, each once, also with ledger rows only', async () => {
  await env.DB.prepare(`DELETE FROM attempts WHERE account_id = 'bob'`).run();
  expect(await buyersAfter(env.DB, '', 10)).toEqual(['ann', 'bob']);
  expect(await buyersAfter(env.DB, '', 1)).toEqual(['ann']);
  expect(await buyersAfter(env.DB, 'ann', 10)).toEqual(['bob']);
  expect(await buyersAfter(env.DB, 'bob', 10)).toEqual([]);
});

test('lookup: the ledger copies of the requested accounts', async () => {
  const copies = await copiesOf(env.DB, ['bob', 'eve']);
  const whose = { account: 'bob', attempt: 'a_bob', gateway: 'stripe', currency: 'USD' };
  expect(copies).toEqual([
    { ...whose, id: 'capture:pi_bob', amount: 3999 },
    { ...whose, id: 'refund:re_bob', amount: 100 },
  ]);
  expect(await copiesOf(env.DB, [])).toEqual([]);
});
