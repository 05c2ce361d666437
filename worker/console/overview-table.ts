import type { D1Database, D1PreparedStatement } from '@cloudflare/workers-types';
import type { Period } from './rules/period.ts';

/** Columns of a slice that a view can be filtered by. */
export const sliceFilters = ['country', 'language', 'device', 'source', 'variant'] as const;

export const filterNames = [
  'country',
  'language',
  'device',
  'landing',
  'source',
  'variant',
] as const;

/** A value of each dimension to look at; missing for all of them. */
export type Filters = Partial<Record<(typeof sliceFilters)[number], string>> & {
  /** Flows that start with the landing. */
  flows?: readonly string[];
};

/** A visit's arrival or sign-up. */
export interface StepCount {
  /** Start of the hour or of the day (UTC), ms since 1970. */
  time: number;
  step: string;
  visits: number;
}

export interface VariantCount {
  step: string;
  variant: string;
  visits: number;
}

export interface FlowCount {
  flow: string;
  visits: number;
}

export interface ScreenCount {
  step: string;
  screen: string;
  /** Of Continue, the histogram's bucket of the time on the screen. */
  bucket: number;
  visits: number;
}

export interface PaymentCount {
  /** Start of the hour or of the day (UTC), ms since 1970. */
  time: number;
  step: string;
  slot: string;
  currency: string;
  variant: string;
  flow: string;
  count: number;
  /** Minor units. */
  amount: number;
  /** What it adds to the sum over buyers of their squared revenue. */
  squares: number;
}

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

/** Times from ?1 to ?2, so that rows are found by the primary key: first the time, then the step. */
export const calendar = (name: string, lengthMs: number) =>
  `${name} (time) AS (SELECT ?1 UNION ALL SELECT time + ${lengthMs} FROM ${name} WHERE time + ${lengthMs} < ?2)`;

/** Hours from ?1 to ?2 that `days` and `totals` do not have yet. */
export const recentHours = `recent (time) AS (
  SELECT max(?1, (SELECT until FROM compiled))
  UNION ALL SELECT time + ${hourMs} FROM recent WHERE time + ${hourMs} < ?2)`;

interface Condition {
  /** On a slice; empty for all of them. Its values are parameters. */
  slice: string;
  values: string[];
  /** What `totals` can be read by: with one filter its dimension, null for any; null where more are combined. */
  totals: { dimension: string | null; sql: string } | null;
}

/** @param first number of the first parameter */
export function conditionOf({ flows, ...own }: Filters, first = 3): Condition {
  const chosen: { name: string; value: string; operator: (at: number) => string }[] =
    sliceFilters.flatMap((name) => {
      const value = own[name];
      return value === undefined ? [] : [{ name, value, operator: (at) => `= ?${at}` }];
    });
  if (flows) {
    const operator = (at: number) => `IN (SELECT value FROM json_each(?${at}))`;
    chosen.push({ name: 'flow', value: JSON.stringify(flows), operator });
  }
  const [only] = chosen;
  return {
    slice: chosen.map(({ name, operator }, at) => `${name} ${operator(at + first)}`).join(' AND '),
    values: chosen.map(({ value }) => value),
    totals:
      chosen.length > 1
        ? null
        : only
          ? { dimension: only.name, sql: `totals.value ${only.operator(first)}` }
          : { dimension: null, sql: 'true' },
  };
}

interface Wanted {
  /** Quoted, separated by commas. */
  steps: string;
  /** Columns of the rows beside `time`. */
  fields: readonly string[];
  /** Further condition on a row, such as its screen. */
  where?: string;
}

const sliceColumns: ReadonlySet<string> = new Set([...sliceFilters, 'flow']);

/** Rows of `hours` or `days`, with their slice where a column or the condition asks for it. */
function rowsOf(table: 'hours' | 'days', { steps, fields, where = 'true' }: Wanted, slice: string) {
  const isJoined = fields.some((name) => sliceColumns.has(name));
  const filtered = slice ? `slice_id IN (SELECT id FROM slices WHERE ${slice})` : 'true';
  return `CROSS JOIN ${table} ON ${table.slice(0, -1)} = time AND step IN (${steps}) AND ${where} AND ${filtered}
    ${isJoined ? 'CROSS JOIN slices ON slices.id = slice_id' : ''}`;
}

const hourRows = (name: string, time: string, wanted: Wanted, slice: string) =>
  `SELECT ${time} AS time, ${wanted.fields.join(', ')} FROM ${name} ${rowsOf('hours', wanted, slice)} WHERE hour < ?2`;

const hoursOfDays = (wanted: Wanted, slice: string) =>
  hourRows('recent', `hour - hour % ${dayMs}`, wanted, slice);

/**
 * A table `rows` of the visits of steps in a period: by hour, or by day (UTC) from `days`, with the hours that it
 * does not have yet.
 */
