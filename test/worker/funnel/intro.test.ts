import { expect, it } from 'vitest';
import { withIntro } from '../../../worker/funnel/intro.ts';
import { type PlanFamily, planOf, viewOf } from '../../../worker/funnel/plans.ts';
import { renewals } from '../../renewals.ts';
import { page } from '../../screens/page.tsx';

const view = (family: PlanFamily) => viewOf(planOf(family, 'USD'), renewals);
const paywall = {
  ...page,
  path: '/paycheck1_pr5_h_win',
  plans: [view('monthly'), view('quarterly')],
};
const families = (of: typeof page) => withIntro(of, 'monthly_5d').plans.map(({ family }) => family);

it('stands in where the arm names no plans with an intro', () => {
  expect(families({ ...paywall, arm: 'intro/5d', checkout: paywall.path })).toEqual([
    'monthly_5d',
    'quarterly',
  ]);
});

it('leaves the arm its own intro', () => {
  const plans = [view('monthly_7d'), view('monthly')];
  expect(families({ ...paywall, arm: 'intro/7d', plans })).toEqual(['monthly_7d', 'monthly']);
});

it('leaves a full-price flow its prices', () => {
  expect(families({ ...paywall, checkout: paywall.path })).toEqual(['monthly', 'quarterly']);
});

it('shows what the screen is made for when it is looked at outside the flow', () => {
  expect(families(paywall)).toEqual(['monthly_5d', 'quarterly']);
});
