import { expect, test } from 'vitest';
import { builtInCatalog } from '../../../../worker/catalog/rules/catalog.ts';
import { mailPlan } from '../../../../worker/catalog/rules/plans.ts';
import {
  confirmNotice,
  purchaseNotice,
  refundNotice,
  withdrawalNotice,
} from '../../../../worker/payments/notices/money-notices.ts';
import {
  cancellationNotice,
  extraEndedNotice,
  remindAt,
  reminderOf,
  resumptionNotice,
} from '../../../../worker/payments/notices/subscription-notices.ts';
import { requestCancellation } from '../../../../worker/payments/purchase/subscription.ts';
import {
  resume,
  startSubscription,
} from '../../../../worker/payments/subscriptions/rules/subscription-changes.ts';
import { epochMs, minor } from '../../../../worker/platform/types.ts';
import {
  charge as aCharge,
  attempt,
  germanTerms,
  movement,
  planNamed,
} from '../attempts/attempt-fixture.ts';

const day = 24 * 60 * 60_000;
const boughtAt = Date.UTC(2026, 10, 24);
const onDay = (days: number) => boughtAt + days * day;
const [soon, now] = [boughtAt + 1000, boughtAt + 2000];

const charge = { ...aCharge, amount: minor(299) };

const terms = germanTerms({ at: boughtAt });

const bought = {
  id: 'a',
  plan: 'monthly_3d_usd',
  state: 'active',
  charge,
  terms,
  openedAt: boughtAt,
} as const;

const intro = attempt(bought);

const { subscription } = startSubscription(intro, boughtAt);

test.each([
  ['monthly_3d', 2 * day],
  ['monthly_5d', 4 * day],
  ['monthly_7d', 6 * day],
  ['monthly', null],
  ['guide_1799', null],
] as const)('renewal reminder: is sent for %s', (family, at) => {
  const until = epochMs(builtInCatalog.planOf(family, 'USD').introDays * day || 30 * day);
  expect(remindAt(builtInCatalog.planOf(family, 'USD'), until)).toBe(at);
});

test('e-mail: an intro without a known renewal has no reminder', () =>
  expect(remindAt({ introDays: 3, today: minor(299) }, null)).toBeNull());

test('e-mail: a confirmation has the amount that was charged', () => {
  expect(purchaseNotice(intro, subscription, now)).toEqual({
    id: 'purchase_confirmation:a',
    template: 'purchase_confirmation',
    until: null,
    data: {
      plan: mailPlan(planNamed('monthly_3d_usd')),
      coupon: null,
      at: now,
      timeZone: 'Europe/Berlin',
      paid: 299,
      renews: onDay(3),
      withdraw: onDay(14),
      receipt: 'pi',
      taxIncluded: true,
    },
  });
});

test('e-mail: without a charge or terms, a confirmation has the price and UTC', () => {
  const bare = attempt({ ...bought, charge: null, terms: null, amount: 250, coupon: 'SPRING' });
  expect(purchaseNotice(bare, { ...subscription, paidUntil: null }, now).data).toEqual({
    plan: mailPlan(planNamed('monthly_3d_usd')),
    coupon: 'SPRING',
    at: now,
    timeZone: 'UTC',
    paid: 250,
    renews: null,
    withdraw: null,
    receipt: undefined,
    taxIncluded: false,
  });
});

