import type { D1Database, D1PreparedStatement } from '@cloudflare/workers-types';
import { testPrefix } from '../experiments/rules/arms.ts';
import { dayMs } from '../platform/durations.ts';
import { bucketCount, vitalMetrics } from './rules/buckets.ts';
import { type Segment, segmentNames } from './rules/count.ts';
import type { Tally } from './rules/tally.ts';

/** Long enough for the same hour of three past weeks; at a billion visits a month 4 GB. */
const hourRetentionMs = 22 * dayMs;
const fiveMinuteRetentionMs = 36 * dayMs;
const vitalRetentionMs = 90 * dayMs;
const dayRetentionMs = 400 * dayMs;

const columns = (count: number) =>
  Array.from({ length: count }, (_, at) => `value ->> ${at}`).join(', ');

/** Key columns first, then sums. */
const tables = {
  hours: [
    ['hour', 'step', 'screen', 'bucket', 'slice_id'],
    ['events', 'visits'],
  ],
  five_minutes: [['start', 'step', 'provider', 'country', 'version'], ['count']],
  payments: [
    ['hour', 'step', 'provider', 'slot', 'plan', 'currency', 'reason', 'slice_id'],
    ['count', 'amount', 'squares'],
  ],
  vitals: [
    ['metric', 'hour', 'screen', 'device', 'version'],
    Array.from({ length: bucketCount }, (_, at) => `b${at}`),
  ],
} as const;

const upsert = (table: string, keys: readonly string[], sums: readonly string[], rows: string) =>
  `INSERT INTO ${table} (${[...keys, ...sums].join(', ')}) ${rows}
   ON CONFLICT (${keys.join(', ')}) DO UPDATE
     SET ${sums.map((sum) => `${sum} = ${table}.${sum} + excluded.${sum}`).join(', ')}`;

/** SQL: nothing is added when the shard has already written this sequence or a later one. */
const isNext = '(SELECT coalesce(max(sequence), 0) FROM progress WHERE shard = ?2) = ?3';

const statements = Object.entries(tables).map(([table, [keys, sums]]) => ({
  table,
  sql: upsert(
    table,
    keys,
    sums,
    `SELECT ${columns(keys.length + sums.length)} FROM json_each(?1) WHERE ${isNext}`,
  ),
}));

const [hourKeys, hourSums] = tables.hours;
const dayKeys = ['day', ...hourKeys.slice(1)];

/** Adds late counts to hours that `days` already contains. */
const addToDays = upsert(
  'days',
  dayKeys,
  hourSums,
  `SELECT value ->> 0 - (value ->> 0) % ${dayMs}, ${columns(7).split(', ').slice(1).join(', ')}
   FROM json_each(?1) WHERE value ->> 0 < (SELECT until FROM compiled) AND ${isNext}`,
);

const totalKeys = ['day', 'dimension', 'step', 'screen', 'bucket', 'value'];

/** A row for each dimension of a segment that is joined to it. No view reads visits by experiment or by flow alone. */
const dimensions = segmentNames.filter((name) => name !== 'experiment' && name !== 'flow');
const eachDimension = `json_each('${JSON.stringify(dimensions)}') AS each`;
const valueOfDimension = `CASE each.value ${dimensions.map((name) => `WHEN '${name}' THEN ${name}`).join(' ')} END`;

const isNoTest = (step: string) => `${step} NOT GLOB '${testPrefix}*'`;

const addToTotals = upsert(
  'totals',
  totalKeys,
  ['visits'],
  `SELECT rows.value ->> 0 - (rows.value ->> 0) % ${dayMs}, each.value, rows.value ->> 1,
     rows.value ->> 2, rows.value ->> 3, ${valueOfDimension}, rows.value ->> 6
   FROM json_each(?1) AS rows CROSS JOIN slices ON slices.id = rows.value ->> 4
   CROSS JOIN ${eachDimension}
   WHERE rows.value ->> 0 < (SELECT until FROM compiled) AND ${isNoTest('rows.value ->> 1')} AND ${isNext}`,
);

/** @returns the last write of a shard that the tables have */
export async function lastSequence(db: D1Database, shard: string): Promise<number> {
  const found = db.prepare('SELECT sequence FROM progress WHERE shard = ?').bind(shard);
  return (await found.first<number>('sequence')) ?? 0;
}

