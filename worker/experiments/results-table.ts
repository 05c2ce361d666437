import type { D1Database } from '@cloudflare/workers-types';
import { dayMs, hourMs } from '../platform/durations.ts';
import { testPrefix } from './rules/arms.ts';
import { cohortDays, cohortsWithin } from './rules/cohorts.ts';

export interface ArmFacts {
  arm: string;
  visitors: number;
  signUps: number;
  /** Purchases of main plans. */
  purchases: number;
  /** Payment attempts, and among them the declined ones and those that failed for another reason. */
  attempts: number;
  declined: number;
  failed: number;
  /** Refunds and lost disputes. */
  returned: number;
  /** Visitors for whom an island or a script failed, once an hour. */
  crashed: number;
  /** First payments less refunded and disputed, in minor units, by currency. */
  revenue: Record<string, number>;
  /** Sum over buyers of their squared revenue, by currency. */
  squares: Record<string, number>;
  renewals?: Record<string, number>;
  renewalSquares?: Record<string, number>;
}

/** All times of the table, so that a step's rows are found by the primary key. */
const calendar = (table: string, time: string, stepMs: number) =>
  `WITH RECURSIVE calendar (${time}) AS (
     SELECT (SELECT min(${time}) FROM ${table})
     UNION ALL SELECT ${time} + ${stepMs} FROM calendar
     WHERE ${time} < (SELECT max(${time}) FROM ${table}))`;

/** The largest time of a Date, which is later than every visit. */
const forever = 8.64e15;

const isStep = (...names: string[]) =>
  `step IN (${names
    .flatMap((name) => [name, testPrefix + name])
    .map((name) => `'${name}'`)
    .join(', ')})`;

/** Visits until an hour: `days` has all hours but the latest. @param until ms since 1970 */
const visitsUntil = (until: number, step: string) => {
  const lastDay = until - (until % dayMs);
  return `(SELECT day, slice_id, visits FROM calendar CROSS JOIN days USING (day)
      WHERE ${isStep(step)} AND day < ${lastDay}
      UNION ALL SELECT hour - hour % ${dayMs}, slice_id, visits FROM hours
      WHERE hour >= min(${lastDay}, (SELECT until FROM compiled)) AND hour < ${until}
        AND ${isStep(step)})`;
};

export const segmentDimensions = ['country', 'language', 'device', 'source'] as const;

export type SegmentDimension = (typeof segmentDimensions)[number];

interface Wanted {
  experiment: string;
  until: number;
  dimension: SegmentDimension | undefined;
}

const groups = ({ dimension }: Wanted) => `arm${dimension ? ', segment' : ''}`;
const groupColumns = ({ dimension }: Wanted) =>
  `variant AS arm${dimension ? `, ${dimension} AS segment` : ''}`;

const visitsOf = (step: string, wanted: Wanted) =>
  `${calendar('days', 'day', dayMs)}
   SELECT ${groupColumns(wanted)}, sum(visits) AS count FROM ${visitsUntil(wanted.until, step)}
   CROSS JOIN slices ON slices.id = slice_id WHERE experiment = '${wanted.experiment}' GROUP BY ${groups(wanted)}`;

const payments = (sums: string, steps: readonly string[], wanted: Wanted) =>
  `${calendar('payments', 'hour', hourMs)}
   SELECT ${groupColumns(wanted)}, ${sums}
   FROM calendar CROSS JOIN payments USING (hour) CROSS JOIN slices ON slices.id = slice_id
   WHERE hour < ${wanted.until} AND ${isStep(...steps)} AND experiment = '${wanted.experiment}'`;

/** Names of experiments need no escaping. @param until a full hour; the day's end where its hours are deleted */
export function resultQueries(
  experiment: string,
  until = forever,
  dimension?: SegmentDimension,
): string[] {
  const wanted = { experiment, until, dimension };
  const by = groups(wanted);
  const money = `currency, reason = 'renewal' AS renewal, sum(CASE WHEN ${isStep('capture')} THEN amount ELSE -amount END) AS count, sum(squares) AS squares`;
  const rated = ['attempt', 'declined', 'failed', 'refund', 'dispute'];
  return [
    visitsOf('exposure', wanted),
    visitsOf('sign_up', wanted),
    `${payments('sum(count) AS count', ['purchase'], wanted)} AND slot = 'main' GROUP BY ${by}`,
    `${payments(money, ['capture', 'refund', 'dispute'], wanted)} GROUP BY ${by}, currency, renewal`,
    `${payments('step, sum(count) AS count', rated, wanted)} GROUP BY ${by}, step`,
    visitsOf('crash', wanted),
  ];
}

export type ResultRow = {
  arm: string;
  segment?: string;
  currency?: string;
  step?: string;
  count: number;
  squares?: number;
  renewal?: number;
};

