import { expect, it } from 'vitest';
import { walletSum } from '../../../islands/vendors/wallet-amount.ts';
import type { PlanView } from '../../../worker/catalog/rules/plans.ts';
import { intro } from '../render-html.tsx';

const at = (day: string) => () => Date.parse(`${day}T12:00:00Z`);
const monthly: PlanView = { ...intro, introDays: 0 };
const quarterly: PlanView = { ...monthly, period: 'quarter' };

it.each([
  [intro, '2026-11-20', '2026-11-27', 1],
  [monthly, '2026-11-20', '2026-12-20', 1],
  [monthly, '2027-01-31', '2027-02-28', 1],
  [quarterly, '2026-11-30', '2027-02-28', 3],
] as const)('wallet amount: %# renews when the first period ends', (plan, today, due, months) => {
  const sum = walletSum(plan, 'A plan', 699, at(today));
  expect(sum.renews().toISOString()).toBe(`${due}T12:00:00.000Z`);
  expect(sum).toMatchObject({ label: 'A plan', today: 699, renewal: plan.price, months });
});
