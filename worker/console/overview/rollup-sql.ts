import type { D1Database, D1PreparedStatement } from '@cloudflare/workers-types';
import { dayMs, hourMs } from '../../platform/durations.ts';
import type { ReportPeriod } from '../parts/rules/period.ts';

/** Columns of a slice that a view can be filtered by. */
export const filterNames = [
  'country',
  'language',
  'device',
  'landing',
  'source',
  'variant',
] as const;

/** The selected value of each dimension; missing for all. */
export type Filters = Partial<Record<(typeof filterNames)[number], string>>;

/** With several values of a dimension, any of which fits. */
export type Group = Partial<Record<(typeof filterNames)[number], string | readonly string[]>>;

/** Times from ?1 to ?2, so that rows are found by the primary key: first the time, then the step. */
export const calendar = (name: string, lengthMs: number) =>
  `${name} (time) AS (SELECT ?1 UNION ALL SELECT time + ${lengthMs} FROM ${name} WHERE time + ${lengthMs} < ?2)`;

/** Hours from ?1 to ?2 that `days` and `totals` do not have yet. */
export const recentHours = `recent (time) AS (
  SELECT max(?1, (SELECT until FROM compiled))
  UNION ALL SELECT time + ${hourMs} FROM recent WHERE time + ${hourMs} < ?2)`;

export interface Condition {
  /** SQL condition on a slice; empty for all. Its values are parameters. */
  slice: string;
  values: string[];
  /** With one filter by its dimension, null for any dimension; null if several filters are combined. */
  totals: { dimension: string | null; sql: string } | null;
}

/** @param at number of the parameter: a JSON array */
const listed = (at: number) => `(SELECT value FROM json_each(?${at}))`;

/** @param first number of the first parameter */
export function conditionOf(filters: Group, first = 3): Condition {
  const chosen = filterNames.flatMap((name) => {
    const value = filters[name];
    return value === undefined ? [] : [{ name, value: JSON.stringify([value].flat()) }];
  });
  const [only] = chosen;
  return {
    slice: chosen.map(({ name }, at) => `${name} IN ${listed(at + first)}`).join(' AND '),
    values: chosen.map(({ value }) => value),
    totals:
      chosen.length > 1
        ? null
        : only
          ? { dimension: only.name, sql: `totals.value IN ${listed(first)}` }
          : { dimension: null, sql: 'true' },
  };
}

interface Wanted {
  /** Quoted, separated by commas. */
  steps: string;
  fields: readonly string[];
  /** Further condition on a row, such as its screen. */
  where?: string;
}

/** Arrivals have no screen. This condition lets the primary key find the few slices of combined filters. */
export const arrivalsBy = (
  steps: string,
  fields: readonly string[],
  { totals }: Condition,
): Wanted => ({
  steps,
  fields,
  ...(totals === null && { where: "screen = '' AND bucket = 0" }),
});

const sliceColumns: ReadonlySet<string> = new Set(filterNames);

/** Rows of `hours` or `days`, joined with their slice if a column or the condition needs it. */
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

/** By hour, or by UTC day from `days` plus the hours that it does not contain yet. */
export function visitsOf(wanted: Wanted, { slice }: Condition, unit: ReportPeriod['unit']): string {
  if (unit === 'hour') {
    return `WITH RECURSIVE ${calendar('every_hour', hourMs)},
      rows AS (${hourRows('every_hour', 'hour', wanted, slice)})`;
  }
  return `WITH RECURSIVE ${calendar('every_day', dayMs)}, ${recentHours},
    rows AS (
      SELECT day AS time, ${wanted.fields.join(', ')} FROM every_day ${rowsOf('days', wanted, slice)}
      UNION ALL ${hoursOfDays(wanted, slice)})`;
}

/** The same from `totals`, if it has the data: it has one column of a slice at a time, without another filter. */
export function totalsOf(wanted: Wanted, condition: Condition, unit: ReportPeriod['unit']): string {
  const { totals } = condition;
  const own = wanted.fields.filter((name) => sliceColumns.has(name));
  const dimensions = totals?.dimension ? [totals.dimension] : own.length > 0 ? own : ['variant'];
  const isKnown = totals && own.every((name) => dimensions.includes(name));
  if (unit === 'hour' || !isKnown) return visitsOf(wanted, condition, unit);
  const fields = wanted.fields.map((name) =>
    own.includes(name) ? `CASE dimension WHEN '${name}' THEN totals.value END AS ${name}` : name,
  );
  return `WITH RECURSIVE ${calendar('every_day', dayMs)}, ${recentHours},
    rows AS (
      SELECT day AS time, ${fields.join(', ')} FROM every_day
      CROSS JOIN totals ON day = time AND step IN (${wanted.steps})
        AND dimension IN (${dimensions.map((name) => `'${name}'`).join(', ')})
      WHERE ${totals.sql}
      UNION ALL ${hoursOfDays(wanted, condition.slice)})`;
}

export type Span = Pick<ReportPeriod, 'from' | 'to' | 'unit'>;

/** An hour counts for the day in which it starts, in zones whose days start at half past. */
const wholeHour = (time: number) => Math.ceil(time / hourMs) * hourMs;

export const binder =
  (db: D1Database, { from, to }: Span, values: readonly string[]) =>
  (sql: string): D1PreparedStatement =>
    db.prepare(sql).bind(wholeHour(from), wholeHour(to), ...values);
