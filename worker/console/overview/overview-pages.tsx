import { chunks } from 'virtual:client';
import type { Context } from 'hono';
import { decimal } from '../../../locales/format/currency.ts';
import type { Documents } from '../../documents/document-set.ts';
import { validateDocuments } from '../../experiments/rules/config-validation.ts';
import { allFlows } from '../../experiments/rules/flows.ts';
import { type App, isProduction } from '../../platform/env.ts';
import { unanswered } from '../../platform/unanswered.ts';
import { frameOf } from '../documents/screen-frame.ts';
import { checkedState, statusOf } from '../operations/status.ts';
import { consolePage, csvResponse } from '../parts/console-response.tsx';
import {
  amountText,
  changeText,
  percentText,
  pointsText,
  wholeText,
} from '../parts/figure-text.ts';
import { countryName, languageName } from '../parts/rules/names.ts';
import { periods, previousOf, type ReportPeriod, timeLabel } from '../parts/rules/period.ts';
import { screenName } from '../parts/rules/screen-names.ts';
import { zonedTime } from '../parts/rules/time-zone.ts';
import { armCounts, countryPayments, countsBeside, screenCounts } from './overview-table.ts';
import { countryRows, landingName, landingsView, overviewView } from './overview-view.ts';
import { publicationMarks } from './publications.ts';
import { type Filters, filterNames } from './rollup-sql.ts';
import { type FunnelRow, funnelOf, shareOf } from './rules/funnel.ts';
import {
  changeOf,
  type Figure,
  figuresOf,
  screensOf,
  type VariantFigures,
  variantsOf,
} from './rules/overview.ts';
import type { FunnelRowProps, FunnelStepProps } from './screens/funnel.tsx';
import { Overview, type OverviewProps } from './screens/overview.tsx';
import { type ArmLanding, armLandings, filterChoices } from './slice-table.ts';
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
  const total = `${nameOf(figure)}: ${format(figure.value)} in this period`;
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

const nothing = { value: 0, before: 0 };

type Change = OverviewProps['refunds'][number]['change'];

const noChange: Change = { text: '', kind: 'same' };

/** @param more whether a rise is an improvement */
function changeFrom(figure: Pick<Figure, 'value' | 'before'>, more: boolean): Change {
  const changed = changeOf(figure);
  if (changed === null) return noChange;
  const kind = changed === 0 ? 'same' : changed > 0 === more ? 'better' : 'worse';
  return { text: changeText(changed), kind };
}

