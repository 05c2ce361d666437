import type { D1Database } from '@cloudflare/workers-types';

export interface ArmFacts {
  arm: string;
  visitors: number;
  signUps: number;
  /** Main plans that were bought. */
  purchases: number;
  /** Captured less refunded and disputed, in minor units, by currency. */
  revenue: Record<string, number>;
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
    "currency, sum(CASE step WHEN 'capture' THEN amount ELSE -amount END) AS count",
    "'capture', 'refund', 'dispute'",
    experiment,
  )} GROUP BY arm, currency`,
];

export type ResultRow = { arm: string; currency?: string; count: number };

export function factsOf([
  visitors = [],
  signUps = [],
  purchases = [],
  revenue = [],
]: ResultRow[][]): ArmFacts[] {
  const arms = new Set([visitors, signUps, purchases, revenue].flat().map(({ arm }) => arm));
  const count = (rows: ResultRow[], arm: string) => rows.find((row) => row.arm === arm)?.count ?? 0;
  return [...arms].sort().map(
    (arm): ArmFacts => ({
      arm,
      visitors: count(visitors, arm),
      signUps: count(signUps, arm),
      purchases: count(purchases, arm),
      revenue: Object.fromEntries(
        revenue.filter((row) => row.arm === arm).map((row) => [row.currency ?? '', row.count]),
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
