import { expect, test } from 'vitest';
import type {
  ChangeKind,
  PlanChange,
} from '../../../../../worker/payments/purchase/change-state.ts';
import type { Subscription } from '../../../../../worker/payments/purchase/state.ts';
import { accessUntil } from '../../../../../worker/payments/purchase/subscription.ts';
import {
  changeSubscription,
  confirmProvisional,
  isCancelledSince,
  startSubscription,
} from '../../../../../worker/payments/subscriptions/rules/subscription-changes.ts';
import { epochMs, minor, paymentIdOf } from '../../../../../worker/platform/types.ts';
import { attempt, charge, planNamed } from '../../attempts/attempt-fixture.ts';

const day = 24 * 60 * 60_000;
const now = 40 * day;
const quarterly = planNamed('quarterly_usd');
const { subscription } = startSubscription(attempt({ state: 'active', charge }), now);
const before: Subscription = { ...subscription, ends: true, cancelRequestedAt: 1, resumedAt: 2 };

const change = (kind: ChangeKind, more: Partial<PlanChange> = {}) =>
  ({
    id: 'change',
    kind,
    plan: quarterly,
    amount: minor(0),
    until: null,
    next: { amount: minor(5999), at: epochMs(now + 90 * day) },
    openedAt: now - 1000,
    ...more,
  }) as PlanChange;

const changed = (made: PlanChange, from = before) =>
  changeSubscription(from, made, { kind: 'done' }, now);

test('subscription changes: every change undoes an earlier end, pause or plan, and is read at once', () => {
  expect(changed(change('continue'))).toMatchObject({
    ...{ status: 'active', ends: false, cancelRequestedAt: null, resumedAt: null },
    ...{ pausesUntil: null, nextPlan: null, dueAt: now, plan: before.plan },
    version: before.version + 1,
  });
});

test('subscription changes: an upgrade starts a paid period, and a switch waits for the next one', () => {
  expect(changed(change('upgrade'), { ...before, remindAt: 5 })).toMatchObject({
    plan: quarterly,
    remindAt: null,
    paidUntil: now + 90 * day,
    paidSince: { plan: quarterly, at: now, credited: [] },
  });
  const switched = changed(change('switch'));
  expect(switched).toMatchObject({ plan: before.plan, nextPlan: quarterly });
  expect(switched.paidUntil).toBe(before.paidUntil);
});

test('subscription changes: the owner is reminded three days before a pause ends', () => {
  const until = epochMs(now + 60 * day);
  expect(changed(change('pause', { until }))).toMatchObject({
    pausesUntil: until,
    remindAt: until - 3 * day,
  });
});

test('subscription changes: a resumption is a new period only if it was paid', () => {
  const paused = { ...before, remindAt: 5 };
  const free = changed(change('resume'), paused);
  expect(free).toMatchObject({ remindAt: null, paidUntil: before.paidUntil, paidSince: null });
  const paid = changed(change('resume', { amount: minor(1) }), paused);
  expect(paid).toMatchObject({ remindAt: null, paidUntil: now + 90 * day });
});

test('subscription changes: a replaced subscription and a payment are remembered', () => {
  const payment = { id: paymentIdOf('pi_2'), amount: minor(1) };
  const made = { kind: 'done', subscriptionId: 'sub_2', payment } as const;
  expect(changeSubscription(before, change('upgrade'), made, now)).toMatchObject({
    subscriptionId: 'change',
    earlier: { subscriptionIds: ['sub'], paymentIds: ['pi_2'] },
  });
  const same = { kind: 'done', subscriptionId: 'sub' } as const;
  expect(changeSubscription(before, change('upgrade'), same, now)).toMatchObject({
    subscriptionId: 'sub',
    earlier: { subscriptionIds: [], paymentIds: [] },
  });
});

test('subscription changes: a cancellation after the change was confirmed is still pending', () => {
  const made = change('switch');
  const cancelled = (cancelRequestedAt: number | null) =>
    isCancelledSince({ cancelRequestedAt }, made);
  const { openedAt } = made;
  expect([null, openedAt, openedAt + 1].map(cancelled)).toEqual([false, false, true]);
  const late = { ...before, cancelRequestedAt: openedAt + 1 };
  expect(changed(made, late)).toMatchObject({ cancelRequestedAt: openedAt + 1, nextPlan: null });
});

test('subscription changes: a confirmed debit keeps what its owner asked for meanwhile', () => {
  const provisional = { ...subscription, isProvisional: true, version: 7 };
  const confirmed = (more: Partial<Subscription>) =>
    confirmProvisional({ ...provisional, ...more }, { ...subscription, remindAt: 5 }, now);
  expect(confirmed({})).toMatchObject({ isProvisional: false, version: 8, remindAt: 5 });
  expect(confirmed({}).dueAt).toBe(subscription.dueAt);
  const due = { remindAt: null, dueAt: now };
  expect(confirmed({ cancelRequestedAt: 3 })).toMatchObject({ ...due, cancelRequestedAt: 3 });
  expect(confirmed({ withdrawnAt: 3 })).toMatchObject({ ...due, withdrawnAt: 3 });
});

test('access: a withdrawn provisional subscription gives none, and a debit is waited for', () => {
  const paidUntil = epochMs(now);
  const until = (more: Partial<Subscription>) =>
    accessUntil({ ...subscription, paidUntil, ...more });
  expect(until({ isProvisional: true, withdrawnAt: 1 })).toBe(0);
  expect(until({ isProvisional: true })).toBe(now + 7 * day);
  expect(until({ withdrawnAt: 1 })).toBe(now + 7 * day);
  expect(until({ isDebited: true })).toBe(now + 21 * day);
  expect(until({ pausesUntil: epochMs(now + day) })).toBe(now);
  expect(until({ ends: true })).toBe(now);
});
