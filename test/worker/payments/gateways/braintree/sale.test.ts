import { env } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import { planOf } from '../../../../../worker/catalog/plans.ts';
import { braintreeCredentials } from '../../../../../worker/payments/gateways/braintree/client.ts';
import {
  charge,
  reverse,
  saleBy,
  salesOf,
} from '../../../../../worker/payments/gateways/braintree/sale.ts';
import { openBraintree, orderOf } from './braintree-fixture.ts';

const account = braintreeCredentials(env);
const plan = planOf('monthly', 'EUR');

afterEach(() => void vi.unstubAllGlobals());

async function sold() {
  let now = Date.now();
  const { bank } = openBraintree({ now: () => now });
  const order = await orderOf(plan.id);
  const reply = await charge(account, order, plan);
  if (reply.kind !== 'done') throw new Error(`${reply.codes}`);
  const pass = (ms: number) => {
    now += ms;
  };
  return { bank, order, sale: reply.data, pass };
}

test('Braintree sale: a charge has the attempt, customer, amount and merchant account of the currency', async () => {
  const { order, sale } = await sold();
  expect(sale).toMatchObject({
    orderId: order.attempt.id,
    customer: { id: order.customerId },
    amount: { value: '39.99', currencyCode: 'EUR' },
    status: 'SUBMITTED_FOR_SETTLEMENT',
  });
  expect(sale.paymentMethod?.legacyId).toBeTruthy();
});

test('Braintree sale: a sale is found by its attempt and by its id in the control panel', async () => {
  const { order, sale, pass } = await sold();
  expect(await salesOf(account, order.attempt.id)).toEqual([]);
  expect(await saleBy(account, sale.legacyId)).toEqual(sale);
  pass(60_000);
  expect(await salesOf(account, order.attempt.id)).toEqual([sale]);
  expect(await salesOf(account, 'another')).toEqual([]);
  expect(await saleBy(account, sale.legacyId)).toEqual(sale);
  expect(await saleBy(account, 'another')).toBeUndefined();
});

test('Braintree sale: a repeated reversal refunds once', async () => {
  const { bank, sale } = await sold();
  for (let i = 0; i < 2; i++) {
    expect(await reverse(account, sale)).toMatchObject({ kind: 'done' });
  }
  expect(bank.captures()).toMatchObject([{ refunded: 3999 }]);
});
