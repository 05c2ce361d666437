import type { Reporting } from '../../experiments/rules/reporting.ts';
import { rateText } from '../../experiments/rules/reporting.ts';
import { chartOf } from '../overview/overview-figures.ts';
import { amountText, percentText } from '../parts/figure-text.ts';
import type { ChartText, FigureText } from '../parts/figures.tsx';
import { daysIn, type ReportPeriod } from '../parts/rules/period.ts';
import type { MoneyCount } from './money-table.ts';
import { inOneCurrency, moneyRows, moneyTotals } from './rules/money.ts';

interface Moved {
  now: readonly MoneyCount[];
  before: readonly MoneyCount[];
}

/** What is left of the money of a period by day, and what came back; of each currency, if they cannot be added up. */
export function totalsView(
  { now, before }: Moved,
  period: ReportPeriod,
  reporting: Reporting | null,
): { charts: ChartText[]; figures: FigureText[] } {
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
      { name: 'Net', currency, value: net, before: was, series },
      { ...period, times: days.map(({ from }) => from), step: 'day' },
    );
    return totals.length === 1 && note ? { ...chart, note } : chart;
  });
  const several = totals.length > 1;
  const figures = totals.flatMap(({ currency, captured, refunded, disputed }) =>
    (
      [
        ['Captured', captured, ''],
        ['Refunded', refunded, `${percentText(refunded, captured)} of what was captured`],
        ['Lost in disputes', disputed, `${percentText(disputed, captured)} of what was captured`],
      ] as const
    ).map(
      ([name, amount, share]): FigureText => ({
        name: several ? `${name}, ${currency}` : name,
        value: amountText(amount, currency),
        change: { text: '', kind: 'same' },
        note: share,
        series: [],
      }),
    ),
  );
  return { charts, figures };
}
