import type { D1Database } from '@cloudflare/workers-types';

export interface ArmFacts {
  arm: string;
  visitors: number;
  signUps: number;
  /** Main plans that were bought. */
  purchases: number;
  /** Tries to pay, and those that were declined. */
  attempts: number;
  declined: number;
  /** Refunds and lost disputes. */
  returned: number;
  /** Captured less refunded and disputed, in minor units, by currency. */
  revenue: Record<string, number>;
  /** Sum over buyers of their squared revenue, by currency. */
  squares: Record<string, number>;
}

/** Each time of the table, so that a step's rows are found by the primary key. */
const calendar = (table: string, time: string, stepMs: number) =>
  `WITH RECURSIVE calendar (${time}) AS (
     SELECT (SELECT min(${time}) FROM ${table})
     UNION ALL SELECT ${time} + ${stepMs} FROM calendar
     WHERE ${time} < (SELECT max(${time}) FROM ${table}))`;

const hourMs = 60 * 60_000;

/** Visits of all time: `days` has all hours but the last ones. */
const visitsOf = (step: string, experiment: string) =>
  `${calendar('days', 'day', 24 * hourMs)}
   SELECT variant AS arm, sum(visits) AS count FROM
     (SELECT slice_id, visits FROM calendar CROSS JOIN days USING (day) WHERE step = '${step}'
      UNION ALL SELECT slice_id, visits FROM hours
      WHERE hour >= (SELECT until FROM compiled) AND step = '${step}')
   CROSS JOIN slices ON slices.id = slice_id WHERE experiment = '${experiment}' GROUP BY arm`;

const payments = (sums: string, steps: string, experiment: string) =>
  `${calendar('payments', 'hour', hourMs)}
   SELECT variant AS arm, ${sums}
   FROM calendar CROSS JOIN payments USING (hour) CROSS JOIN slices ON slices.id = slice_id
   WHERE step IN (${steps}) AND experiment = '${experiment}'`;

/** The schema limits an experiment's name to letters, digits, - and _. */
export const resultQueries = (experiment: string) => [
  visitsOf('exposure', experiment),
  visitsOf('sign_up', experiment),
  `${payments('sum(count) AS count', "'purchase'", experiment)} AND slot = 'main' GROUP BY arm`,
  `${payments(
    "currency, sum(CASE step WHEN 'capture' THEN amount ELSE -amount END) AS count, sum(squares) AS squares",
    "'capture', 'refund', 'dispute'",
    experiment,
  )} GROUP BY arm, currency`,
  `${payments('step, sum(count) AS count', "'attempt', 'declined', 'refund', 'dispute'", experiment)}
   GROUP BY arm, step`,
];

export type ResultRow = {
  arm: string;
  currency?: string;
  step?: string;
  count: number;
  squares?: number;
};

export function factsOf([
  visitors = [],
  signUps = [],
  purchases = [],
  revenue = [],
  steps = [],
]: ResultRow[][]): ArmFacts[] {
  const arms = new Set([visitors, signUps, purchases, revenue, steps].flat().map(({ arm }) => arm));
  const count = (rows: ResultRow[], arm: string) => rows.find((row) => row.arm === arm)?.count ?? 0;
  const countOf = (arm: string, step: string) =>
    count(
      steps.filter((row) => row.step === step),
      arm,
    );
  return [...arms].sort().map(
    (arm): ArmFacts => ({
      arm,
      visitors: count(visitors, arm),
      signUps: count(signUps, arm),
      purchases: count(purchases, arm),
      attempts: countOf(arm, 'attempt'),
      declined: countOf(arm, 'declined'),
      returned: countOf(arm, 'refund') + countOf(arm, 'dispute'),
      revenue: Object.fromEntries(
        revenue.filter((row) => row.arm === arm).map((row) => [row.currency ?? '', row.count]),
      ),
      squares: Object.fromEntries(
        revenue
          .filter((row) => row.arm === arm)
          .map((row) => [row.currency ?? '', row.squares ?? 0]),
      ),
    }),
  );
}

/** What an experiment's variants did, from rollups. @param analytics D1 of the rollups */
export async function experimentFacts(
  analytics: D1Database,
  experiment: string,
): Promise<ArmFacts[]> {
  const found = await analytics.batch<ResultRow>(
    resultQueries(experiment).map((sql) => analytics.prepare(sql)),
  );
  return factsOf(found.map(({ results }) => results));
}

/** Of a variant on one day. */
export interface ArmDay {
  /** Start of the day, ms since 1970. */
  day: number;
  arm: string;
  visitors: number;
  purchases: number;
}

const dayMs = 24 * hourMs;

const dayQueries = [
  `${calendar('days', 'day', dayMs)}
   SELECT day, variant AS arm, sum(visits) AS visitors, 0 AS purchases FROM
     (SELECT day, slice_id, visits FROM calendar CROSS JOIN days USING (day) WHERE step = 'exposure'
      UNION ALL SELECT hour - hour % ${dayMs}, slice_id, visits FROM hours
      WHERE hour >= (SELECT until FROM compiled) AND step = 'exposure')
   CROSS JOIN slices ON slices.id = slice_id WHERE experiment = ?1 GROUP BY day, arm`,
  `${calendar('payments', 'hour', hourMs)}
   SELECT hour - hour % ${dayMs} AS day, variant AS arm, 0 AS visitors, sum(count) AS purchases
   FROM calendar CROSS JOIN payments USING (hour) CROSS JOIN slices ON slices.id = slice_id
   WHERE step = 'purchase' AND slot = 'main' AND experiment = ?1 GROUP BY day, arm`,
];

/** What an experiment's variants did on each day. */
export async function experimentDays(analytics: D1Database, experiment: string): Promise<ArmDay[]> {
  const found = await analytics.batch<ArmDay>(
    dayQueries.map((sql) => analytics.prepare(sql).bind(experiment)),
  );
  return found.flatMap(({ results }) => results);
}

/** Every experiment that a visitor saw. */
export const namesQuery =
  "SELECT DISTINCT experiment FROM slices WHERE experiment <> '' ORDER BY 1";

export async function experimentNames(analytics: Pick<D1Database, 'prepare'>): Promise<string[]> {
  const { results } = await analytics.prepare(namesQuery).all<{ experiment: string }>();
  return results.map(({ experiment }) => experiment);
}
