import { expect, it } from 'vitest';
import { walletSum } from '../../../islands/vendors/wallet-amount.ts';
import type { PlanView } from '../../../worker/catalog/rules/plans.ts';
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
  const sum = walletSum(plan, 'A plan', 699, at(today));
  expect(sum.renews().toISOString()).toBe(`${due}T12:00:00.000Z`);
  expect(sum).toMatchObject({ label: 'A plan', today: 699, renewal: plan.price });
  expect(`${sum.every.count} ${sum.every.unit}`).toBe(every);
});
