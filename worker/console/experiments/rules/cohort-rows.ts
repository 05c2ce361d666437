import type { CohortFacts } from '../../../experiments/results-table.ts';
import { commonCurrency, type Reporting } from '../../../experiments/rules/reporting.ts';
import { revenueSample } from './results.ts';

interface CohortRow {
  days: number;
  currency: string;
  /** In the order of the variants; null without visitors who are old enough. */
  cells: ({ perVisitor: number; visitors: number } | null)[];
}

/** Without a common currency, or visitors who came so long ago, there is no row. */
export const cohortRows = (
  cohorts: readonly CohortFacts[],
  variants: readonly string[],
  reporting: Reporting | null,
): CohortRow[] =>
  cohorts.flatMap(({ days, arms }) => {
    const currencies = [...new Set(arms.flatMap(({ revenue }) => Object.keys(revenue)))].sort();
    const common = commonCurrency(currencies, reporting);
    if (!common) return [];
    const cells = variants.map((name) => {
      const own = arms.find(({ arm, visitors }) => arm === name && visitors > 0);
      if (!own) return null;
      return {
        perVisitor: revenueSample(own, common.factors).mean,
        visitors: own.visitors,
      };
    });
    return cells.some((cell) => cell) ? [{ days, currency: common.currency, cells }] : [];
  });
