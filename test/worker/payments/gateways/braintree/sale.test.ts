import { env } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import { planOf } from '../../../../../worker/catalog/plans.ts';
import { braintreeCredentials } from '../../../../../worker/payments/gateways/braintree/credentials.ts';
import {
  charge,
  reverse,
  saleBy,
  salesOf,
} from '../../../../../worker/payments/gateways/braintree/sale.ts';
import { openBraintree, orderOf } from './bank.ts';

const account = braintreeCredentials(env);
const plan = planOf('monthly', 'EUR');

afterEach(() => void vi.unstubAllGlobals());

async function sold() {
  let now = Date.now();
  const { bank } = openBraintree({ now: () => now });
  const order = await orderOf(plan.id);
  const answer = await charge(account, order, plan);
  if (answer.is !== 'done') throw new Error(`${answer.codes}`);
  const pass = (ms: number) => {
    now += ms;
  };
  return { bank, order, sale: answer.data, pass };
}

test('a charge carries attempt, customer, sum and the currency’s account', async () => {
  const { order, sale } = await sold();
  expect(sale).toMatchObject({
    orderId: order.attempt.id,
    customer: { id: order.customerId },
    amount: { value: '39.99', currencyCode: 'EUR' },
    status: 'SUBMITTED_FOR_SETTLEMENT',
  });
  expect(sale.paymentMethod?.legacyId).toBeTruthy();
});

test('is found by its attempt, and by the id that the control panel shows', async () => {
  const { order, sale, pass } = await sold();
  expect(await salesOf(account, order.attempt.id)).toEqual([]);
  expect(await saleBy(account, sale.legacyId)).toEqual(sale);
  pass(60_000);
  expect(await salesOf(account, order.attempt.id)).toEqual([sale]);
  expect(await salesOf(account, 'another')).toEqual([]);
  expect(await saleBy(account, sale.legacyId)).toEqual(sale);
  expect(await saleBy(account, 'another')).toBeUndefined();
});

test('a reversal that is repeated is one', async () => {
  const { bank, sale } = await sold();
  for (let i = 0; i < 2; i++) {
    expect(await reverse(account, sale)).toMatchObject({ is: 'done' });
  }
  expect(bank.captures()).toMatchObject([{ refunded: 3999 }]);
});
