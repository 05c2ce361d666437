import { expect, test } from 'vitest';
import { discountOf } from '../../../../worker/catalog/rules/coupons.ts';
import { isFreeTrial, mailPlan, type Plan } from '../../../../worker/catalog/rules/plans.ts';
import { withPreselection } from '../../../../worker/catalog/rules/preselection.ts';
import { remindAt } from '../../../../worker/payments/notices/subscription-notices.ts';
import { epochMs, minor } from '../../../../worker/platform/types.ts';
import { renewals, viewOf } from '../../../renewal-placeholders.ts';
import { planNamed } from '../../payments/attempts/attempt-fixture.ts';
import { trialPlan } from '../../payments/trial-plan.ts';

const day = 86_400_000;
const trial = trialPlan();
const ofDays = (introDays: number): Plan => ({ ...trial, introDays });

test('free trial: it charges nothing today, and is named by its days', () => {
  expect(trial).toMatchObject({ today: 0, price: 3999, introDays: 14, name: 'plans.free' });
  expect([trial, planNamed('monthly_7d_usd'), planNamed('monthly_usd')].map(isFreeTrial)).toEqual([
    true,
    false,
    false,
  ]);
  expect(mailPlan(trial)).toMatchObject({ isFree: true, introDays: 14 });
  expect(mailPlan(planNamed('monthly_7d_usd'))).not.toHaveProperty('isFree');
});

test.each([
  [14, 7],
  [8, 1],
  [7, null],
  [3, null],
])('free trial: of %i days has its reminder on day %s', (days, on) => {
  const end = epochMs(days * day);
  expect(remindAt(ofDays(days), end)).toBe(on && on * day);
  expect(viewOf(ofDays(days)).reminder).toBe(on ? renewals.reminder(on + 1) : '');
});

test('free trial: it takes no coupon', () => {
  const coupons = new Map([['HALF', { percent: 50 }]]);
  expect(discountOf(coupons, 'HALF', trial, 0)).toMatchObject({ kind: 'refused' });
});

test('free trial: its value is that of the plan which it becomes', () => {
  const cheaper = viewOf({ ...planNamed('quarterly_usd'), price: minor(5999) });
  const [shown, other] = withPreselection([viewOf(trial), cheaper]);
  expect([shown?.bestValue, other?.bestValue]).toEqual([false, true]);
});
