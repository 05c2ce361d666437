import { expect, test } from 'vitest';
import { mailPlan } from '../../../../worker/catalog/rules/plans.ts';
import type { Notice } from '../../../../worker/payments/notices/email-notices.ts';
import {
  type AnnouncedCharge,
  announcedBy,
  announcedOnPage,
  takeAnnounced,
  withAnnounced,
} from '../../../../worker/payments/purchase/announced-charges.ts';
import type { Subscription } from '../../../../worker/payments/purchase/state.ts';
import { blankSubscription } from '../../../../worker/payments/purchase/subscription.ts';
import { epochMs, minor, paymentIdOf } from '../../../../worker/platform/types.ts';
import { attemptId, planNamed } from '../attempts/attempt-fixture.ts';

const dayMs = 24 * 60 * 60_000;
const now = Date.UTC(2027, 0, 31, 12);
const next = epochMs(now + 20 * dayMs);

const about = (plan = 'monthly_7d_usd') => ({
  plan: mailPlan(planNamed(plan)),
  coupon: null,
  at: now,
  timeZone: 'UTC',
});
const receipt = { taxIncluded: false };
const renewal = { amount: 3999, at: next, months: 1, by: 'mail' };

const after = epochMs(next + 31 * dayMs);
const raiseData = (step: string, at: number) => ({
  ...{ ...about(), attempt: attemptId('a'), step, before: minor(3999), renews: next },
  next: { amount: minor(4999), at },
});

/** One e-mail of each kind, with the renewals that it announces. */
const emails: Record<Notice['template'], [data: object, announces: object[] | null][]> = {
  purchase_confirmation: [
    [{ ...about(), ...receipt, paid: minor(699), renews: next, withdraw: null }, [renewal]],
    [
      { ...about('quarterly_usd'), ...receipt, paid: minor(5999), renews: next, withdraw: null },
      [{ ...renewal, amount: 5999, months: 3 }],
    ],
    [{ ...about('guide_1799_usd'), ...receipt, paid: minor(1), renews: null, withdraw: null }, []],
    [
      {
        ...{ ...about('upsell_monthly_999_usd'), ...receipt, coupon: 'UPSELL30' },
        ...{ paid: minor(699), renews: next, withdraw: null },
      },
      [{ ...renewal, amount: 699 }],
    ],
  ],
  renewal_receipt: [
    [{ ...about(), ...receipt, paid: minor(3999), renews: next }, [renewal]],
    [{ ...about(), ...receipt, paid: minor(3999), renews: null }, null],
  ],
  renewal_reminder: [[{ ...about(), renews: next }, [renewal]]],
  pause_reminder: [[{ ...about(), renews: next }, [renewal]]],
  resumption: [[{ ...about(), renews: next }, [renewal]]],
  plan_change: [
    [
      {
        ...{ ...about('quarterly_usd'), ...receipt, kind: 'upgrade', paid: minor(2000) },
        ...{ credit: minor(3999), takesEffectAt: epochMs(now), until: null },
        next: { amount: minor(5999), at: next },
      },
      [{ ...renewal, amount: 5999, months: 3 }],
    ],
  ],
  price_raise: [
    [raiseData('noticed', next), [{ ...renewal, amount: 4999 }]],
    [raiseData('agreed', after), [renewal, { ...renewal, amount: 4999, at: after }]],
    [raiseData('asked', next), null],
  ],
  renewal_failed: [
    [
      { ...about(), attempt: attemptId('a'), step: 'failed', amount: minor(3999), until: null },
      [{ ...renewal, at: now }],
    ],
    [{ ...about(), attempt: attemptId('a'), step: 'failed', amount: minor(0), until: null }, null],
  ],
  cancellation: [[{ ...about(), ends: next }, []]],
  extra_ended: [[{ ...about(), ends: next }, []]],
  withdrawal: [[{ ...about(), back: minor(1), claimed: false }, []]],
  debit_failed: [[{ ...about(), amount: minor(1) }, []]],
  debit_processing: [[{ ...about(), amount: minor(1) }, null]],
  payment_confirmation: [[{ ...about(), invoice: 'in' }, null]],
  card_expires: [
    [{ ...about(), attempt: attemptId('a'), card: 'Visa', year: 2027, month: 2 }, null],
  ],
  refund: [[{ ...about(), ...receipt, receipt: paymentIdOf('p'), back: minor(1) }, null]],
};