function subscriptionFigures(counts: SubscriptionCounts): OverviewProps['subscriptions'] {
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
      note: 'in this period',
      change: changeFrom({ value: failed, before: failedBefore }, false),
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

const chartOf = (figure: Figure, period: ReportPeriod): OverviewProps['traffic'][number] => ({
  title: nameOf(figure),
  value: formatOf(figure)(figure.value),
  change: changeFrom(figure, true),
  note: figure.note ?? '',
  sentence: sentenceOf(figure, period),
  times: period.times.map((time) => timeLabel(time, period)),
  values: figure.series,
  format: formatOf(figure),
});

const countCard = (figure: Figure): OverviewProps['refunds'][number] => ({
  name: nameOf(figure),
  value: formatOf(figure)(figure.value),
  change: changeFrom(figure, false),
  note: figure.name === 'Refunds' ? 'payments, in whole or in part' : '',
  series: figure.series,
});

/** Revenue by currency, where there are several currencies or renewals. */
function currencyRows(figures: readonly Figure[]): OverviewProps['currencies'] {
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

const continuedText = (row: Pick<FunnelRow, 'arrived' | 'continued'> | null) =>
  row && row.arrived > 0 ? percentText(Math.min(row.continued, row.arrived), row.arrived) : '–';

function pointsChange(points: number): Change {
  const text = pointsText(points);
  return { text, kind: /^0 /.test(text) ? 'same' : points > 0 ? 'better' : 'worse' };
}

const rateChange = (row: FunnelRow): Change =>
  row.before && row.arrived > 0 ? pointsChange(shareOf(row) - shareOf(row.before)) : noChange;

/** The share of visitors who bought. */
function boughtView(
  visitors: Pick<Figure, 'value' | 'before'>,
  purchases: Pick<Figure, 'value' | 'before'>,
): OverviewProps['bought'] {
  const isCompared = visitors.value > 0 && visitors.before > 0;
  const share = ({ value, before }: Pick<Figure, 'value' | 'before'>) =>
    value / visitors.value - before / visitors.before;
  return {
    share: percentText(purchases.value, visitors.value),
    text: `of visitors bought: ${wholeText(purchases.value)} of ${wholeText(visitors.value)}.`,
    change: isCompared ? pointsChange(share(purchases)) : noChange,
  };
}

function funnelRow(row: FunnelRow, most: number, query: Record<string, string>): FunnelRowProps {
  const name = screenName(row.id);
  const isScreen = name !== row.id;
  const lost = Math.max(0, row.arrived - row.continued);
  const isLast = row.id === 'success';
  return {
    name,
    id: isScreen ? row.id : '',
    href: isScreen ? `/console/step?${new URLSearchParams({ ...query, screen: row.id })}` : '',
    arrived: wholeText(row.arrived),
    width: most > 0 ? (100 * row.arrived) / most : 0,
    continued: isLast ? '–' : continuedText(row),
    before: isLast ? '–' : continuedText(row.before),
    lost: row.loses ? wholeText(lost) : '–',
    change: isLast ? noChange : rateChange(row),
    seconds: row.seconds === null ? '–' : `${row.seconds.toFixed(1)} s`,
  };
}

/** The flows that visitors got, those of the most visited variants first. */
function flowsSeen(
  c: Context<App>,
  documents: Documents,
  arms: readonly ArmLanding[],
  variants: readonly VariantFigures[],
): (readonly string[])[] {
  const production = isProduction(c.env);
  const { set } = validateDocuments(documents, { production });
  const all = allFlows(set?.flows ?? { flows: {} }, production);
  const names = variants.flatMap(({ variant }) =>
    arms.flatMap((arm) => (arm.variant === variant ? arm.flow : [])),
  );
  return [...new Set(names)].flatMap((name) => [all.get(name) ?? []]);
}

function funnelView(
  { steps, others }: ReturnType<typeof funnelOf>,
  query: Record<string, string>,
): OverviewProps['funnel'] {
  const most = Math.max(0, ...steps.map(({ arrived }) => arrived));
  return {
    steps: steps.map(
      (step): FunnelStepProps => ({
        ...funnelRow(step, most, query),
        isWorst: step.isWorst,
        screens: step.screens.map((row) => funnelRow(row, most, query)),
      }),
    ),
    others: others.map(({ screen, arrived }) => ({
      name: screenName(screen),
      href: `/console/step?${new URLSearchParams({ ...query, screen })}`,
      arrived: wholeText(arrived),
    })),
  };
}

const variantRow = (
  { variant, visitors, signUps, purchases }: VariantFigures,
  arms: readonly ArmLanding[],
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

const valueNames: Partial<Record<string, (value: string) => string>> = {
  country: countryName,
  language: languageName,
  landing: (landing) => landingName(landing).name,
};

/** A filter's value for people, with the value that is counted. */
function valueText(name: string, value: string): string {
  const text = valueNames[name]?.(value) ?? value;
  return text === value ? value : `${text} (${value})`;
}

function viewOf(
  {
    period,
    filters,
    query,
  }: { period: ReportPeriod; filters: Filters; query: Record<string, string> },
  choices: Record<string, string[]>,
): Pick<OverviewProps, 'periods' | 'filters'> {
  const address = (fields: Record<string, string>) => `/console?${new URLSearchParams(fields)}`;
  return {
    periods: Object.keys(periods).map((name) => ({
      name,
      href: address({ period: name, ...filters }),
      isChosen: name === period.name,
    })),
    filters: filterNames.map((name) => {
      const { [name]: chosen = '', ...others } = query;
      return {
        name,
        chosen,
        without: address(others),
        choices: choices[name] ?? [],
        textOf: (value) => valueText(name, value),
      };
    }),
  };
}

export async function showOverview(c: Context<App>): Promise<Response> {
  const [seen, choices, status] = await Promise.all([
    figuresIn(c),
    filterChoices(c.env.ANALYTICS),
    checkedState(c.env).then((checked) => statusOf(c, checked)),
  ]);
  const { period, filters, now, figures, days, query, documents, reporting } = seen;
  const { ANALYTICS } = c.env;
  const before = previousOf(period);
  const isCompared = figures.some((figure) => changeOf(figure) !== null);
  const [screens, screensBefore, counts, bought, arms, subscriptions, marks, frame] =
    await Promise.all([
      screenCounts(ANALYTICS, period, filters),
      isCompared ? screenCounts(ANALYTICS, before, filters) : [],
      armCounts(ANALYTICS, period, filters),
      countryPayments(ANALYTICS, period, filters),
      armLandings(ANALYTICS, period, filters),
      allSubscriptionCounts(c.env, period, before, Date.now()).catch(
        unanswered(c.var.log, 'DB', null),
      ),
      publicationMarks(c, period),
      frameOf(c, documents),
    ]);
  const variants = variantsOf(counts.variants, now.payments);
  const flows = flowsSeen(c, documents, arms, variants);
  const named = (...names: string[]) => figures.filter(({ name }) => names.includes(name));
  const revenue = named('All revenue').length > 0 ? named('All revenue') : named('Revenue');
  const [visitors, , purchases] = figures;
  const props: OverviewProps = {
    status,
    period: period.name,
    ...viewOf(seen, choices),
    days,
    when: `${days.from} to ${days.to}, ${period.zone}${isCompared ? `, compared with ${seen.daysBefore.from} to ${seen.daysBefore.to}` : ''}.`,
    isOtherZone: period.zone !== seen.zone,
    isRunning: period.to > Date.now(),
    isCompared,
    bought: boughtView(visitors ?? nothing, purchases ?? nothing),
    funnel: funnelView(funnelOf(screensOf(screens), screensOf(screensBefore), flows), query),
    frame,
    revenue: revenue.map((figure) => chartOf(figure, period)),
    currencies: currencyRows(figures),
    isRateMissing: revenue.length > 1,
    refunds: named('Refunds', 'Declines').map(countCard),
    subscriptions: subscriptions && subscriptionFigures(subscriptions),
    traffic: named('Visitors', 'Sign-ups', 'Purchases').map((figure) => chartOf(figure, period)),
    marks,
    countries: countryRows(counts.countries, bought, reporting),
    variants: variants.map((row) => variantRow(row, arms)),
    landings: landingsView(counts.landings, now.payments, arms, reporting),
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
