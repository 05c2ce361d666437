import type { D1Database } from '@cloudflare/workers-types';
import type { Documents } from '../../documents/document-set.ts';
import { shareSample } from '../../experiments/rules/always-valid.ts';
import { commonCurrency, reportingIn } from '../../experiments/rules/reporting.ts';
import { dayMs } from '../../platform/durations.ts';
import { countsOf, type PeriodCounts } from '../overview/overview-table.ts';
import { sumsBy } from '../overview/rules/landing-sales.ts';
import { isNew, isSale, moneyOf } from '../overview/rules/overview.ts';
import { amountText } from '../parts/figure-text.ts';
import { wholeDays } from '../parts/rules/period.ts';
import { countedGroup, estimatesOf, type PlannedTest, type Traffic } from './rules/estimates.ts';
import type { Draft } from './rules/experiment-draft.ts';
import { formOf } from './rules/experiment-form.ts';
import { metricIn, revenueSample } from './rules/results.ts';

const sum = (all: readonly number[]) => all.reduce((total, each) => total + each, 0);

/** @param draft of a test beside the split; the split itself without one */
function plannedTest(documents: Documents, draft: Draft | undefined): PlannedTest {
  if (!draft) {
    const weights = formOf(documents).variants.map(({ weight }) => weight);
    const comparisons = weights.filter((weight) => weight > 0).length - 1;
    const all = { filters: {}, who: 'visitors', uncounted: [] };
    return { ...all, metric: 'purchases', weights, comparisons };
  }
  const { targeting, visitors, share, metric, secondary, variants } = draft;
  return {
    ...countedGroup(targeting, visitors),
    metric: metricIn(metric),
    weights: variants.map(({ weight }) => (weight * share) / 100),
    comparisons: (variants.length - 1) * (1 + secondary.length),
  };
}

function trafficIn(
  { steps, payments }: PeriodCounts,
  metric: PlannedTest['metric'],
  documents: Documents,
): Omit<Traffic, 'days'> {
  const visitsOf = (step: string) => sum(steps.map((row) => (row.step === step ? row.visits : 0)));
  const visitors = visitsOf('exposure');
  const sales = sum(payments.filter(isSale).map(({ count }) => count));
  const events = metric === 'sign_ups' ? visitsOf('sign_up') : sales;
  const share = shareSample(Math.min(events, visitors), visitors);
  if (metric !== 'revenue') return { visitors, events, sample: share, amount: '' };
  const money = payments.filter((row) => moneyOf(row) !== 0 && isNew(row));
  const currencies = [...new Set(money.map(({ currency }) => currency))];
  const common = commonCurrency(currencies, reportingIn(documents['config.json']));
  const [revenue, squares] = [sumsBy(money, moneyOf), sumsBy(money, (row) => row.squares)];
  const sample = revenueSample({ visitors, revenue, squares }, common?.factors ?? {});
  const amount = common ? amountText(sample.mean, common.currency) : '';
  return { visitors, events: common ? events : 0, sample, amount };
}

/** By the traffic of the last 14 whole days. */
export async function estimatesFor(
  analytics: D1Database,
  documents: Documents,
  draft?: Draft,
): Promise<string[]> {
  const test = plannedTest(documents, draft);
  const period = wholeDays(14, Date.now());
  const [all, own] = await Promise.all(
    [{}, test.filters].map((filters) => countsOf(analytics, period, filters)),
  );
  if (!all || !own) return [];
  const first = Math.min(...all.steps.map(({ time }) => time));
  const days = (period.to - Math.max(first, period.from)) / dayMs;
  return estimatesOf(test, { ...trafficIn(own, test.metric, documents), days });
}