/** Creates missing segments, which are rows of `slices`. A segment's id never changes. */
export async function segmentIds(
  db: D1Database,
  segments: ReadonlyMap<string, Segment>,
): Promise<Map<string, number>> {
  const keys = [...segments.keys()];
  const values = `[${keys.join(',')}]`;
  const names = segmentNames.join(', ');
  const [, found] = await db.batch<{ at: number; id: number }>([
    db
      .prepare(
        `INSERT INTO slices (${names}) SELECT ${columns(segmentNames.length)} FROM json_each(?) WHERE true
         ON CONFLICT DO NOTHING`,
      )
      .bind(values),
    db
      .prepare(
        `SELECT key AS at, slices.id AS id FROM json_each(?) JOIN slices
         ON ${segmentNames.map((name, at) => `${name} = value ->> ${at}`).join(' AND ')}`,
      )
      .bind(values),
  ]);
  return new Map(found?.results.map(({ at, id }) => [keys[at] ?? '', id]));
}

/** Adds everything or nothing. @returns the shard's progress: `to` when this write, or an equal one, was added */
export async function addTally(
  db: D1Database,
  { shard, from, to }: { shard: string; from: number; to: number },
  tally: Tally,
  idOf: (segment: string) => number,
): Promise<number> {
  const withIds = (rows: Tally['hours'], at: number) =>
    rows.map((row) => row.with(at, idOf(String(row[at]))));
  const hours = withIds(tally.hours, 4);
  const rows: Record<string, unknown[]> = {
    hours,
    five_minutes: tally.fiveMinutes,
    payments: withIds(tally.payments, 7),
    vitals: tally.vitals,
  };
  const add = (sql: string, added: unknown[]): D1PreparedStatement[] =>
    added.length > 0 ? [db.prepare(sql).bind(JSON.stringify(added), shard, from)] : [];
  const results = await db.batch<{ sequence: number }>([
    ...statements.flatMap(({ table, sql }) => add(sql, rows[table] ?? [])),
    ...add(addToDays, hours),
    ...add(addToTotals, hours),
    db
      .prepare(
        `INSERT INTO progress (shard, sequence) SELECT ?2, ?1 WHERE ${isNext}
         ON CONFLICT (shard) DO UPDATE SET sequence = excluded.sequence`,
      )
      .bind(to, shard, from),
    db.prepare('SELECT sequence FROM progress WHERE shard = ?').bind(shard),
  ]);
  return results.at(-1)?.results[0]?.sequence ?? 0;
}

/** Adds the hours that have ended to `days`, each once, and deletes what is too old. */
export async function compileDays(db: D1Database, until: number, now: number): Promise<void> {
  const ended = 'hour >= (SELECT until FROM compiled) AND hour < ?1';
  const old = (table: string, column: string, retentionMs: number) =>
    db.prepare(`DELETE FROM ${table} WHERE ${column} < ?`).bind(now - retentionMs);
  await db.batch([
    db
      .prepare(
        upsert(
          'days',
          dayKeys,
          hourSums,
          `SELECT hour - hour % ${dayMs} AS day, step, screen, bucket, slice_id, sum(events), sum(visits)
           FROM hours WHERE ${ended} GROUP BY day, step, screen, bucket, slice_id`,
        ),
      )
      .bind(until),
    db
      .prepare(
        upsert(
          'totals',
          totalKeys,
          ['visits'],
          `SELECT hour - hour % ${dayMs} AS day, each.value, step, screen, bucket,
             ${valueOfDimension} AS own, sum(visits)
           FROM hours CROSS JOIN slices ON slices.id = slice_id CROSS JOIN ${eachDimension}
           WHERE ${ended} AND ${isNoTest('step')}
           GROUP BY hour - hour % ${dayMs}, each.value, step, screen, bucket, own`,
        ),
      )
      .bind(until),
    db.prepare('UPDATE compiled SET until = ?1 WHERE until < ?1').bind(until),
    old('hours', 'hour', hourRetentionMs),
    old('days', 'day', dayRetentionMs),
    old('totals', 'day', dayRetentionMs),
    old('five_minutes', 'start', fiveMinuteRetentionMs),
    ...vitalMetrics.map((metric) =>
      db
        .prepare('DELETE FROM vitals WHERE metric = ? AND hour < ?')
        .bind(metric, now - vitalRetentionMs),
    ),
  ]);
}
