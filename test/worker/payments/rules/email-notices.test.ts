import { expect, test } from 'vitest';
import { planOf } from '../../../../worker/catalog/rules/plans.ts';
import {
  confirmNotice,
  purchaseNotice,
  refundNotice,
  withdrawalNotice,
} from '../../../../worker/payments/rules/money-notices.ts';
import { requestCancellation } from '../../../../worker/payments/rules/subscription.ts';
import {
  resume,
  startSubscription,
} from '../../../../worker/payments/rules/subscription-changes.ts';
import {
  cancellationNotice,
  extraEndedNotice,
  remindAt,
  reminderOf,
  resumptionNotice,
} from '../../../../worker/payments/rules/subscription-notices.ts';
import { epochMs, minor } from '../../../../worker/types.ts';
import { charge as aCharge, attempt, germanTerms, movement } from '../attempts/attempt-fixture.ts';

const day = 24 * 60 * 60_000;

const charge = { ...aCharge, amount: minor(299) };

const terms = germanTerms({ at: 0 });

const bought = { id: 'a', plan: 'monthly_3d_usd', state: 'active', charge, terms } as const;

const intro = attempt(bought);

const { subscription } = startSubscription(intro, 0);

test.each([
  ['monthly_3d', 2 * day],
  ['monthly_5d', 4 * day],
  ['monthly_7d', 6 * day],
  ['monthly', null],
  ['guide_1799', null],
] as const)('renewal reminder: is sent for %s', (family, at) => {
  const until = epochMs(planOf(family, 'USD').introDays * day || 30 * day);
  expect(remindAt(planOf(family, 'USD'), until)).toBe(at);
});

test('e-mail: an intro without a known renewal has no reminder', () => {
  expect(remindAt({ introDays: 3 }, null)).toBeNull();
});

test('e-mail: a confirmation has the amount that was charged', () => {
  expect(purchaseNotice(intro, subscription, 5)).toEqual({
    id: 'purchase_confirmation:a',
    template: 'purchase_confirmation',
    until: null,
    data: {
      plan: 'monthly_3d_usd',
      coupon: null,
      at: 5,
      timeZone: 'Europe/Berlin',
      paid: 299,
      renews: 3 * day,
      withdraw: 14 * day,
      receipt: 'pi',
      taxIncluded: true,
    },
  });
});

test('e-mail: without a charge or terms, a confirmation has the price and UTC', () => {
  const bare = attempt({ ...bought, charge: null, terms: null, amount: 250, coupon: 'SPRING' });
  const { data } = purchaseNotice(bare, { ...subscription, paidUntil: null }, 5);
  expect(data).toEqual({
    plan: 'monthly_3d_usd',
    coupon: 'SPRING',
    at: 5,
    timeZone: 'UTC',
    paid: 250,
    renews: null,
    withdraw: null,
    receipt: undefined,
    taxIncluded: false,
  });
});

test('e-mail: no reminder after the charge or without one', () => {
  const due = 2 * day;
  const data = { plan: 'monthly_3d_usd', coupon: null, timeZone: 'Europe/Berlin', renews: 3 * day };
  expect(reminderOf(intro, subscription, due)).toEqual({
    id: 'renewal_reminder:a',
    template: 'renewal_reminder',
    until: 3 * day,
    data: { ...data, at: due },
  });
  expect(reminderOf(intro, subscription, 3 * day - 1)).not.toBeNull();
  expect(reminderOf(intro, subscription, 3 * day)).toBeNull();
  expect(reminderOf(intro, subscription, 3 * day + 1)).toBeNull();
  expect(reminderOf(intro, requestCancellation(subscription, 1), due)).toBeNull();
  expect(reminderOf(intro, { ...subscription, cancelRequestedAt: 0 }, due)).toBeNull();
  expect(reminderOf(intro, { ...subscription, ends: true }, due)).toBeNull();
  expect(reminderOf(intro, { ...subscription, status: 'past_due' }, due)).toBeNull();
  expect(reminderOf(intro, { ...subscription, status: 'ended' }, due)).toBeNull();
  expect(reminderOf(intro, { ...subscription, paidUntil: null }, due)).toBeNull();
});

test('e-mail: a reminder of the end of a pause, until the pause is over or cancelled', () => {
  const pausesUntil = epochMs(60 * day);
  const paused = { ...subscription, pausesUntil, status: 'paused' } as const;
  expect(reminderOf(intro, paused, 57 * day)).toMatchObject({
    id: `pause_reminder:a:${60 * day}`,
    template: 'pause_reminder',
    until: 60 * day,
    data: { renews: 60 * day },
  });
  expect(reminderOf(intro, paused, 60 * day)).toBeNull();
  expect(reminderOf(intro, { ...paused, cancelRequestedAt: 1 }, 57 * day)).toBeNull();
  expect(reminderOf(intro, { ...paused, status: 'ended' }, 57 * day)).toBeNull();
});

const about = { plan: 'monthly_3d_usd', coupon: null, at: 9, timeZone: 'Europe/Berlin' };

const cancelled = { ...subscription, cancelRequestedAt: 5 };

test.each([
  [
    cancellationNotice(intro, cancelled, 9),
    { id: 'cancellation:a:5', template: 'cancellation', data: { ...about, ends: 3 * day } },
  ],
  [
    extraEndedNotice(intro, cancelled, 9),
    { id: 'extra_ended:a:5', template: 'extra_ended', data: { ...about, ends: 3 * day } },
  ],
  [
    confirmNotice(intro, 'in_1', 9),
    {
      id: 'payment_confirmation:in_1',
      template: 'payment_confirmation',
      data: { ...about, invoice: 'in_1' },
    },
  ],
  [
    resumptionNotice(intro, resume(subscription, 6), 9),
    { id: 'resumption:a:6', template: 'resumption', data: { ...about, renews: 3 * day } },
  ],
  [
    resumptionNotice(intro, { ...resume(subscription, 6), paidUntil: null }, 9),
    { id: 'resumption:a:6', template: 'resumption', data: { ...about, renews: 9 } },
  ],
  [
    withdrawalNotice(intro, minor(299), true, 9),
    { id: 'withdrawal:a', template: 'withdrawal', data: { ...about, back: 299, claimed: true } },
  ],
  [
    refundNotice(intro, {
      id: 'refund:re_1',
      ...movement({ amount: 199, paymentId: 'pi_1', at: 9 }),
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
