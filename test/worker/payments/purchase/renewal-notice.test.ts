import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mailPlan, type Plan, periods } from '../../../../worker/catalog/rules/plans.ts';
import { addPeriods } from '../../../../worker/catalog/rules/renewal-date.ts';
import { reminderOf } from '../../../../worker/payments/notices/subscription-notices.ts';
import { noticeAt } from '../../../../worker/payments/purchase/renewal-notice.ts';
import type { Statement, Subscription } from '../../../../worker/payments/purchase/state.ts';
import {
  applyStatement,
  changed,
  clearReminder,
  requestCancellation,
} from '../../../../worker/payments/purchase/subscription.ts';
import {
  changeSubscription,
  resume,
  startSubscription,
  withdraw,
} from '../../../../worker/payments/subscriptions/rules/subscription-changes.ts';
import { epochMs, minor } from '../../../../worker/platform/types.ts';
import { attempt, charge, planNamed } from '../attempts/attempt-fixture.ts';

const day = 86_400_000;
const start = Date.UTC(2027, 0, 31);
const planOf = (period: Plan['period'], more: Partial<Plan> = {}): Plan => ({
  ...planNamed('monthly_usd'),
  ...{ id: `${period}_usd`, period, price: minor(9900) },
  ...more,
});

const bought = (plan: Plan) =>
  attempt({ id: 'a', plan, state: 'active', charge, openedAt: start } as never);
const started = (plan: Plan): Subscription => {
  const { subscription } = startSubscription({ ...bought(plan), plan }, start);
  return { ...subscription, plan };
};

const yearly = started(planOf('year'));
const renews = addPeriods(start, 'year', 1);
const due = renews - 21 * day;

test.each([
  ['week', null],
  ['month', null],
  ['quarter', null],
  ['half_year', addPeriods(start, 'half_year', 1) - 21 * day],
  ['year', due],
  ['once', null],
] as const)('renewal notice: a %s plan', (period, at) => {
  expect(periods).toContain(period);
  expect(started(planOf(period)).remindAt).toBe(at);
});

test('renewal notice: it names the day and the price that will be charged', () => {
  const facts = { ...bought(yearly.plan), plan: yearly.plan, coupon: 'HALF' };
  expect(reminderOf(facts, yearly, due)).toMatchObject({
    id: `renewal_reminder:a:${renews}`,
    template: 'renewal_reminder',
    until: renews,
    data: { plan: mailPlan(yearly.plan), coupon: 'HALF', renews, early: true },
  });
  const nextPlan = planOf('month', { price: minor(1999) });
  expect(reminderOf(facts, { ...yearly, nextPlan }, due)?.data.plan.price).toBe(1999);
});

const month = started(planOf('month'));

describe('renewal notice: who gets one', () => {
  const cases: Record<string, [Subscription, boolean]> = {
    'a running plan': [yearly, true],
    'a cancelled plan': [requestCancellation(yearly, start + day), false],
    'a plan that the gateway ends': [{ ...yearly, ends: true }, false],
    'a withdrawn plan': [withdraw(yearly, start + day), false],
    'an ended plan': [{ ...yearly, status: 'ended' }, false],
    'an unpaid plan': [{ ...yearly, status: 'past_due' }, false],
    'a paused plan': [
      { ...yearly, status: 'paused', pausesUntil: epochMs(renews + 60 * day) },
      false,
    ],
    'a debit under way': [{ ...yearly, isProvisional: true }, false],
    'an extra of a year': [{ ...yearly, slot: 'upsell' }, true],
    'a year that becomes a month': [{ ...yearly, nextPlan: planOf('month') }, true],
    'a month that becomes a year': [
      { ...month, paidUntil: renews, nextPlan: planOf('year') },
      true,
    ],
    'a month that stays one': [{ ...month, paidUntil: renews }, false],
    'a renewal that was announced': [{ ...yearly, remindedUntil: renews }, false],
    'one whose day the gateway moved': [
      { ...yearly, remindedUntil: epochMs(renews - 10 * 60 * 60_000) },
      false,
    ],
    'the next one': [{ ...yearly, remindedUntil: start as never }, true],
  };
  test.each(Object.entries(cases))('%s', (_, [subscription, isOwed]) => {
    expect(noticeAt(subscription, start)).toBe(isOwed ? due : null);
    const sent = reminderOf(bought(yearly.plan), subscription, due);
    const isSent = sent?.template === 'renewal_reminder' && sent.data.early === true;
    expect(isSent).toBe(isOwed);
  });
});

test('renewal notice: not in the last week, and a change in the last three weeks announces it itself', () => {
  expect(noticeAt(yearly, due)).toBe(due);
  expect(noticeAt(yearly, due + 1)).toBeNull();
  const isSent = (daysBefore: number) =>
    reminderOf(bought(yearly.plan), yearly, renews - daysBefore * day) !== null;
  expect([21, 7, 6.9].map(isSent)).toEqual([true, true, false]);
});

const cancelled = requestCancellation(yearly, start + day);

test('renewal notice: a cancellation that is undone keeps it', () => {
  expect(resume(cancelled, start + 2 * day).remindAt).toBe(due);
  const passed = clearReminder({ ...cancelled, remindAt: due }, false);
  expect(resume(passed, start + 2 * day).remindAt).toBe(due);
  expect(resume(passed, due + day).remindAt).toBeNull();
});

const paid = (until: number): Statement =>
  ({
    ...{ status: 'active', paidUntil: epochMs(until), ends: false, unpaid: minor(0) },
    ...{ isDisputed: false, captures: [], refunds: [], disputes: [] },
  }) as Statement;

test('renewal notice: once for each renewal, however often and with whatever hours the gateway is read', () => {
  const hours = fc.integer({ min: -12, max: 12 });
  fc.assert(
    fc.property(fc.array(hours, { minLength: 40, maxLength: 40 }), (shifts) => {
      let one = yearly;
      let sent = 0;
      for (const [index, shift] of shifts.entries()) {
        const now = start + index * 30 * day;
        const end = addPeriods(start, 'year', 1 + Math.floor((now - start) / (366 * day)));
        one = applyStatement(one, paid(end + shift * 3_600_000), now).subscription;
        while (one.remindAt !== null && one.remindAt <= now + 30 * day) {
          const notice = reminderOf(bought(one.plan), one, one.remindAt);
          one = changed(clearReminder(one, notice !== null), {}, one.remindAt);
          sent += Number(notice !== null);
        }
      }
      expect(sent).toBe(3);
    }),
  );
});

test('renewal notice: an upgrade to a year is announced before its own renewal, a pause before its end', () => {
  const change = { id: 'c', kind: 'upgrade', plan: planOf('year'), amount: 5, until: null };
  const next = { amount: 9900, at: epochMs(renews + 40 * day) };
  const upgraded = changeSubscription(
    month,
    { ...change, next } as never,
    { kind: 'done' },
    start + day,
  );
  expect(upgraded.remindAt).toBe(renews + 19 * day);
  const until = epochMs(renews + 60 * day);
  const paused = changeSubscription(
    yearly,
    { ...change, kind: 'pause', amount: 0, next, until } as never,
    { kind: 'done' },
    start + day,
  );
  expect(paused.remindAt).toBe(until - 21 * day);
});
