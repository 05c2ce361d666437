import type { D1Database } from '@cloudflare/workers-types';
import type { Period } from './rules/period.ts';

export const filterNames = ['country', 'language', 'device', 'source', 'variant'] as const;

/** A value of each dimension to look at; missing for all of them. */
export type Filters = Partial<Record<(typeof filterNames)[number], string>>;

export interface StepCount {
  /** Start of the chart's step, ms since 1970. */
  time: number;
  step: string;
  screen: string;
  /** Of Continue, the histogram's bucket of the time on the screen. */
  bucket: number;
  variant: string;
  visits: number;
}

export interface PaymentCount {
  time: number;
  step: string;
  slot: string;
  currency: string;
  variant: string;
  count: number;
  /** Minor units. */
  amount: number;
}

const hourMs = 60 * 60_000;

/** Times from ?1 to ?2, so that rows are found by the primary key: first the time, then the step. */
const calendar = (name: string, lengthMs: number) =>
  `${name} (time) AS (SELECT ?1 UNION ALL SELECT time + ${lengthMs} FROM ${name} WHERE time + ${lengthMs} < ?2)`;

/** Parameters from ?4 on. */
const where = filterNames
  .map((name, at) => `(?${at + 4} = '' OR ${name} = ?${at + 4})`)
  .join(' AND ');

const filterValues = (filters: Filters) => filterNames.map((name) => filters[name] ?? '');

const steps = "'exposure', 'sign_up', 'screen__load', 'button__continue'";

const hoursSql = `
  WITH RECURSIVE ${calendar('every_hour', hourMs)}
  SELECT hour - hour % ?3 AS time, step, screen, bucket, variant, sum(visits) AS visits
  FROM every_hour CROSS JOIN hours ON hour = time AND step IN (${steps})
  JOIN slices ON slices.id = slice_id WHERE ${where}
  GROUP BY hour - hour % ?3, step, screen, bucket, variant`;

const dayMs = 24 * hourMs;

/** `days` has every hour before `compiled.until`; the hours after it are added. */
const daysSql = `
  WITH RECURSIVE ${calendar('every_day', dayMs)},
    recent (time) AS (
      SELECT max(?1, (SELECT until FROM compiled))
      UNION ALL SELECT time + ${hourMs} FROM recent WHERE time + ${hourMs} < ?2)
  SELECT time, step, screen, bucket, variant, sum(visits) AS visits FROM (
    SELECT day AS time, step, screen, bucket, slice_id, visits
    FROM every_day CROSS JOIN days ON day = time AND step IN (${steps})
    UNION ALL
    SELECT hour - hour % ?3, step, screen, bucket, slice_id, visits
    FROM recent CROSS JOIN hours ON hour = time AND hour < ?2 AND step IN (${steps}))
  JOIN slices ON slices.id = slice_id WHERE ${where}
  GROUP BY time, step, screen, bucket, variant`;

const paymentsSql = `
  WITH RECURSIVE ${calendar('every_hour', hourMs)}
  SELECT hour - hour % ?3 AS time, step, slot, currency, variant,
    sum(count) AS count, sum(amount) AS amount
  FROM every_hour CROSS JOIN payments
    ON hour = time AND step IN ('purchase', 'declined', 'capture', 'refund', 'dispute')
  JOIN slices ON slices.id = slice_id WHERE ${where}
  GROUP BY hour - hour % ?3, step, slot, currency, variant`;

export interface Counts {
  steps: StepCount[];
  payments: PaymentCount[];
}

/** What visitors did and paid in a period, from rollups only. */
export async function countsOf(
  db: D1Database,
  { from, to, stepMs }: Period,
  filters: Filters,
): Promise<Counts> {
  const values = [from, to, stepMs, ...filterValues(filters)];
  const [found, paid] = await db.batch([
    db.prepare(stepMs === dayMs ? daysSql : hoursSql).bind(...values),
    db.prepare(paymentsSql).bind(...values),
  ]);
  return {
    steps: (found?.results ?? []) as StepCount[],
    payments: (paid?.results ?? []) as PaymentCount[],
  };
}

/** The values that each dimension has, for the filters' lists. */
export async function filterChoices(db: D1Database): Promise<Record<string, string[]>> {
  const found = await db.batch<{ value: string }>(
    filterNames.map((name) =>
      db.prepare(`SELECT DISTINCT ${name} AS value FROM slices WHERE ${name} <> '' ORDER BY 1`),
    ),
  );
  return Object.fromEntries(
    filterNames.map((name, at) => [name, (found[at]?.results ?? []).map(({ value }) => value)]),
  );
}