export function visitsOf(wanted: Wanted, { slice }: Condition, unit: Period['unit']): string {
  if (unit === 'hour') {
    return `WITH RECURSIVE ${calendar('every_hour', hourMs)},
      rows AS (${hourRows('every_hour', 'hour', wanted, slice)})`;
  }
  return `WITH RECURSIVE ${calendar('every_day', dayMs)}, ${recentHours},
    rows AS (
      SELECT day AS time, ${wanted.fields.join(', ')} FROM every_day ${rowsOf('days', wanted, slice)}
      UNION ALL ${hoursOfDays(wanted, slice)})`;
}

/** The same from `totals`, where these can tell: of a slice's columns they have one, and only without another filter. */
function totalsOf(wanted: Wanted, condition: Condition, unit: Period['unit']): string {
  const { totals } = condition;
  const own = wanted.fields.find((name) => sliceColumns.has(name));
  const dimension = totals?.dimension ?? own ?? 'variant';
  const isKnown = totals && dimension === (own ?? dimension);
  if (unit === 'hour' || !isKnown) return visitsOf(wanted, condition, unit);
  const fields = wanted.fields.map((name) => (name === own ? `totals.value AS ${own}` : name));
  return `WITH RECURSIVE ${calendar('every_day', dayMs)}, ${recentHours},
    rows AS (
      SELECT day AS time, ${fields.join(', ')} FROM every_day
      CROSS JOIN totals
        ON day = time AND dimension = '${dimension}' AND step IN (${wanted.steps})
      WHERE ${totals.sql}
      UNION ALL ${hoursOfDays(wanted, condition.slice)})`;
}

const arrivals = "'exposure', 'sign_up'";
/** They have no screen. To say so finds the few slices of combined filters by the primary key. */
const arrivalsBy = (fields: readonly string[], { totals }: Condition): Wanted => ({
  steps: arrivals,
  fields,
  ...(totals === null && { where: "screen = '' AND bucket = 0" }),
});
const onScreens = "'screen__load', 'button__continue'";

export interface Counts {
  steps: StepCount[];
  payments: PaymentCount[];
}

type Span = Pick<Period, 'from' | 'to' | 'unit'>;

/** An hour counts to the day in which it starts, where a zone's days start at half an hour. */
const wholeHour = (time: number) => Math.ceil(time / hourMs) * hourMs;

export const binder =
  (db: D1Database, { from, to }: Span, values: readonly string[]) =>
  (sql: string): D1PreparedStatement =>
    db.prepare(sql).bind(wholeHour(from), wholeHour(to), ...values);

const hourOrDay = (unit: Period['unit']) => (unit === 'hour' ? 'hour' : `hour - hour % ${dayMs}`);

/** What visitors did and paid in a period, from rollups only. */
export async function countsOf(db: D1Database, period: Span, filters: Filters): Promise<Counts> {
  const condition = conditionOf(filters);
  const bind = binder(db, period, condition.values);
  const time = hourOrDay(period.unit);
  const wanted = arrivalsBy(['step', 'visits'], condition);
  const found = await db.batch([
    bind(
      `${totalsOf(wanted, condition, period.unit)}
       SELECT time, step, sum(visits) AS visits FROM rows GROUP BY time, step`,
    ),
    bind(
      `WITH RECURSIVE ${calendar('every_hour', hourMs)}
       SELECT ${time} AS time, step, slot, currency, variant, flow,
         sum(count) AS count, sum(amount) AS amount, sum(squares) AS squares
       FROM every_hour CROSS JOIN payments
         ON hour = time AND step IN ('purchase', 'declined', 'capture', 'refund', 'dispute')
       CROSS JOIN slices ON slices.id = slice_id WHERE ${condition.slice || 'true'}
       GROUP BY ${time}, step, slot, currency, variant, flow`,
    ),
  ]);
  const [steps, payments] = found.map(({ results }) => results);
  return { steps: (steps ?? []) as StepCount[], payments: (payments ?? []) as PaymentCount[] };
}

/** What visitors did on each screen, by variant and by flow, in a period, from rollups only. */
export async function screenCounts(
  db: D1Database,
  period: Span,
  filters: Filters,
): Promise<{ screens: ScreenCount[]; variants: VariantCount[]; flows: FlowCount[] }> {
  const condition = conditionOf(filters);
  const bind = binder(db, period, condition.values);
  const onScreen = { steps: onScreens, fields: ['step', 'screen', 'bucket', 'visits'] };
  const ofVariant = arrivalsBy(['step', 'variant', 'visits'], condition);
  const found = await db.batch([
    bind(
      `${totalsOf(onScreen, condition, period.unit)}
       SELECT step, screen, bucket, sum(visits) AS visits FROM rows GROUP BY step, screen, bucket`,
    ),
    bind(
      `${totalsOf(ofVariant, condition, period.unit)}
       SELECT step, variant, sum(visits) AS visits FROM rows GROUP BY step, variant`,
    ),
    bind(
      `${totalsOf({ steps: "'exposure'", fields: ['flow', 'visits'] }, condition, period.unit)}
       SELECT flow, sum(visits) AS visits FROM rows GROUP BY flow`,
    ),
  ]);
  const [screens, variants, flows] = found.map(({ results }) => results);
  return {
    screens: (screens ?? []) as ScreenCount[],
    variants: (variants ?? []) as VariantCount[],
    flows: (flows ?? []) as FlowCount[],
  };
}
