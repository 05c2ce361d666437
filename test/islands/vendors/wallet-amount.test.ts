import { expect, it } from 'vitest';
import { renewalsOf, walletSum } from '../../../islands/vendors/wallet-amount.ts';
import type { PlanView } from '../../../worker/catalog/rules/plans.ts';
import { renewalSteps } from '../../../worker/catalog/rules/renewal-date.ts';
import { minor } from '../../../worker/platform/types.ts';
import { intro } from '../render-html.tsx';

const at = (day: string) => () => Date.parse(`${day}T12:00:00Z`);
const monthly: PlanView = { ...intro, introDays: 0 };
const quarterly: PlanView = { ...monthly, period: 'quarter' };

it.each([
  [intro, '2026-11-20', '2026-11-27', '1 month'],
  [monthly, '2026-11-20', '2026-12-20', '1 month'],
  [monthly, '2027-01-31', '2027-02-28', '1 month'],
  [quarterly, '2026-11-30', '2027-02-28', '3 month'],
  [{ ...monthly, period: 'half_year' }, '2026-08-31', '2027-02-28', '6 month'],
  [{ ...monthly, period: 'year' }, '2028-02-29', '2029-02-28', '12 month'],
  [{ ...monthly, period: 'week' }, '2028-02-27', '2028-03-05', '7 day'],
] as const)('wallet amount: %# renews when the first period ends', (plan, today, due, every) => {
  const sum = walletSum(plan, 'A plan', 699, null, at(today));
  expect(renewalsOf(sum)).toEqual([{ amount: plan.price, at: new Date(`${due}T12:00:00.000Z`) }]);
  expect(sum).toMatchObject({ label: 'A plan', today: 699 });
  expect(`${sum.every.count} ${sum.every.unit}`).toBe(every);
});

it.each(
  [1, 2, 5].flatMap((renewals) =>
    [intro, monthly, quarterly, { ...monthly, period: 'week' } as const].flatMap((plan) =>
      ['2026-11-20', '2027-01-31', '2028-02-29'].map((today) => ({ renewals, plan, today })),
    ),
  ),
)(
  'wallet amount: a coupon for $renewals renewals from $today: the sheets name the prices and days of the checkout',
  ({ renewals, plan, today }) => {
    const coupon = { code: 'C', plan: plan.id, discount: 100, renewals, renewal_discount: 500 };
    const sum = walletSum(plan, 'A plan', 599, coupon, at(today));
    const day = new Date(at(today)() + plan.introDays * 86_400_000).getUTCDate();
    const reduction = { off: minor(500), renewals, day };
    const sold = { ...plan, price: minor(plan.price), coupon: undefined, reduction };
    const steps = renewalSteps(sold as never, null, sum.renews().getTime());
    expect(renewalsOf(sum).map(({ at: from, ...one }) => ({ ...one, at: from.getTime() }))).toEqual(
      steps,
    );
    const other = walletSum({ ...plan, id: 'other_usd' }, 'A plan', 599, coupon, at(today));
    expect(renewalsOf(other)).toMatchObject([{ amount: plan.price }]);
  },
);
