import type { Context } from 'hono';
import { type Interval, minEvents } from '../../experiments/rules/always-valid.ts';
import { builtInDocuments } from '../../experiments/rules/config-documents.ts';
import { isDirect, screenOf } from '../../experiments/rules/landing.ts';
import { type Reporting, reportingIn } from '../../experiments/rules/reporting.ts';
import type { App } from '../../platform/env.ts';
import { unanswered } from '../../platform/unanswered.ts';
import { amountText, percentText, wholeText } from '../parts/figure-text.ts';
import { previousOf, type ReportPeriod, reportPeriodOf } from '../parts/rules/period.ts';
import { localTime } from '../parts/rules/time-zone.ts';
import { zoneOf } from '../parts/time-zone-choice.ts';
import { liveConfig } from '../publishing/publish-documents.ts';
import type { LandingCount, PaymentCount } from './overview-table.ts';
import { type Filters, filterNames } from './rollup-sql.ts';
import { landingSales, landingTests } from './rules/landing-sales.ts';
import type { LandingsProps } from './screens/landings.tsx';
import type { ArmLanding } from './slice-table.ts';

/** Without the documents there are no rates. */
async function documentsOf(c: Context<App>) {
  const live = await liveConfig(c).catch(unanswered(c.var.log, 'FUNNEL', null));
  return live?.documents ?? builtInDocuments;
}

export async function overviewView(c: Context<App>) {
  const texts = await documentsOf(c);
  const zone = zoneOf(c);
  const period = reportPeriodOf(c.req.query(), Date.now(), zone);
  const filters: Filters = Object.fromEntries(
    filterNames.flatMap((name) => {
      const value = c.req.query(name)?.slice(0, 100);
      return value ? [[name, value]] : [];
    }),
  );
  const day = (time: number) => localTime(time, period.zone).slice(0, 10);
  const daysOf = ({ from, to }: Pick<ReportPeriod, 'from' | 'to'>) => ({
    from: day(from),
    to: day(to - 1),
  });
  const days = daysOf(period);
  const { name } = period;
  return {
    period,
    days,
    daysBefore: daysOf(previousOf(period)),
    zone,
    filters,
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

function landingText(landing: string): string {
  if (landing === '') return 'Not known, or counted before landings were stored';
  return isDirect(landing) ? `${screenOf(landing)}, opened by its address` : landing;
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
      name: landingText(landing),
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
