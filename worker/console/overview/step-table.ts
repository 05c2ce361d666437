import type { D1Database } from '@cloudflare/workers-types';
import { bucketCount, type VitalMetric, vitalMetrics } from '../../analytics/rules/buckets.ts';
import type { ReportPeriod } from '../parts/rules/period.ts';
import {
  binder,
  calendar,
  conditionOf,
  type Filters,
  recentHours,
  visitsOf,
} from './rollup-sql.ts';

export const stepDimensions = ['country', 'language', 'device', 'source'] as const;

const arrivals = ['screen__load', 'button__continue'] as const;

export const faults = {
  input_refused: 'Input refused',
  subs_purchase_failed: 'Payment failed',
  chunk_failed: 'Script failed to load',
  island_failed: 'Part of the page failed',
  phone_format_failed: 'Phone number not formatted',
} as const;

export interface StepValue {
  dimension: (typeof stepDimensions)[number];
  value: string;
  step: string;
  visits: number;
}

export interface VitalCounts {
  metric: VitalMetric;
  /** By bucket of `rules/buckets.ts`. */
  counts: number[];
}

const hourMs = 60 * 60_000;

const byDimension = (rows: string) =>
  stepDimensions
    .map(
      (name) =>
        `SELECT '${name}' AS dimension, ${name} AS value, step, sum(visits) AS visits
         FROM ${rows} GROUP BY ${name}, step`,
    )
    .join(' UNION ALL ');

type Span = Pick<ReportPeriod, 'from' | 'to' | 'unit'>;

export async function stepValues(
  db: D1Database,
  period: Span,
  filters: Filters,
  screen: string,
): Promise<StepValue[]> {
  const condition = conditionOf(filters, 4);
  const steps = [...arrivals, ...Object.keys(faults)].map((step) => `'${step}'`).join(', ');
  const values = [screen, ...condition.values];
  const bind = binder(db, period, values);
  const isFiltered = condition.slice !== '';
  const fields = ['step', ...stepDimensions, 'visits'];
  if (isFiltered || period.unit === 'hour') {
    const sql = `${visitsOf({ steps, fields, where: 'screen = ?3' }, condition, period.unit)},
      sums AS MATERIALIZED (
        SELECT step, ${stepDimensions.join(', ')}, sum(visits) AS visits FROM rows
        GROUP BY step, ${stepDimensions.join(', ')})
      ${byDimension('sums')}`;
    return (await bind(sql).all<StepValue>()).results;
  }
  const found = await db.batch<StepValue>([
    bind(
      `WITH RECURSIVE ${calendar('every_day', 24 * hourMs)}
       SELECT dimension, value, step, sum(visits) AS visits FROM every_day CROSS JOIN totals
         ON day = time AND dimension IN (${stepDimensions.map((name) => `'${name}'`).join(', ')})
         AND step IN (${steps}) AND screen = ?3
       GROUP BY dimension, value, step`,
    ),
    bind(`WITH RECURSIVE ${recentHours}, sums AS MATERIALIZED (
        SELECT step, ${stepDimensions.join(', ')}, visits FROM recent
        CROSS JOIN hours ON hour = time AND hour < ?2 AND step IN (${steps}) AND screen = ?3
        CROSS JOIN slices ON slices.id = slice_id)
      ${byDimension('sums')}`),
  ]);
  return found.flatMap(({ results }) => results);
}

/** Histograms of a screen's web vitals, of one device or of all. Their rollup has no other dimension. */
export async function stepVitals(
  db: D1Database,
  period: Span,
  device: string | undefined,
  screen: string,
): Promise<VitalCounts[]> {
  const buckets = Array.from({ length: bucketCount }, (_, at) => `b${at}`);
  const metrics = vitalMetrics.map((metric) => `'${metric}'`).join(', ');
  const sql = `WITH RECURSIVE ${calendar('every_hour', hourMs)}
    SELECT metric, ${buckets.map((name) => `sum(${name}) AS ${name}`).join(', ')}
    FROM every_hour CROSS JOIN vitals ON metric IN (${metrics}) AND hour = time AND screen = ?3
    ${device ? 'WHERE device = ?4' : ''} GROUP BY metric`;
  const values = [screen, ...(device ? [device] : [])];
  const { results } = await binder(db, period, values)(sql).all<Record<string, number>>();
  return results.map((row) => ({
    metric: String(row.metric) as VitalMetric,
    counts: buckets.map((name) => row[name] ?? 0),
  }));
}
