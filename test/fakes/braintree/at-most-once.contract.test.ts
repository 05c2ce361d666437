import { afterAll, expect, test, vi } from 'vitest';
import {
  braintreeCredentials,
  graphql,
} from '../../../worker/payments/gateways/braintree/client.ts';
import { salesOf } from '../../../worker/payments/gateways/braintree/sale.ts';
import { fakeTarget } from './harness.ts';

const target = await fakeTarget();
const account = braintreeCredentials(target.env);
vi.stubGlobal('fetch', target.fetch);
afterAll(() => {
  vi.unstubAllGlobals();
  return target.close();
});

const sell = (orderId: string, amount = '8.99') =>
  target.sdk.transaction.sale({ amount, paymentMethodNonce: 'fake-valid-nonce', orderId });

test('Braintree fake: a duplicate sale is refused for 30 seconds', async () => {
  const taken = { status: 'submitted_for_settlement' };
  expect((await sell('twice')).transaction).toMatchObject(taken);
  expect((await sell('twice')).transaction).toMatchObject({
    status: 'gateway_rejected',
    gatewayRejectionReason: 'duplicate',
  });
  expect((await sell('twice', '9.99')).transaction).toMatchObject(taken);
  expect((await sell('another')).transaction).toMatchObject(taken);
  await target.pass(30_000);
  expect((await sell('twice')).transaction).toMatchObject(taken);
});

test('Braintree fake: the search lags by a minute, a read by id does not', async () => {
  const { transaction } = await sell('searched');
  expect(await salesOf(account, 'searched')).toEqual([]);
  expect((await target.sdk.transaction.find(transaction.id)).orderId).toBe('searched');
  await target.pass(60_000);
  expect(await salesOf(account, 'searched')).toMatchObject([{ legacyId: transaction.id }]);
});

test('Braintree fake: an apiRequestKey has no effect', async () => {
  const charge = `mutation C($input: ChargePaymentMethodInput!) {
    chargePaymentMethod(input: $input) { transaction { id } }
  }`;
  const transaction = { amount: '8.99', orderId: 'keyed' };
  const input = { apiRequestKey: 'key', paymentMethodId: 'fake-valid-nonce', transaction };
  for (let i = 0; i < 2; i += 1) {
    await graphql(account, charge, { input });
    await target.pass(60_000);
  }
  expect(await salesOf(account, 'keyed')).toHaveLength(2);
});

test('Braintree fake: a refund is listed with its transaction at once, under its own order id', async () => {
  const { transaction } = await sell('refunded');
  await target.pass(2 * 24 * 3_600_000);
  // The client's types allow only the amount.
  const part = { amount: '1.00', orderId: 'a key' } as unknown as string;
  await target.sdk.transaction.refund(transaction.id, part);
  await target.sdk.transaction.refund(transaction.id, '2.00');
  const [sale] = await salesOf(account, 'refunded');
  expect(sale?.refunds).toMatchObject([{ orderId: 'a key' }, { orderId: 'refunded' }]);
});
