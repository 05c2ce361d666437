import type { Context } from 'hono';
import { type Interval, minEvents } from '../../experiments/rules/always-valid.ts';
import { builtInDocuments } from '../../experiments/rules/config-documents.ts';
import { isDirect, screenOf } from '../../experiments/rules/landing.ts';
import { type Reporting, reportingIn } from '../../experiments/rules/reporting.ts';
import type { App } from '../../platform/env.ts';
import { unanswered } from '../../platform/unanswered.ts';
import { amountText, percentText, wholeText } from '../parts/figure-text.ts';
import { countryName } from '../parts/rules/names.ts';
import { previousOf, type ReportPeriod, reportPeriodOf } from '../parts/rules/period.ts';
import { screenName } from '../parts/rules/screen-names.ts';
import { localTime } from '../parts/rules/time-zone.ts';
import type { TableRow } from '../parts/table.tsx';
import { zoneOf } from '../parts/time-zone-choice.ts';
import { liveConfig } from '../publishing/publish-documents.ts';
import type { CountryCount, CountryPayment, LandingCount, PaymentCount } from './overview-table.ts';
import { type Filters, filterNames } from './rollup-sql.ts';
import { countrySales } from './rules/countries.ts';
import { landingSales, landingTests } from './rules/landing-sales.ts';
import type { LandingsProps } from './screens/landings.tsx';
import type { ArmLanding } from './slice-table.ts';

/** Without the documents there are no rates. */
async function documentsOf(c: Context<App>) {
  const live = await liveConfig(c).catch(unanswered(c.var.log, 'FUNNEL', null));
  return live?.documents ?? builtInDocuments;
}

export const reportingOf = async (c: Context<App>): Promise<Reporting | null> =>
  reportingIn((await documentsOf(c))['config.json']);

export async function overviewView(c: Context<App>) {
  const texts = await documentsOf(c);
  const zone = zoneOf(c);
  const asked = c.req.query();
  const named = reportPeriodOf({ period: asked.period ?? '' }, Date.now(), zone);
  const dayIn = (time: number, dayZone: string) => localTime(time, dayZone).slice(0, 10);
  // The form sends the days that it shows. Unchanged, they stand for the named period.
  const isNamed =
    asked.from === dayIn(named.from, named.zone) && asked.to === dayIn(named.to - 1, named.zone);
  const period = isNamed && asked.period ? named : reportPeriodOf(asked, Date.now(), zone);
  const filters: Filters = Object.fromEntries(
    filterNames.flatMap((name) => {
      const value = c.req.query(name)?.slice(0, 100);
      return value ? [[name, value]] : [];
    }),
  );
  const daysOf = ({ from, to }: Pick<ReportPeriod, 'from' | 'to'>) => ({
    from: dayIn(from, period.zone),
    to: dayIn(to - 1, period.zone),
  });
  const days = daysOf(period);
  const { name } = period;
  return {
    period,
    days,
    daysBefore: daysOf(previousOf(period)),
    zone,
    filters,
    documents: texts,
    reporting: reportingIn(texts['config.json']),
    query: {
      ...(name === 'custom' ? days : { period: name }),
      ...filters,
    } as Record<string, string>,
  };
}

const withRange = (
  { value, interval }: { value: number; interval: Interval | null },
  text: (value: number) => string,
) =>
  interval
    ? `${text(value)} (${text(Math.max(0, interval.low))} to ${text(interval.high)})`
    : text(value);

/** A landing's name for people, and its id. */
export function landingName(landing: string): { name: string; note?: string } {
  if (landing === '') return { name: 'Not known, or counted before landings were stored' };
  const screen = screenOf(landing);
  const name = screenName(screen);
  return { name: isDirect(landing) ? `${name}, opened by its address` : name, note: screen };
}

export function landingsView(
  visits: LandingCount[],
  payments: PaymentCount[],
  arms: ArmLanding[],
  reporting: Reporting | null,
): LandingsProps {
  const { currency, rows } = landingSales(visits, payments, reporting);
  return {
    rows: rows.map(({ landing, visitors, purchases, share, revenue }) => ({
      key: landing,
      ...landingName(landing),
      cells: [
        wholeText(visitors),
        wholeText(purchases),
        share ? withRange(share, (value) => percentText(value, 1)) : '–',
        revenue && currency ? withRange(revenue, (value) => amountText(value, currency)) : '–',
      ],
    })),
    minEvents,
    tests: landingTests(arms),
  };
}

/** Countries beyond these are added up in the last row. */
const maxCountries = 12;

export function countryRows(
  visits: CountryCount[],
  payments: CountryPayment[],
  reporting: Reporting | null,
): TableRow[] {
  const all = countrySales(visits, payments, reporting);
  const rowOf = (
    sales: readonly (typeof all)[number][],
    title: { name: string; note?: string },
  ) => {
    const sum = (value: (row: (typeof all)[number]) => number) =>
      sales.reduce((total, row) => total + value(row), 0);
    const [visitors, purchases] = [sum((row) => row.visitors), sum((row) => row.purchases)];
    const currencies = [...new Set(sales.flatMap(({ revenue }) => [...revenue.keys()]))];
    const revenue = currencies.map((currency) =>
      amountText(
        sum((row) => row.revenue.get(currency) ?? 0),
        currency,
      ),
    );
    return {
      ...title,
      cells: [
        wholeText(visitors),
        wholeText(purchases),
        percentText(purchases, visitors),
        revenue.join(', ') || '–',
      ],
    };
  };
  const rest = all.slice(maxCountries);
  return [
    ...all
      .slice(0, maxCountries)
      .map((row) =>
        rowOf(
          [row],
          row.country ? { name: countryName(row.country), note: row.country } : { name: 'Unknown' },
        ),
      ),
    ...(rest.length > 0 ? [rowOf(rest, { name: `${rest.length} other countries` })] : []),
  ];
}