export function factsOf([
  visitors = [],
  signUps = [],
  purchases = [],
  revenue = [],
  steps = [],
  crashes = [],
]: ResultRow[][]): ArmFacts[] {
  const arms = new Set([visitors, signUps, purchases, revenue, steps].flat().map(({ arm }) => arm));
  const count = (rows: ResultRow[], arm: string) => rows.find((row) => row.arm === arm)?.count ?? 0;
  const countOf = (arm: string, step: string) =>
    count(
      steps.filter((row) => row.step === step || row.step === testPrefix + step),
      arm,
    );
  const moneyOf = (
    arm: string,
    isRenewal: boolean,
    value: (row: ResultRow) => number = ({ count }) => count,
  ): Record<string, number> => {
    const own = revenue.filter((row) => row.arm === arm && Boolean(row.renewal) === isRenewal);
    return Object.fromEntries(own.map((row) => [row.currency ?? '', value(row)]));
  };
  const squaresOf = ({ squares = 0 }: ResultRow) => squares;
  return [...arms].sort().map(
    (arm): ArmFacts => ({
      arm,
      visitors: count(visitors, arm),
      signUps: count(signUps, arm),
      purchases: count(purchases, arm),
      attempts: countOf(arm, 'attempt'),
      declined: countOf(arm, 'declined'),
      failed: countOf(arm, 'failed'),
      crashed: count(crashes, arm),
      returned: countOf(arm, 'refund') + countOf(arm, 'dispute'),
      revenue: moneyOf(arm, false),
      squares: moneyOf(arm, false, squaresOf),
      ...(revenue.some((row) => row.arm === arm && row.renewal)
        ? { renewals: moneyOf(arm, true), renewalSquares: moneyOf(arm, true, squaresOf) }
        : {}),
    }),
  );
}

export interface CohortFacts {
  /** Since the sign-up. */
  days: number;
  /** Of visitors who came at least so many days ago. */
  arms: Pick<ArmFacts, 'arm' | 'visitors' | 'revenue' | 'squares'>[];
}

/** Visitors and revenue of the first days, of those who are old enough. @param now ms since 1970 */
export const cohortQueries = (experiment: string, now: number, until = forever): string[] =>
  cohortDays.flatMap((days) => {
    const oldEnough = Math.min(until, now - (now % dayMs) - days * dayMs);
    const wanted = { experiment, until: oldEnough, dimension: undefined };
    const sums = 'currency, sum(amount) AS count, sum(squares) AS squares';
    const names = cohortsWithin(days).map((name) => `'${name}'`);
    return [
      visitsOf('exposure', wanted),
      `${payments(sums, ['cohort'], wanted)} AND reason IN (${names}) GROUP BY arm, currency`,
    ];
  });

export async function cohortFacts(
  analytics: D1Database,
  experiment: string,
  now: number,
  until = forever,
): Promise<CohortFacts[]> {
  const rows = await resultRows(analytics, cohortQueries(experiment, now, until));
  return cohortDays.map((days, at) => {
    const [visitors = [], revenue = []] = rows.slice(2 * at);
    return { days, arms: factsOf([visitors, [], [], revenue]) };
  });
}

async function resultRows(analytics: D1Database, queries: readonly string[]) {
  const found = await analytics.batch<ResultRow>(queries.map((sql) => analytics.prepare(sql)));
  return found.map(({ results }) => results);
}

export const experimentFacts = async (
  analytics: D1Database,
  experiment: string,
  until = forever,
): Promise<ArmFacts[]> => factsOf(await resultRows(analytics, resultQueries(experiment, until)));

export async function segmentFacts(
  analytics: D1Database,
  experiment: string,
  dimension: SegmentDimension,
  until = forever,
): Promise<Map<string, ArmFacts[]>> {
  const all = await resultRows(analytics, resultQueries(experiment, until, dimension));
  const values = [...new Set(all.flat().map(({ segment = '' }) => segment))];
  const found = values.map((value) => {
    const own = all.map((rows) => rows.filter(({ segment }) => segment === value));
    return [value, factsOf(own)] as const;
  });
  const visitors = (facts: readonly ArmFacts[]) =>
    facts.reduce((sum, one) => sum + one.visitors, 0);
  return new Map(found.sort(([, a], [, b]) => visitors(b) - visitors(a)));
}

export interface ArmDay {
  /** Start of the day, ms since 1970. */
  day: number;
  arm: string;
  visitors: number;
  purchases: number;
}

const dayQueries = (until: number) => [
  `${calendar('days', 'day', dayMs)}
   SELECT day, variant AS arm, sum(visits) AS visitors, 0 AS purchases
   FROM ${visitsUntil(until, 'exposure')}
   CROSS JOIN slices ON slices.id = slice_id WHERE experiment = ?1 GROUP BY day, arm`,
  `${calendar('payments', 'hour', hourMs)}
   SELECT hour - hour % ${dayMs} AS day, variant AS arm, 0 AS visitors, sum(count) AS purchases
   FROM calendar CROSS JOIN payments USING (hour) CROSS JOIN slices ON slices.id = slice_id
   WHERE hour < ${until} AND ${isStep('purchase')} AND slot = 'main' AND experiment = ?1 GROUP BY day, arm`,
];

export async function experimentDays(
  analytics: D1Database,
  experiment: string,
  until = forever,
): Promise<ArmDay[]> {
  const found = await analytics.batch<ArmDay>(
    dayQueries(until).map((sql) => analytics.prepare(sql).bind(experiment)),
  );
  return found.flatMap(({ results }) => results);
}

export const namesQuery =
  "SELECT DISTINCT experiment FROM slices WHERE experiment <> '' ORDER BY 1";

export async function experimentNames(analytics: Pick<D1Database, 'prepare'>): Promise<string[]> {
  const { results } = await analytics.prepare(namesQuery).all<{ experiment: string }>();
  return results.map(({ experiment }) => experiment);
}
