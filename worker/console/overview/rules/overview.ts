import { quantile } from '../../../analytics/rules/buckets.ts';
import { commonCurrency, type Reporting, rateText } from '../../../experiments/rules/reporting.ts';
import type {
  PaymentCount,
  PeriodCounts,
  ScreenCount,
  StepCount,
  VariantCount,
} from '../overview-table.ts';

export interface KeyFigure {
  name: string;
  /** Currency of an amount in minor units; missing for a count. */
  currency?: string;
  value: number;
  before: number;
  /** One value per step of the period. */
  series: number[];
  /** Such as the rates used to convert an amount. */
  note?: string;
}

const sum = (all: readonly number[]) => all.reduce((total, each) => total + each, 0);

/** The values of rows, summed by the chart's steps. */
function seriesOf<Row extends { time: number }>(
  rows: readonly Row[],
  times: readonly number[],
  value: (row: Row) => number,
): number[] {
  const totals = times.map(() => 0);
  for (const row of rows) {
    const at = times.findLastIndex((time) => time <= row.time);
    if (at >= 0) totals[at] = (totals[at] ?? 0) + value(row);
  }
  return totals;
}

const visits = ({ visits }: StepCount) => visits;

export const isSale = ({ step, slot }: Pick<PaymentCount, 'step' | 'slot'>) =>
  step === 'purchase' && slot === 'main';

/** Money of first payments, which the visitors of the period can have made; the rest are renewals. */
export const isNew = ({ renewal }: PaymentCount) => !renewal;

/** A capture counts positive, a refund or lost dispute negative. */
export function moneyOf({ step, amount }: Pick<PaymentCount, 'step' | 'amount'>): number {
  if (step === 'capture') return amount;
  return step === 'refund' || step === 'dispute' ? -amount : 0;
}

function figure<Row extends { time: number }>(
  about: Pick<KeyFigure, 'name' | 'currency'>,
  [now, before]: [Row[], Row[]],
  times: readonly number[],
  value: (row: Row) => number,
): KeyFigure {
  const series = seriesOf(now, times, value);
  return { ...about, value: sum(series), before: sum(before.map(value)), series };
}

/** Revenue of all currencies converted to one; none with a single currency or a missing rate. */
function convertedRevenue(own: readonly KeyFigure[], reporting: Reporting | null): KeyFigure[] {
  const currencies = own.map(({ currency = '' }) => currency);
  const common = commonCurrency(currencies, reporting);
  if (!common || own.length < 2) return [];
  const total = (amountOf: (figure: KeyFigure) => number) =>
    Math.round(sum(own.map((each) => amountOf(each) * (common.factors[each.currency ?? ''] ?? 0))));
  return [
    {
      name: 'All revenue',
      currency: common.currency,
      value: total(({ value }) => value),
      before: total(({ before }) => before),
      series: own[0]?.series.map((_, at) => total(({ series }) => series[at] ?? 0)) ?? [],
      note: rateText(currencies, reporting),
    },
  ];
}

export function figuresOf(
  now: PeriodCounts,
  before: PeriodCounts,
  times: readonly number[],
  reporting: Reporting | null = null,
): KeyFigure[] {
  const stepsOf = (step: string): [StepCount[], StepCount[]] => [
    now.steps.filter((row) => row.step === step),
    before.steps.filter((row) => row.step === step),
  ];
  const paid = (test: (row: PaymentCount) => boolean): [PaymentCount[], PaymentCount[]] => [
    now.payments.filter(test),
    before.payments.filter(test),
  ];
  const all = [...now.payments, ...before.payments];
  const currencies = [
    ...new Set(all.filter((row) => moneyOf(row) !== 0).map(({ currency }) => currency)),
  ].sort();
  const inCurrency = (currency: string) => (row: PaymentCount) => row.currency === currency;
  const revenueIn = (currency: string, name: string, isWanted: (row: PaymentCount) => boolean) =>
    figure(
      { name, currency },
      paid((row) => inCurrency(currency)(row) && isWanted(row)),
      times,
      moneyOf,
    );
  const revenue = currencies.map((currency) => revenueIn(currency, 'Revenue', () => true));
  const hasRenewals = (currency: string) =>
    all.some((row) => row.renewal && inCurrency(currency)(row));
  const parts = currencies
    .filter(hasRenewals)
    .flatMap((currency) => [
      revenueIn(currency, 'New revenue', isNew),
      revenueIn(currency, 'Renewal revenue', (row) => !isNew(row)),
    ]);
  return [
    figure({ name: 'Visitors' }, stepsOf('exposure'), times, visits),
    figure({ name: 'Sign-ups' }, stepsOf('sign_up'), times, visits),
    figure({ name: 'Purchases' }, paid(isSale), times, ({ count }) => count),
    ...convertedRevenue(revenue, reporting),
    ...revenue,
    ...parts,
    figure(
      { name: 'Refunds' },
      paid(({ step }) => step === 'refund'),
      times,
      ({ count }) => count,
    ),
    figure(
      { name: 'Declines' },
      paid(({ step }) => step === 'declined'),
      times,
      ({ count }) => count,
    ),
  ];
}

/** Null if the previous value is zero. */
export const differenceOf = ({
  value,
  before,
}: Pick<KeyFigure, 'value' | 'before'>): number | null =>
  before > 0 ? (value - before) / before : null;

export interface ScreenRow {
  screen: string;
  arrived: number;
  continued: number;
  /** Median seconds on the screen until Continue; null if no visitor continued. */
  seconds: number | null;
}

/** Every screen of the funnel that was shown, the most visited first. Counts of other pages have no screen. */
export function screensOf(rows: readonly ScreenCount[]): ScreenRow[] {
  const screens = new Map<string, { arrived: number; buckets: number[] }>();
  for (const { step, screen, bucket, visits } of rows) {
    if (screen === '') continue;
    const found = screens.get(screen) ?? { arrived: 0, buckets: [] };
    if (step === 'screen__load') found.arrived += visits;
    else found.buckets[bucket] = (found.buckets[bucket] ?? 0) + visits;
    screens.set(screen, found);
  }
  const rowsByScreen = [...screens].map(([screen, { arrived, buckets }]) => {
    const counts = Array.from(buckets, (count) => count ?? 0);
    return { screen, arrived, continued: sum(counts), seconds: quantile('seconds', counts, 0.5) };
  });
  return rowsByScreen.sort((a, b) => b.arrived - a.arrived);
}

export interface VariantFigures {
  variant: string;
  visitors: number;
  signUps: number;
  purchases: number;
}

/** Variants side by side, the most visited first. */
export function variantsOf(
  steps: readonly VariantCount[],
  payments: readonly PaymentCount[],
): VariantFigures[] {
  const rows = new Map<string, VariantFigures>();
  const rowOf = (variant: string) => {
    const row = rows.get(variant) ?? { variant, visitors: 0, signUps: 0, purchases: 0 };
    rows.set(variant, row);
    return row;
  };
  for (const { step, variant, visits } of steps) {
    if (step === 'exposure') rowOf(variant).visitors += visits;
    if (step === 'sign_up') rowOf(variant).signUps += visits;
  }
  for (const row of payments) if (isSale(row)) rowOf(row.variant).purchases += row.count;
  return [...rows.values()].sort((a, b) => b.visitors - a.visitors);
}
