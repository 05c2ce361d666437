import { afterEach, expect, test, vi } from 'vitest';
import type { ChargeRequest } from '../../../../../worker/payments/rules/gateway.ts';
import { newRefund } from '../gateway-fixture.ts';
import { gateway, openBraintree, orderOf } from './braintree-fixture.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const day = 24 * 60 * 60_000;

/** A purchase on the first of January, on fake time. */
async function bought(plan = 'monthly_7d_usd') {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1, 12) });
  const { bank } = openBraintree({ now: () => Date.now() });
  const before = await orderOf(plan, 'fake-valid-nonce');
  const outcome = await gateway.charge(before);
  if (outcome.kind !== 'active') throw new Error(outcome.kind);
  const { charge } = outcome;
  const attempt = { ...before.attempt, state: 'active', charge } as const;
  const order: ChargeRequest = { ...before, attempt };
  const later = async (days: number) => {
    vi.setSystemTime(Date.now() + days * day);
    await bank.passTime();
  };
  const read = () => gateway.statement(order);
  return { bank, order, paymentId: charge.paymentId, later, read };
}

const dateOf = (at: number | null) => at && new Date(at).toISOString().slice(0, 10);
const sums = (list: { amount: number }[]) => list.map(({ amount }) => amount);

test('Braintree statement: an intro is paid until its days are over', async () => {
  const { read, paymentId } = await bought();
  const { paidUntil, captures, ...rest } = await read();
  expect([dateOf(paidUntil), rest]).toEqual([
    '2026-01-08',
    { status: 'active', ends: false, refunds: [], disputes: [] },
  ]);
  expect(captures).toMatchObject([{ id: paymentId, paymentId, amount: 699 }]);
});

test('Braintree statement: each renewal is a capture', async () => {
  const { read, later } = await bought();
  await later(40);
  const { paidUntil, captures, status } = await read();
  expect([status, sums(captures)]).toEqual(['active', [699, 3999, 3999]]);
  expect(dateOf(paidUntil)).toBe('2026-03-08');
  expect(new Set(captures.map(({ id }) => id)).size).toBe(3);
});

test('Braintree statement: a cancelled subscription stays active until the paid period ends', async () => {
  const { order, read, later } = await bought();
  await gateway.cancel(order, 1);
  await gateway.cancel(order, 1);
  expect(await read()).toMatchObject({ status: 'active', ends: true });
  await later(8);
  expect(await read()).toMatchObject({ status: 'ended', ends: true });
});

test('Braintree statement: a voided payment counts as captured and refunded', async () => {
  const { bank, order, paymentId, read } = await bought();
  expect(await gateway.refund(order, paymentId, 100, newRefund('a'))).toMatchObject({
    kind: 'refused',
    reason: expect.stringContaining('not settled'),
  });
  expect(await gateway.refund(order, paymentId, 699, newRefund('b'))).toEqual({ kind: 'voided' });
  const { captures, refunds } = await read();
  expect([sums(captures), sums(refunds)]).toEqual([[699], [699]]);
  expect(bank.captures()).toMatchObject([{ amount: 699, refunded: 699 }]);
});

test('Braintree statement: partial refunds, once per key, never exceed the capture', async () => {
  const { order, paymentId, later, read } = await bought();
  await later(2);
  for (let i = 0; i < 2; i += 1)
    expect(await gateway.refund(order, paymentId, 200, newRefund('a'))).toEqual({
      kind: 'refunded',
    });
  expect(await gateway.refund(order, paymentId, 500, newRefund('b'))).toMatchObject({
    kind: 'refused',
    reason: '91521',
  });
  expect(await gateway.refund(order, paymentId, 499, newRefund('c'))).toEqual({ kind: 'refunded' });
  const { refunds } = await read();
  expect(refunds.map(({ paymentId: of, amount }) => [of, amount])).toEqual([
    [paymentId, 200],
    [paymentId, 499],
  ]);
});

test('Braintree statement: only a lost dispute counts', async () => {
  const { bank, paymentId, later, read } = await bought();
  await later(2);
  bank.dispute(paymentId);
  expect((await read()).disputes).toEqual([]);
  bank.lose(paymentId);
  expect(await read()).toMatchObject({ disputes: [{ paymentId, amount: 699 }] });
});

test('Braintree statement: a one-time plan ends when it is fully refunded', async () => {
  const { order, paymentId, read } = await bought('guide_1799_usd');
  expect(await read()).toMatchObject({ status: 'active', paidUntil: null });
  await gateway.refund(order, paymentId, 1799, newRefund('a'));
  expect(await read()).toMatchObject({ status: 'ended' });
});

test('Braintree statement: without an answer it throws', async () => {
  const { read } = await bought();
  vi.stubGlobal('fetch', async () => new Response('', { status: 503 }));
  await expect(read()).rejects.toThrow();
});