const cases = Object.entries(emails).flatMap(([template, all]) =>
  all.map(([data, announces]) => [template, announces, data] as const),
);

test.each(cases)('announced charges: the e-mail %s announces %j', (template, announces, data) => {
  const notice = { id: 'mail', template, until: null, data } as Notice;
  expect(announcedBy(notice)).toEqual(announces);
});

test('announced charges: what was said later about renewals replaces what was said before, but not an agreed charge', () => {
  const charge = (by: string, months: number): AnnouncedCharge => ({
    ...{ amount: minor(1), at: epochMs(now), months, by },
  });
  const [agreed, old, later] = [charge('quote', 0), charge('old', 1), charge('later', 3)];
  expect(withAnnounced([agreed, old], [later])).toEqual([agreed, later]);
  expect(withAnnounced([agreed, old], [])).toEqual([agreed]);
});

const announced: AnnouncedCharge[] = [
  { amount: minor(2000), at: epochMs(now), months: 0, by: 'quote' },
  { amount: minor(3999), at: epochMs(now), months: 1, by: 'mail' },
];

test.each([
  ['of the announced amount on the day', 3999, 0, true],
  ['a day early, in another time zone', 3999, -1, true],
  ['late, by a retry', 3999, 20, true],
  ['two days early', 3999, -2, false],
  ['of two periods at once', 7998, 0, false],
  ['of a cent more', 4000, 0, false],
  ['of a cent less', 3998, 0, false],
])('announced charges: a charge %s (%d, day %d): %s', (_, amount, days, isAnnounced) => {
  const charge = { amount: minor(amount), at: epochMs(now + days * dayMs) };
  expect(takeAnnounced(announced, charge) !== null).toBe(isAnnounced);
});

test('announced charges: each announcement allows one charge, and a renewal the next one a month later', () => {
  const agreed = { amount: minor(2000), at: epochMs(now) };
  const first = takeAnnounced(announced, agreed) ?? [];
  expect(takeAnnounced(first, agreed)).toBeNull();
  const renewed = { amount: minor(3999), at: epochMs(now) };
  const second = takeAnnounced(first, renewed) ?? [];
  expect(takeAnnounced(second, renewed)).toBeNull();
  expect(second).toEqual([{ ...announced[1], at: Date.UTC(2027, 1, 28, 12) }]);
});

test.each([
  ['its paid period ends', {}, 3999, next],
  ['its pause ends', { pausesUntil: epochMs(now + 50 * dayMs) }, 3999, now + 50 * dayMs],
  ['another plan begins', { nextPlan: planNamed('quarterly_usd') }, 5999, next],
] as const)(
  'announced charges: for a subscription of an older build the page announced the day when %s',
  (_, change, amount, at) => {
    const subscription: Subscription = {
      ...blankSubscription,
      attempt: attemptId('a'),
      slot: 'main',
      plan: planNamed('monthly_7d_usd'),
      gateway: 'braintree',
      customerId: 'c',
      status: 'active',
      ends: false,
      paidUntil: next,
      version: 1,
      ...change,
    };
    const months = amount === 5999 ? 3 : 1;
    expect(announcedOnPage(subscription, null)).toEqual([{ amount, at, months, by: 'a' }]);
    expect(
      announcedOnPage({ ...subscription, plan: planNamed('guide_1799_usd'), nextPlan: null }, null),
    ).toEqual([]);
    expect(announcedOnPage({ ...subscription, paidUntil: null, pausesUntil: null }, null)).toEqual(
      [],
    );
  },
);
