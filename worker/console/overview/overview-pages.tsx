import { chunks } from 'virtual:client';
import type { Context } from 'hono';
import { decimal } from '../../../locales/format/currency.ts';
import type { App } from '../../platform/env.ts';
import { unanswered } from '../../platform/unanswered.ts';
import { checkedState, statusOf } from '../operations/status.ts';
import { consolePage, csvResponse } from '../parts/console-response.tsx';
import { amountText, changeText, percentText, wholeText } from '../parts/figure-text.ts';
import { periods, previousOf, type ReportPeriod, timeLabel } from '../parts/rules/period.ts';
import { zonedTime } from '../parts/rules/time-zone.ts';
import { armCounts, countsBeside, screenCounts } from './overview-table.ts';
import { landingsView, overviewView } from './overview-view.ts';
import { filterNames } from './rollup-sql.ts';
import {
  changeOf,
  type Figure,
  figuresOf,
  type ScreenRow,
  screensOf,
  variantsOf,
} from './rules/overview.ts';
import { Overview, type OverviewProps } from './screens/overview.tsx';
import { armLandings, filterChoices } from './slice-table.ts';
import { allSubscriptionCounts, dueDays, type SubscriptionCounts } from './subscription-table.ts';

const formatOf =
  ({ currency }: Pick<Figure, 'currency'>) =>
  (value: number) =>
    currency ? amountText(value, currency) : wholeText(value);

const nameOf = ({ name, currency }: Figure) => (currency ? `${name}, ${currency}` : name);

function sentenceOf(figure: Figure, period: ReportPeriod): string {
  const most = Math.max(...figure.series);
  const at = period.times[figure.series.indexOf(most)] ?? period.from;
  const format = formatOf(figure);
  const rates = figure.note ? ` ${figure.note}` : '';
  const total = `${nameOf(figure)}: ${format(figure.value)} in this period${rates}`;
  return most > 0
    ? `${total}, with a peak of ${format(most)} at ${timeLabel(at, period)}.`
    : `${total}.`;
}

async function figuresIn(c: Context<App>) {
  const view = await overviewView(c);
  const { period, filters, reporting } = view;
  const { now, before } = await countsBeside(c.env.ANALYTICS, period, filters);
  return { ...view, now, figures: figuresOf(now, before, period.times, reporting) };
}

const changeFrom = (figure: Pick<Figure, 'value' | 'before'>) => {
  const changed = changeOf(figure);
  return changed === null ? '' : `${changeText(changed)} from the previous period`;
};

function subscriptionFigures(counts: SubscriptionCounts): OverviewProps['subscriptions'] {
  const { active, due, failed, failedBefore, open } = counts;
  return [
    { name: 'Active subscriptions', value: wholeText(active), note: 'now: plans and extras' },
    { name: 'Renewals due', value: wholeText(due), note: `in the next ${dueDays} days` },
    {
      name: 'Renewals failed',
      value: wholeText(failed),
      note: changeFrom({ value: failed, before: failedBefore }) || 'in this period',
    },
    { name: 'Renewals still open', value: wholeText(open), note: 'now: failed and being retried' },
  ];
}

const chartOf = (figure: Figure, period: ReportPeriod): OverviewProps['charts'][number] => ({
  title: nameOf(figure),
  sentence: sentenceOf(figure, period),
  times: period.times.map((time) => timeLabel(time, period)),
  values: figure.series,
  format: formatOf(figure),
});

const figureCard = (figure: Figure): OverviewProps['figures'][number] => ({
  name: nameOf(figure),
  value: formatOf(figure)(figure.value),
  change: changeFrom(figure),
  note: figure.note ?? (figure.name === 'Refunds' ? 'payments, in whole or in part' : ''),
  series: figure.series,
});

const continuedShare = (row: ScreenRow | undefined) =>
  row && row.screen !== 'success' ? percentText(row.continued, row.arrived) : '–';

