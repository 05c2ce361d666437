import type { Page } from './page.ts';
import { type PlanFamily, planFamilies, planOf, viewOf } from './plans.ts';
import { typeOf } from './split.ts';

/**
 * The page of a screen that is made for an intro. The arm's own plans stand when there is an intro
 * among them, and in a flow of the type `fullPrice`, which is about having none; else the screen's
 * intro beside the quarterly plan.
 */
export function withIntro(page: Page, intro: PlanFamily): Page {
  const fullPrice = typeOf(page.arm) === 'fullPrice' && page.checkout === page.path;
  if (fullPrice || page.plans.some(({ trialDays }) => trialDays > 0)) return page;
  const view = (family: PlanFamily) => viewOf(planOf(family, page.market.currency), page.renewals);
  return { ...page, plans: [view(intro), view('quarterly')] };
}

/** The page of a payment test: every main plan of the market's currency. */
export function withEveryPlan(page: Page): Page {
  const main = planFamilies.map((family) => planOf(family, page.market.currency));
  const plans = main.filter(({ slot }) => slot === 'main');
  return { ...page, plans: plans.map((plan) => viewOf(plan, page.renewals)), after: [] };
}
