import type { Context } from 'hono';
import type { LandingsProps } from '../../../screens/console/landings.tsx';
import { type App, isProduction } from '../../env.ts';
import { type Interval, minEvents } from '../../experiments/rules/always-valid.ts';
import { builtInDocuments } from '../../experiments/rules/config-documents.ts';
import { validateDocuments } from '../../experiments/rules/config-validation.ts';
import { allFlows } from '../../experiments/rules/flows.ts';
import { type Reporting, reportingIn } from '../../experiments/rules/reporting.ts';
import { liveConfig } from '../documents/publish-documents.ts';
import { amountText, percentText, wholeText } from '../figure-text.ts';
import { flowsFrom } from '../rules/landing.ts';
import { landingSales, landingTests } from '../rules/landing-sales.ts';
import { type Period, periodOf, previousOf } from '../rules/period.ts';
import { localTime } from '../rules/time-zone.ts';
import { zoneOf } from '../time-zone-choice.ts';
import type { FlowCount, PaymentCount } from './overview-table.ts';
import { type Filters, filterNames } from './rollup-sql.ts';
import type { ArmFlow } from './slice-table.ts';

/** Without the documents there are no rates, and only the built-in flows. */
async function documentsOf(c: Context<App>) {
  const live = await liveConfig(c).catch(() => null);
  return live?.documents ?? builtInDocuments;
}

export async function overviewView(c: Context<App>) {
  const texts = await documentsOf(c);
  const production = isProduction(c.env);
  const { pair } = validateDocuments(texts['config.json'], texts['flows.json'], false, production);
  const flows = allFlows(pair?.flows ?? { flows: {} }, production);
  const zone = zoneOf(c);
  const period = periodOf(c.req.query(), Date.now(), zone);
  const { landing, ...chosen } = Object.fromEntries(
    filterNames.flatMap((name) => {
      const value = c.req.query(name)?.slice(0, 100);
      return value ? [[name, value]] : [];
    }),
  ) as Partial<Record<(typeof filterNames)[number], string>>;
  const filters: Filters = landing ? { ...chosen, flows: flowsFrom(landing, flows) } : chosen;
  const day = (time: number) => localTime(time, period.zone).slice(0, 10);
  const daysOf = ({ from, to }: Pick<Period, 'from' | 'to'>) => ({
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
    chosen: { ...chosen, ...(landing && { landing }) },
    flows,
    reporting: reportingIn(texts['config.json']),
    query: {
      ...(name === 'custom' ? days : { period: name }),
      ...chosen,
      ...(landing && { landing }),
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

export function landingsView(
  { visits, payments, arms }: { visits: FlowCount[]; payments: PaymentCount[]; arms: ArmFlow[] },
  flows: ReadonlyMap<string, readonly string[]>,
  reporting: Reporting | null,
): LandingsProps {
  const { currency, rows } = landingSales(visits, payments, flows, reporting);
  return {
    rows: rows.map(({ landing, visitors, purchases, share, revenue }) => ({
      name: landing,
      cells: [
        wholeText(visitors),
        wholeText(purchases),
        withRange(share, (value) => percentText(value, 1)),
        revenue && currency ? withRange(revenue, (value) => amountText(value, currency)) : '–',
      ],
    })),
    minEvents,
    tests: landingTests(arms, flows),
  };
}