const screenRow = (
  row: ScreenRow,
  before: ScreenRow | undefined,
  query: Record<string, string>,
): OverviewProps['screens'][number] => ({
  name: row.screen,
  href: `/console/step?${new URLSearchParams({ ...query, screen: row.screen })}`,
  cells: [
    wholeText(row.arrived),
    wholeText(row.continued),
    row.screen === 'success' ? '–' : wholeText(Math.max(0, row.arrived - row.continued)),
    continuedShare(row),
    continuedShare(before),
    row.seconds === null ? '–' : `${row.seconds.toFixed(1)} s`,
  ],
});

const variantRow = (
  { variant, visitors, signUps, purchases }: ReturnType<typeof variantsOf>[number],
  arms: Awaited<ReturnType<typeof armLandings>>,
): OverviewProps['variants'][number] => ({
  name: variant || 'outside the test',
  cells: [
    wholeText(visitors),
    wholeText(signUps),
    percentText(signUps, visitors),
    wholeText(purchases),
    percentText(purchases, visitors),
    [...new Set(arms.flatMap((arm) => (arm.variant === variant ? arm.experiment : [])))].join(', '),
  ],
});

export async function showOverview(c: Context<App>): Promise<Response> {
  const [seen, choices, status] = await Promise.all([
    figuresIn(c),
    filterChoices(c.env.ANALYTICS),
    checkedState(c.env).then((checked) => statusOf(c, checked)),
  ]);
  const { period, filters, now, figures, days, query } = seen;
  const before = previousOf(period);
  // A filtered or hourly comparison would read the hours of weeks, or the days of all slices, twice.
  const isSummed = period.unit === 'day' && Object.keys(filters).length < 2;
  const hasScreensBefore = period.step === 'hour' || isSummed;
  const [screens, screensBefore, { variants, landings }, arms, subscriptions] = await Promise.all([
    screenCounts(c.env.ANALYTICS, period, filters),
    hasScreensBefore ? screenCounts(c.env.ANALYTICS, before, filters) : [],
    armCounts(c.env.ANALYTICS, period, filters),
    armLandings(c.env.ANALYTICS, period, filters),
    allSubscriptionCounts(c.env, period, before, Date.now()).catch(
      unanswered(c.var.log, 'DB', null),
    ),
  ]);
  const screenBefore = new Map(screensOf(screensBefore).map((row) => [row.screen, row]));
  const props: OverviewProps = {
    status,
    period: period.name,
    periods: Object.keys(periods),
    days,
    daysBefore: seen.daysBefore,
    zone: period.zone,
    isOtherZone: period.zone !== seen.zone,
    isRunning: period.to > Date.now(),
    filters: filterNames.map((name) => ({
      name,
      chosen: filters[name] ?? '',
      choices: choices[name] ?? [],
    })),
    figures: figures.map(figureCard),
    isRateMissing:
      figures.filter(({ name }) => name === 'Revenue').length > 1 &&
      !figures.some(({ name }) => name === 'All revenue'),
    subscriptions: subscriptions && subscriptionFigures(subscriptions),
    charts: figures
      .filter(({ name }) => name !== 'Refunds' && name !== 'Declines')
      .map((figure) => chartOf(figure, period)),
    hasScreensBefore,
    screens: screensOf(screens).map((row) => screenRow(row, screenBefore.get(row.screen), query)),
    variants: variantsOf(variants, now.payments).map((row) => variantRow(row, arms)),
    landings: landingsView(landings, now.payments, arms, seen.reporting),
    query: new URLSearchParams(query).toString(),
    script: chunks['console-chart'] ?? '',
  };
  return consolePage(c, <Overview {...props} />);
}

export async function exportOverview(c: Context<App>): Promise<Response> {
  const { period, figures } = await figuresIn(c);
  const head = [`time, ${period.zone}`, ...figures.map(nameOf)];
  const rows = period.times.map((time, at) => [
    zonedTime(time, period.zone),
    ...figures.map(({ series, currency }) =>
      currency ? decimal(series[at] ?? 0, currency) : String(series[at] ?? 0),
    ),
  ]);
  return csvResponse(c, 'overview.csv', [head, ...rows]);
}
