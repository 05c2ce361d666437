import { expect, test } from 'vitest';
import type { ReconciliationLine } from '../../../../worker/payments/purchase/money-movements.ts';
import {
  type BookedMovement,
  differenceOf,
  unmatched,
} from '../../../../worker/payments/purchase/settlement.ts';
import { type AttemptId, minor, paymentIdOf } from '../../../../worker/platform/types.ts';

const attempt = 'a1' as AttemptId;

const bookedMovement = (more: Partial<BookedMovement> = {}): BookedMovement => ({
  id: 'capture:pi_1',
  paymentId: paymentIdOf('pi_1'),
  amount: minor(3999),
  currency: 'eur',
  attempt,
  account: null,
  customerId: null,
  subscriptionId: null,
  ...more,
});

const line = (ledger: number | null): ReconciliationLine => ({
  id: 'capture:pi_1',
  attempt: 'of the ledger' as AttemptId,
  gateway: 'stripe',
  currency: 'EUR',
  ledger: ledger === null ? null : minor(ledger),
  provider: minor(3999),
});

test('settlement: movements whose amount the ledger has are matched; so is nothing with nothing', () => {
  const movements = [
    bookedMovement({ id: 'capture:same' }),
    bookedMovement({ id: 'capture:other' }),
    bookedMovement({ id: 'capture:missing' }),
    bookedMovement({ id: 'refund:failed', amount: minor(0) }),
  ];
  const ledger = new Map([
    ['capture:same', 3999],
    ['capture:other', 3998],
  ]);
  const ids = unmatched(movements, ledger).map(({ id }) => id);
  expect(ids).toEqual(['capture:other', 'capture:missing']);
});

test('settlement: equal amounts are no difference; nor is a failed refund without a row', () => {
  expect(differenceOf(bookedMovement(), 'stripe', line(3999), true)).toBeNull();
  const failed = bookedMovement({ id: 'refund:re_1', amount: minor(0) });
  expect(differenceOf(failed, 'stripe', null, true)).toBeNull();
});

test('settlement: a difference names both amounts, the ledger’s attempt and the currency in capitals', () => {
  expect(differenceOf(bookedMovement(), 'stripe', line(100), true)).toEqual({
    kind: 'amount_differs',
    gateway: 'stripe',
    id: 'capture:pi_1',
    attempt: 'of the ledger',
    currency: 'EUR',
    provider: 3999,
    ledger: 100,
  });
});

test('settlement: a capture without a row is unsold if it is ours, and else unknown', () => {
  const ours = { kind: 'captured_unsold', attempt, ledger: null };
  expect(differenceOf(bookedMovement(), 'stripe', null, true)).toMatchObject(ours);
  expect(differenceOf(bookedMovement(), 'stripe', line(null), true)).toMatchObject({
    kind: 'captured_unsold',
    attempt: 'of the ledger',
  });
  expect(differenceOf(bookedMovement({ attempt: null }), 'stripe', null, false)).toMatchObject({
    kind: 'unknown_payment',
    attempt: null,
  });
});

test('settlement: a refund without a row is a difference of amounts, whoever made it', () => {
  const refund = bookedMovement({ id: 'refund:re_1', amount: minor(500) });
  for (const isOurs of [true, false]) {
    const found = differenceOf(refund, 'braintree', null, isOurs);
    expect(found).toMatchObject({ kind: 'amount_differs', provider: 500, ledger: null });
  }
});
