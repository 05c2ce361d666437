import { expect, test, vi } from 'vitest';
import type { OwnedSubscription } from '../../../worker/payments/subscriptions/owned-subscription.ts';
import { pollTimeout } from '../../poll-timeout.ts';
import { auditOf, operate } from '../payments/webhooks/admin-client.ts';
import {
  buyAndProject,
  failingBinding,
  stubUnreliableStripe,
} from '../payments/webhooks/webhook-fixture.ts';

const requestRefund = (payment_id: string, change: object = {}) =>
  operate('/refunds', { payment_id, reason: 'asked by mail', key: 'k1', ...change });

test('refund: a partial refund and the remainder each have their rows in ledger and audit', async () => {
  const { fake } = stubUnreliableStripe();
  const { paymentId, stub } = await buyAndProject();
  expect(await requestRefund(paymentId, { amount: 1000 })).toMatchObject({
    status: 200,
    data: { payment_id: paymentId, refunded: 1000, currency: 'USD', remaining: 2999 },
  });
  expect(await requestRefund(paymentId, { key: 'k2' })).toMatchObject({
    data: { refunded: 2999, remaining: 0 },
  });
  expect(fake.captures()).toMatchObject([{ amount: 3999, refunded: 3999 }]);
  const subscriptions: OwnedSubscription[] = await stub.ownedSubscriptions();
  const rows = subscriptions[0]?.rows.map(({ kind, amount }) => [kind, amount]);
  expect(rows?.sort()).toEqual([
    ['capture', 3999],
    ['refund', 1000],
    ['refund', 2999],
  ]);
  const row = { operator: 'ADMIN_TOKEN (ann)', action: 'refund', reason: 'asked by mail' };
  expect(await auditOf(paymentId)).toMatchObject([
    { ...row, result: 'refunded 1000 USD' },
    { ...row, result: 'refunded 2999 USD' },
  ]);
});

test('refund: never exceeds the remaining amount', async () => {
  const { fake } = stubUnreliableStripe();
  const { paymentId } = await buyAndProject();
  const refused = { status: 422, errors: { code: 'refund_too_large' } };
  expect(await requestRefund(paymentId, { amount: 4000 })).toMatchObject(refused);
  await requestRefund(paymentId, { amount: 3000, key: 'k2' });
  expect(await requestRefund(paymentId, { amount: 1000, key: 'k3' })).toMatchObject(refused);
  await requestRefund(paymentId, { key: 'k4' });
  expect(await requestRefund(paymentId, { key: 'k5' })).toMatchObject(refused);
  expect(fake.captures()).toMatchObject([{ refunded: 3999 }]);
  expect((await auditOf(paymentId)).map(({ result }) => result)).toContain('refund_too_large');
});

test('refund: one key refunds once, also in parallel', async () => {
  const { fake } = stubUnreliableStripe();
  const { paymentId } = await buyAndProject();
  const tries = Array.from({ length: 10 }, () => requestRefund(paymentId, { amount: 500 }));
  for (const answer of await Promise.all(tries))
    expect(answer).toMatchObject({ status: 200, data: { refunded: 500 } });
  expect(fake.captures()).toMatchObject([{ refunded: 500 }]);
  expect(await requestRefund(paymentId, { amount: 600 })).toMatchObject({
    status: 409,
    errors: { code: 'idempotency_key_reused' },
  });
  expect(fake.captures()).toMatchObject([{ refunded: 500 }]);
});

test('refund: one key for two payments is two commands', async () => {
  const { fake } = stubUnreliableStripe();
  const [one, two] = [await buyAndProject(), await buyAndProject()];
  await requestRefund(one.paymentId, { amount: 500 });
  await requestRefund(two.paymentId, { amount: 700 });
  expect(fake.captures().map(({ refunded }) => refunded)).toEqual([500, 700]);
});

test('refund: after a lost reply the repeated command refunds once', async () => {
  const { fake, line } = stubUnreliableStripe();
  const { paymentId } = await buyAndProject();
  line.lose = (call) => call === 'POST /v1/refunds';
  expect(await requestRefund(paymentId, { amount: 500 })).toMatchObject({
    status: 502,
    errors: { code: 'gateway_ambiguous' },
  });
  expect(fake.captures()).toMatchObject([{ refunded: 500 }]);
  line.lose = () => false;
  expect(await requestRefund(paymentId, { amount: 500 })).toMatchObject({
    data: { refunded: 500 },
  });
  expect(fake.captures()).toMatchObject([{ refunded: 500 }]);
  const results = (await auditOf(paymentId)).map(({ result }) => result);
  expect(results).toEqual(['gateway_ambiguous', 'refunded 500 USD']);
});

test('refund: a refusal of the provider changes nothing', async () => {
  const { fake } = stubUnreliableStripe();
  const { paymentId } = await buyAndProject();
  fake.dispute(paymentId);
  expect(await requestRefund(paymentId)).toMatchObject({
    status: 409,
    errors: { code: 'refund_refused' },
  });
  expect(fake.captures()).toMatchObject([{ refunded: 0 }]);
});

test('refund: an unknown payment is refused', async () => {
  expect(await requestRefund('pi_nobody')).toMatchObject({
    status: 404,
    errors: { code: 'payment_unknown' },
  });
});

test.each<[string, string, object]>([
  ['no reason', 'reason', { reason: ' ' }],
  ['no key', 'key', { key: undefined }],
  ['nothing', 'amount', { amount: 0 }],
  ['less than nothing', 'amount', { amount: -5 }],
  ['half a cent', 'amount', { amount: 0.5 }],
  ['a text', 'amount', { amount: '500' }],
  ['a name that is none', 'payment_id', { payment_id: '../x' }],
])(
  'refund: %s is refused before anything is called, and the field %s is named',
  async (_what, field, change) => {
    expect(await requestRefund('pi_1', change)).toMatchObject({
      status: 400,
      errors: { code: 'malformed_body', field },
    });
    expect(await auditOf('pi_1')).toEqual([]);
  },
);

test('refund: without an audit row nothing happens', async () => {
  const { fake } = stubUnreliableStripe();
  const body = { payment_id: (await buyAndProject()).paymentId, reason: 'r', key: 'k' };
  expect((await operate('/refunds', body, { DB: failingBinding })).status).toBe(503);
  expect(fake.captures()).toMatchObject([{ refunded: 0 }]);
});

test('find: a payment is found, with its refundable remainder', async () => {
  stubUnreliableStripe();
  const { paymentId, attempt, account } = await buyAndProject();
  await requestRefund(paymentId, { amount: 1000 });
  await vi.waitFor(async () => {
    expect((await operate('/people', { text: paymentId })).data).toMatchObject([
      {
        account,
        payments: [{ id: paymentId, attempt, captured: '$39.99', remaining: '$29.99' }],
      },
    ]);
  }, pollTimeout);
  expect(await operate('/people', { text: ' ' })).toMatchObject({ status: 400 });
  expect((await operate('/people', { text: 'nobody@example.com' })).data).toEqual([]);
});

test('status: health, parts and the last full hour', async () => {
  const { status, data } = await operate('/status');
  expect(status).toBe(200);
  expect(data).toMatchObject({
    dead_letters: expect.any(Number),
    figures: expect.arrayContaining([{ name: 'Visitors', value: 0, before: 0 }]),
  });
  const down = {
    prepare: () => {
      throw new Error('down');
    },
  } as never;
  const blind = await operate('/status', undefined, { ANALYTICS: down });
  expect(blind).toMatchObject({ status: 200, data: { figures: null } });
});
