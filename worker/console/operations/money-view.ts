import type { Reporting } from '../../experiments/rules/reporting.ts';
import { rateText } from '../../experiments/rules/reporting.ts';
import { changeFrom, chartOf } from '../overview/overview-figures.ts';
import { amountText, percentText } from '../parts/figure-text.ts';
import type { ChartText, FigureText } from '../parts/figures.tsx';
import { daysIn, type ReportPeriod } from '../parts/rules/period.ts';
import type { MoneyCount } from './money-table.ts';
import { inOneCurrency, type MoneyRow, moneyRows, moneyTotals } from './rules/money.ts';

const parts = [
  { name: 'Captured', part: 'captured', more: true },
  { name: 'Refunded', part: 'refunded', more: false },
  { name: 'Lost in disputes', part: 'disputed', more: false },
] as const;

interface Moved {
  now: readonly MoneyCount[];
  before: readonly MoneyCount[];
}

/** What is left of the money of a period by day, and what came back; of each currency, if they cannot be added up. */
export function totalsView(
  { now, before }: Moved,
  period: ReportPeriod,
  reporting: Reporting | null,
): { charts: ChartText[]; figures: FigureText[]; all: MoneyRow | undefined } {
  const currencies = [...new Set([...now, ...before].map(({ currency }) => currency))].sort();
  const [moved, earlier] = [now, before].map((counts) =>
    inOneCurrency(counts, currencies, reporting),
  );
  const days = daysIn(period);
  const byDay = moneyRows(moved ?? []);
  const totals = moneyTotals(moved ?? []);
  const previous = moneyTotals(earlier ?? []);
  const note = rateText(currencies, reporting);
  const charts = totals.map(({ currency, net }) => {
    const own = byDay.filter((row) => row.currency === currency);
    const series = days.map(({ day }) => own.find((row) => row.day === day)?.net ?? 0);
    const was = previous.find((row) => row.currency === currency)?.net ?? 0;
    const chart = chartOf(
      { name: 'Net revenue', currency, value: net, before: was, series },
      { ...period, times: days.map(({ from }) => from), step: 'day' },
    );
    return totals.length === 1 && note ? { ...chart, note } : chart;
  });
  const several = totals.length > 1;
  const figures = totals.flatMap((row) => {
    const was = previous.find(({ currency }) => currency === row.currency);
    return parts.map(({ name, part, more }): FigureText => {
      const change = changeFrom({ value: row[part], before: was?.[part] ?? 0 }, more);
      return {
        name: several ? `${name}, ${row.currency}` : name,
        value: amountText(row[part], row.currency),
        // Few refunds or disputes can change by chance, so their change is never green.
        change: more ? change : { ...change, kind: 'same' },
        note: more ? '' : `${percentText(row[part], row.captured)} of what was captured`,
        series: [],
      };
    });
  });
  // A sum of several rows.
  const all = several || moneyTotals(now).length < 2 ? undefined : totals[0];
  return { charts, figures, all };
}
