import { chunks } from 'virtual:client';
import type { Context } from 'hono';
import { decimal } from '../../../locales/format/currency.ts';
import type { App } from '../../platform/env.ts';
import { unanswered } from '../../platform/unanswered.ts';
import { frameOf } from '../documents/screen-frame.ts';
import { checkedState, statusOf } from '../operations/status.ts';
import { consolePage, csvResponse } from '../parts/console-response.tsx';
import { percentText, wholeText } from '../parts/figure-text.ts';
import { countryName, deviceName, languageName, sourceName } from '../parts/rules/names.ts';
import { periods, previousOf, type ReportPeriod } from '../parts/rules/period.ts';
import { zonedTime } from '../parts/rules/time-zone.ts';
import { flowsSeen, funnelView } from './funnel-view.ts';
import {
  boughtView,
  chartOf,
  currencyRows,
  figureName,
  moneyFigures,
  subscriptionFigures,
} from './overview-figures.ts';
import { armCounts, countryPayments, countsBeside, screenCounts } from './overview-table.ts';
import { countryRows, landingName, landingsView, overviewView } from './overview-view.ts';
import { publicationMarks } from './publications.ts';
import { type Filters, filterNames } from './rollup-sql.ts';
import { funnelOf } from './rules/funnel.ts';
import {
  differenceOf,
  figuresOf,
  screensOf,
  type VariantFigures,
  variantsOf,
} from './rules/overview.ts';
import { Overview, type OverviewProps } from './screens/overview.tsx';
import { type ArmLanding, armLandings, filterChoices } from './slice-table.ts';
import { allSubscriptionCounts } from './subscription-table.ts';

async function figuresIn(c: Context<App>) {
  const view = await overviewView(c);
  const { period, filters, reporting } = view;
  const { now, before } = await countsBeside(c.env.ANALYTICS, period, filters);
  const figures = figuresOf(now, before, period.times, reporting);
  return { ...view, counts: { now, before }, figures };
}

const nothing = { value: 0, before: 0 };

const variantRow = (
  { variant, visitors, signUps, purchases }: VariantFigures,
  arms: readonly ArmLanding[],
): OverviewProps['variants'][number] => ({
  name: variant || 'Outside the test',
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
  device: deviceName,
  source: sourceName,
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
  const { period, filters, counts, figures, days, query, documents, reporting } = seen;
  const { payments } = counts.now;
  const { ANALYTICS } = c.env;
  const before = previousOf(period);
  const isCompared = figures.some((figure) => differenceOf(figure) !== null);
  const [screens, screensBefore, arrivals, bought, arms, subscriptions, marks, frame] =
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
  const variants = variantsOf(arrivals.variants, payments);
  const flows = flowsSeen(c, documents, arms, variants);
  const named = (...names: string[]) => figures.filter(({ name }) => names.includes(name));
  const revenue = named('All revenue').length > 0 ? named('All revenue') : named('Revenue');
  const [visitors, , purchases] = figures;
  const props: OverviewProps = {
    status,
    period: period.name,
    ...viewOf(seen, choices),
    days,
    when: `${days.from} to ${days.to}, ${period.zone}${isCompared ? `, compared with ${seen.daysBefore.from} to ${seen.daysBefore.to}. A change in grey can be chance` : ''}.`,
    isOtherZone: period.zone !== seen.zone,
    isRunning: period.to > Date.now(),
    isCompared,
    bought: boughtView(visitors ?? nothing, purchases ?? nothing),
    funnel: funnelView(
      funnelOf(screensOf(screens), screensOf(screensBefore), flows),
      counts,
      query,
    ),
    frame,
    revenue: revenue.map((figure) => chartOf({ ...figure, name: 'Net revenue' }, period)),
    currencies: currencyRows(figures),
    isRateMissing: revenue.length > 1,
    rates: moneyFigures({ ...counts, visitors: visitors ?? nothing }, revenue),
    subscriptions: subscriptions && subscriptionFigures(subscriptions),
    traffic: named('Visitors', 'Sign-ups', 'Purchases').map((figure) => chartOf(figure, period)),
    marks,
    countries: countryRows(arrivals.countries, bought, reporting),
    variants: variants.map((row) => variantRow(row, arms)),
    landings: landingsView(arrivals.landings, payments, arms, reporting),
    query: new URLSearchParams(query).toString(),
    script: chunks['console-chart'] ?? '',
  };
  return consolePage(c, <Overview {...props} />);
}

export async function exportOverview(c: Context<App>): Promise<Response> {
  const { period, figures } = await figuresIn(c);
  const head = [`time, ${period.zone}`, ...figures.map(figureName)];
  const rows = period.times.map((time, at) => [
    zonedTime(time, period.zone),
    ...figures.map(({ series, currency }) =>
      currency ? decimal(series[at] ?? 0, currency) : String(series[at] ?? 0),
    ),
  ]);
  return csvResponse(c, 'overview.csv', [head, ...rows]);
}
