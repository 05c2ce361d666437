import {
  amountText,
  changeText,
  percentText,
  pointsText,
  wholeText,
} from '../parts/figure-text.ts';
import type { ChartText, FigureText } from '../parts/figures.tsx';
import { type ReportPeriod, timeLabel } from '../parts/rules/period.ts';
import type { PaymentCount, PeriodCounts } from './overview-table.ts';
import { differenceOf, type KeyFigure } from './rules/overview.ts';
import { type Share, shareChange } from './rules/share-change.ts';
import type { OverviewProps } from './screens/overview.tsx';
import { dueDays, type SubscriptionCounts } from './subscription-table.ts';

type Amount = Pick<KeyFigure, 'value' | 'before'>;

const formatOf =
  ({ currency }: Pick<KeyFigure, 'currency'>) =>
  (value: number) =>
    currency ? amountText(value, currency) : wholeText(value);

export const figureName = ({ name, currency }: Pick<KeyFigure, 'name' | 'currency'>): string =>
  currency ? `${name}, ${currency}` : name;

function sentenceOf(figure: KeyFigure, period: ReportPeriod): string {
  const most = Math.max(...figure.series);
  const at = period.times[figure.series.indexOf(most)] ?? period.from;
  const format = formatOf(figure);
  const total = `${figureName(figure)}: ${format(figure.value)} in this period`;
  return most > 0
    ? `${total}, with a peak of ${format(most)} at ${timeLabel(at, period)}.`
    : `${total}.`;
}

const noChange: FigureText['change'] = { text: '', kind: 'same' };

/** @param more whether a rise is an improvement */
export function changeFrom(figure: Amount, more: boolean): FigureText['change'] {
  const changed = differenceOf(figure);
  if (changed === null) return noChange;
  const kind = changed === 0 ? 'same' : changed > 0 === more ? 'better' : 'worse';
  return { text: changeText(changed), kind };
}

export const chartOf = (figure: KeyFigure, period: ReportPeriod): ChartText => ({
  title: figureName(figure),
  value: formatOf(figure)(figure.value),
  change: changeFrom(figure, true),
  note: figure.note ?? '',
  sentence: sentenceOf(figure, period),
  times: period.times.map((time) => timeLabel(time, period)),
  values: figure.series,
  format: formatOf(figure),
});

/** The change of a share in points. @param more whether a rise is an improvement */
export function sharePoints(now: Share, before: Share | null, more = true): FigureText['change'] {
  const change = before && shareChange(now, before, more);
  return change ? { text: pointsText(change.points), kind: change.kind } : noChange;
}

const countOf = ({ payments }: PeriodCounts, steps: readonly string[]) =>
  payments.reduce((sum, { step, count }) => (steps.includes(step) ? sum + count : sum), 0);

const rates = [
  { name: 'Refunds', part: 'refund', of: ['capture'], what: 'payments, in whole or in part' },
  { name: 'Declines', part: 'declined', of: ['purchase', 'declined'], what: 'attempts to pay' },
] as const;

/** Shares of payments that came back or were declined: with more sales their numbers rise, too. */
function rateFigures(now: PeriodCounts, before: PeriodCounts): FigureText[] {
  return rates.map(({ name, part, of, what }) => {
    const share = (counts: PeriodCounts): Share => ({
      part: countOf(counts, [part]),
      of: countOf(counts, of),
    });
    const own = share(now);
    return {
      name,
      value: percentText(own.part, own.of),
      change: sharePoints(own, share(before), false),
      note: `${wholeText(own.part)} of ${wholeText(own.of)} ${what}`,
      series: [],
    };
  });
}

export function moneyFigures(
  { now, before, visitors }: { now: PeriodCounts; before: PeriodCounts; visitors: Amount },
  revenue: readonly KeyFigure[],
): FigureText[] {
  const perVisitor = (money: KeyFigure): FigureText[] => {
    if (visitors.value === 0) return [];
    const value = money.value / visitors.value;
    const earlier = visitors.before > 0 ? money.before / visitors.before : 0;
    return [
      {
        name: 'Period’s revenue per visitor',
        value: formatOf(money)(value),
        change: changeFrom({ value, before: earlier }, true),
        note: 'with renewals of earlier buyers, less refunds',
        series: [],
      },
    ];
  };
  const [only] = revenue.length === 1 ? revenue : [];
  return [...(only ? perVisitor(only) : []), ...rateFigures(now, before)];
}

export function subscriptionFigures(counts: SubscriptionCounts): FigureText[] {
  const { active, due, failed, failedBefore, open } = counts;
  const now = { change: noChange, series: [] };
  return [
    { ...now, name: 'Active subscriptions', value: wholeText(active), note: 'plans and extras' },
    {
      ...now,
      name: 'Renewals due',
      value: wholeText(due),
      note: `in the next ${dueDays} days`,
    },
    {
      name: 'Renewals failed',
      value: wholeText(failed),
      note:
        failedBefore > 0 ? `in this period, ${wholeText(failedBefore)} before` : 'in this period',
      change: noChange,
      series: [],
    },
    {
      ...now,
      name: 'Renewals still open',
      value: wholeText(open),
      note: 'failed and being retried',
    },
  ];
}

export function currencyRows(figures: readonly KeyFigure[]): OverviewProps['currencies'] {
  const revenue = figures.filter(({ name }) => name === 'Revenue');
  const part = (name: string, currency: string | undefined) =>
    figures.find((figure) => figure.name === name && figure.currency === currency);
  const hasRenewals = figures.some(({ name }) => name === 'Renewal revenue');
  if (revenue.length < 2 && !hasRenewals) return [];
  return revenue.map((all) => {
    const format = formatOf(all);
    const fresh = part('New revenue', all.currency) ?? all;
    return {
      name: all.currency ?? '',
      cells: [
        format(fresh.value),
        format(part('Renewal revenue', all.currency)?.value ?? 0),
        format(all.value),
        changeFrom(all, true).text || '–',
      ],
    };
  });
}

export function boughtView(visitors: Amount, purchases: Amount): OverviewProps['bought'] {
  const share = (key: keyof Amount) => ({ part: purchases[key], of: visitors[key] });
  const [bought, counted] = [wholeText(purchases.value), wholeText(visitors.value)];
  if (purchases.value > visitors.value) {
    const text = `bought. Visitors counted: ${counted}, without previews, bots and those who refuse measuring.`;
    return { share: bought, text, change: { text: '', kind: 'same' } };
  }
  return {
    share: percentText(purchases.value, visitors.value),
    text: `of visitors bought: ${bought} of ${counted}.`,
    change: sharePoints(share('value'), share('before')),
  };
}

export const soldIn = (payments: readonly PaymentCount[], slot: string): number =>
  payments.reduce(
    (sum, row) => (row.step === 'purchase' && row.slot === slot ? sum + row.count : sum),
    0,
  );
