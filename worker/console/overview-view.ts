import type { Context } from 'hono';
import { namespaceKv } from '../documents/versioned-documents.ts';
import { type App, isProduction } from '../env.ts';
import { configStore } from '../experiments/config-versions.ts';
import { builtInDocuments } from '../experiments/rules/config-documents.ts';
import { validateDocuments } from '../experiments/rules/config-validation.ts';
import { allFlows } from '../experiments/rules/flows.ts';
import { reportingIn } from '../experiments/rules/reporting.ts';
import { liveDocuments } from './publish-documents.ts';
import { type Filters, filterNames } from './rollup-sql.ts';
import { flowsFrom } from './rules/landing.ts';
import { type Period, periodOf, previousOf } from './rules/period.ts';
import { localTime } from './rules/time-zone.ts';
import { zoneOf } from './view.ts';

/** Without the documents there are no rates, and the built-in flows. */
async function documentsOf(c: Context<App>) {
  const { FUNNEL, DB } = c.env;
  const live = await liveDocuments(configStore, namespaceKv(FUNNEL), DB, Date.now()).catch(
    () => null,
  );
  return live?.documents ?? builtInDocuments;
}

/** What an address of the overview, or of a step of it, asks for. */
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
    /** The same view's query. */
    query: {
      ...(name === 'custom' ? days : { period: name }),
      ...chosen,
      ...(landing && { landing }),
    } as Record<string, string>,
  };
}