test('e-mail: no reminder after the charge or without one', () => {
  const due = onDay(2);
  const data = {
    plan: mailPlan(planNamed('monthly_3d_usd')),
    coupon: null,
    timeZone: 'Europe/Berlin',
    renews: onDay(3),
  };
  expect(reminderOf(intro, subscription, due)).toEqual({
    id: 'renewal_reminder:a',
    template: 'renewal_reminder',
    until: onDay(3),
    data: { ...data, at: due },
  });
  expect(reminderOf(intro, subscription, onDay(3) - 1)).not.toBeNull();
  expect(reminderOf(intro, subscription, onDay(3))).toBeNull();
  expect(reminderOf(intro, subscription, onDay(3) + 1)).toBeNull();
  expect(reminderOf(intro, requestCancellation(subscription, soon), due)).toBeNull();
  expect(reminderOf(intro, { ...subscription, cancelRequestedAt: boughtAt }, due)).toBeNull();
  expect(reminderOf(intro, { ...subscription, ends: true }, due)).toBeNull();
  expect(reminderOf(intro, { ...subscription, status: 'past_due' }, due)).toBeNull();
  expect(reminderOf(intro, { ...subscription, status: 'ended' }, due)).toBeNull();
  expect(reminderOf(intro, { ...subscription, paidUntil: null }, due)).toBeNull();
});

test('e-mail: a reminder names the running plan, and is not sent for a time that a change left behind', () => {
  const running = { ...subscription, plan: planNamed('quarterly_usd') };
  const renewsIn = (days: number) =>
    reminderOf(intro, { ...running, paidUntil: epochMs(onDay(2 + days)) }, onDay(2));
  expect(renewsIn(1)?.data.plan).toEqual(mailPlan(planNamed('quarterly_usd')));
  expect([2, 2.1, 30, 90].map((days) => renewsIn(days) !== null)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test('e-mail: a reminder of the end of a pause, until the pause is over or cancelled', () => {
  const paused = { ...subscription, pausesUntil: epochMs(onDay(60)), status: 'paused' } as const;
  expect(reminderOf(intro, paused, onDay(57))).toMatchObject({
    id: `pause_reminder:a:${onDay(60)}`,
    template: 'pause_reminder',
    until: onDay(60),
    data: { renews: onDay(60) },
  });
  expect(reminderOf(intro, paused, onDay(60))).toBeNull();
  expect(reminderOf(intro, { ...paused, cancelRequestedAt: soon }, onDay(57))).toBeNull();
  expect(reminderOf(intro, { ...paused, status: 'ended' }, onDay(57))).toBeNull();
});

const about = {
  plan: mailPlan(planNamed('monthly_3d_usd')),
  coupon: null,
  at: now,
  timeZone: 'Europe/Berlin',
};

const cancelled = { ...subscription, cancelRequestedAt: soon };

test.each([
  [
    cancellationNotice(intro, cancelled, now),
    { id: `cancellation:a:${soon}`, template: 'cancellation', data: { ...about, ends: onDay(3) } },
  ],
  [
    extraEndedNotice(intro, cancelled, now),
    { id: `extra_ended:a:${soon}`, template: 'extra_ended', data: { ...about, ends: onDay(3) } },
  ],
  [
    confirmNotice(intro, 'in_1', now),
    {
      id: 'payment_confirmation:in_1',
      template: 'payment_confirmation',
      data: { ...about, invoice: 'in_1' },
    },
  ],
  [
    resumptionNotice(intro, resume(subscription, soon), now),
    { id: `resumption:a:${soon}`, template: 'resumption', data: { ...about, renews: onDay(3) } },
  ],
  [
    resumptionNotice(intro, { ...resume(subscription, soon), paidUntil: null }, now),
    { id: `resumption:a:${soon}`, template: 'resumption', data: { ...about, renews: now } },
  ],
  [
    withdrawalNotice(intro, minor(299), true, now),
    { id: 'withdrawal:a', template: 'withdrawal', data: { ...about, back: 299, claimed: true } },
  ],
  [
    refundNotice(intro, {
      id: 'refund:re_1',
      ...movement({ amount: 199, paymentId: 'pi_1', at: now }),
    }),
    {
      id: 'refund:refund:re_1',
      template: 'refund',
      data: { ...about, back: 199, receipt: 'pi_1', taxIncluded: true },
    },
  ],
])('e-mail: a notice about a past event is sent at any time: %#', (notice, expected) => {
  expect(notice).toEqual({ ...expected, until: null });
});
