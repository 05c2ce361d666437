import { expect, test } from 'vitest';
import { builtInCatalog } from '../../../../worker/catalog/rules/catalog.ts';
import { changeTargets } from '../../../../worker/catalog/rules/plan-options.ts';
import { addMonths } from '../../../../worker/catalog/rules/renewal-date.ts';
import type { Statement, Subscription } from '../../../../worker/payments/purchase/state.ts';
import {
  accessUntil,
  applyStatement,
  blankSubscription,
} from '../../../../worker/payments/purchase/subscription.ts';
import { changeOptions } from '../../../../worker/payments/subscriptions/rules/change-options.ts';
import { planNamed } from '../attempts/attempt-fixture.ts';

const day = 86_400_000;
const due = Date.UTC(2027, 1, 1);

const pastDue = (change: Partial<Subscription> = {}) =>
  ({
    ...blankSubscription,
    ...{
      attempt: 'a',
      slot: 'main',
      plan: planNamed('monthly_usd'),
      gateway: 'stripe',
      version: 1,
    },
    ...{ subscriptionId: 'sub', status: 'past_due', ends: false, paidUntil: due },
    ...change,
  }) as Subscription;

/** The renewal was paid at a time, and its period counts from when it was due. */
const paidAt = (at: number, change: Partial<Statement> = {}) =>
  ({
    ...{ status: 'active', paidUntil: addMonths(due, 1), ends: false, unpaid: 0 },
    ...{ isDisputed: false, refunds: [], disputes: [] },
    captures: [
      { id: 'pi_1', paymentId: 'pi_1', amount: 3999, at: addMonths(due, -1) },
      { id: 'pi_2', paymentId: 'pi_2', amount: 3999, at },
    ],
    ...change,
  }) as unknown as Statement;

const after = (at: number, before = pastDue(), change = {}) =>
  applyStatement(before, paidAt(at, change), at + 60_000).subscription;

test.each([
  ['on the day it was due', 0, {}],
  ['in the grace period', 6, {}],
  ['at the end of the grace period', 7, {}],
  ['after a gift', 20, { paidUntil: due, giftUntil: due }],
])('late payment: a renewal that is paid %s keeps its period', (_, days, change) => {
  const paid = after(due + days * day, pastDue(), change);
  const until = 'paidUntil' in change ? due : addMonths(due, 1);
  expect(paid).toMatchObject({ paidUntil: until, isRestartDue: false, paidSince: null });
});

test.each([8, 13, 20, 26])(
  'late payment: a renewal that is paid on day %i pays for a period from then, which the gateway is told at once',
  (days) => {
    const at = due + days * day;
    const paid = after(at);
    const until = addMonths(at, 1);
    expect(paid).toMatchObject({ paidUntil: until, isRestartDue: true, dueAt: at + 60_000 });
    expect(accessUntil(paid)).toBeGreaterThanOrEqual(until);
    // The gateway still has its own period until it is told; then it has the new one.
    const read = applyStatement(paid, paidAt(at), at + day).subscription;
    expect(read).toMatchObject({ paidUntil: until, isRestartDue: true });
    const told = applyStatement(
      { ...read, isRestartDue: false },
      paidAt(at, { paidUntil: until }),
      at + day,
    );
    expect(told.subscription).toMatchObject({ paidUntil: until, isRestartDue: false });
  },
);

test('late payment: a pause whose end is paid late pays from the payment, one that is paid in time from its end', () => {
  const paused = pastDue({ pausesUntil: (due + 60 * day) as Subscription['pausesUntil'] });
  const period = { paidUntil: addMonths(due + 60 * day, 1) };
  expect(after(due + 61 * day, paused, period).isRestartDue).toBe(false);
  expect(after(due + 66 * day, paused, period)).toMatchObject({
    isRestartDue: true,
    paidUntil: addMonths(due + 66 * day, 1),
  });
});

test('late payment: a renewal in time is not late, however many renewals were not read', () => {
  for (const unread of [1, 2, 5]) {
    const at = addMonths(due, unread);
    const period = { paidUntil: addMonths(due, unread + 1) };
    expect(after(at, pastDue(), period)).toMatchObject({ ...period, isRestartDue: false });
    expect(after(at + 12 * day, pastDue(), period)).toMatchObject({
      paidUntil: addMonths(at + 12 * day, 1),
      isRestartDue: true,
    });
  }
});

test('late payment: its period cannot be changed until the next renewal, but it can be cancelled', () => {
  const at = due + 20 * day;
  const subscription = { ...after(at), isRestartDue: false };
  const rows = paidAt(at).captures.map((one) => ({ ...one, kind: 'capture' }));
  const targets = changeTargets(builtInCatalog, 'USD');
  const none = { upgrade: [], switch: [], maxPauseMonths: 0 };
  expect(changeOptions({ subscription, rows, targets }, at + day)).toMatchObject(none);
  const renewed = [...rows, { ...rows[1], at: addMonths(at, 1) }] as typeof rows;
  const later = { ...subscription, paidUntil: addMonths(at, 2) };
  expect(
    changeOptions({ subscription: later, rows: renewed, targets }, addMonths(at, 1)),
  ).not.toMatchObject(none);
});
