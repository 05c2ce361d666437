import { expect, test } from 'vitest';
import { planOf } from '../../../../worker/catalog/plans.ts';
import {
  cancellationNotice,
  purchaseNotice,
  refundNotice,
  remindAt,
  reminderOf,
  resumptionNotice,
  withdrawalNotice,
} from '../../../../worker/payments/rules/email-notices.ts';
import {
  requestCancellation,
  resume,
  startSubscription,
} from '../../../../worker/payments/rules/subscription.ts';
import { attempt } from '../attempt-fixture.ts';

const day = 24 * 60 * 60_000;
const charge = {
  subscriptionId: 'sub',
  paymentId: 'pi',
  customerId: 'cus',
  methodId: 'pm',
  amount: 299,
  currency: 'USD',
} as const;
const terms = {
  text: '',
  version: null,
  language: 'de',
  market: 'euro',
  timeZone: 'Europe/Berlin',
  at: 0,
} as const;
const intro = attempt({ id: 'a', plan: 'monthly_3d_usd', state: 'active', charge, terms });
const { subscription } = startSubscription(intro, 0);

test.each([
  ['monthly_3d', 2 * day],
  ['monthly_5d', 4 * day],
  ['monthly_7d', 6 * day],
  ['monthly', null],
  ['guide_1799', null],
] as const)('%s is reminded of', (family, at) => {
  const until = planOf(family, 'USD').trialDays * day || 30 * day;
  expect(remindAt(planOf(family, 'USD'), until)).toBe(at);
});

test('e-mail: a confirmation has the amount that was charged', () => {
  expect(purchaseNotice(intro, subscription, 5)).toEqual({
    id: 'bought:a',
    template: 'bought',
    until: null,
    data: {
      plan: 'monthly_3d_usd',
      coupon: null,
      at: 5,
      timeZone: 'Europe/Berlin',
      paid: 299,
      renews: 3 * day,
      withdraw: 14 * day,
    },
  });
});

test('e-mail: no reminder after the charge or without one', () => {
  const due = 2 * day;
  expect(reminderOf(intro, subscription, due)).toMatchObject({ id: 'reminder:a', until: 3 * day });
  expect(reminderOf(intro, subscription, 3 * day)).toBeNull();
  expect(reminderOf(intro, requestCancellation(subscription, 1), due)).toBeNull();
  expect(reminderOf(intro, { ...subscription, ends: true }, due)).toBeNull();
  expect(reminderOf(intro, { ...subscription, status: 'past_due' }, due)).toBeNull();
});

test('e-mail: each receipt has its own stable id', () => {
  const ids = (now: number) => [
    cancellationNotice(intro, requestCancellation(subscription, 5), now).id,
    resumptionNotice(intro, resume(subscription, 6), now).id,
    withdrawalNotice(intro, 299, false, now).id,
    refundNotice(intro, 'refund:re_1', 299, now).id,
  ];
  expect(ids(1)).toEqual(ids(2));
  expect(ids(1)).toEqual(['cancelled:a:5', 'resumed:a:6', 'withdrawn:a', 'refunded:refund:re_1']);
});
