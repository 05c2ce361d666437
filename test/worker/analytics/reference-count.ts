import type { D1Database } from '@cloudflare/workers-types';
import { histogramBucket } from '../../../worker/analytics/rules/buckets.ts';
import type { Count } from '../../../worker/analytics/rules/count.ts';
import type { StoredEvent } from '../../../worker/analytics/rules/stored-event.ts';

const hour = 3_600_000;
const day = 24 * hour;
const fiveMinutes = 300_000;

const known = ['one_pager', 'signup'];
const uncounted = ['click', 'web_vitals'];
const floor = (at: number, ms: number) => at - (at % ms);

type Table = Record<string, number[]>;

function add(table: Table, key: unknown[], ...values: number[]): void {
  const name = key.join(' ');
  table[name] = values.map((value, at) => (table[name]?.[at] ?? 0) + value);
}

/** The expected rollups for these inputs, each counted once; written independently of the code under test. */
export function referenceCount(events: readonly StoredEvent[], counts: readonly Count[]) {
  const [hours, days, totals, payments, fives, vitals]: Table[] = [{}, {}, {}, {}, {}, {}];
  const addTotals = (at: number, step: unknown[], slice: unknown[], visits: number) => {
    for (const [index, name] of sliceNames.entries()) {
      if (isDimension(name))
        add(totals as Table, [floor(at, day), name, ...step, slice[index]], visits);
    }
  };
  const visits = new Set<string>();
  for (const event of events) {
    const { name, at, screen, flow, experiment, arm, country, language } = event;
    const { device, source, landing } = event;
    const place = known.includes(screen) ? screen : '';
    if (name === 'web_vitals') {
      for (const [metric, value] of Object.entries(event.properties)) {
        const bucket = histogramBucket(metric as 'lcp', Number(value));
        add(vitals as Table, [metric, floor(at, hour), place, device, event.version, bucket], 1);
      }
    }
    if (uncounted.includes(name)) continue;
    const { seconds } = event.properties;
    const bucket = typeof seconds === 'number' ? histogramBucket('seconds', seconds) : 0;
    const slice = [flow, experiment, arm, country, language, device, source, landing];
    const key = [name, place, bucket, ...slice];
    const visit = JSON.stringify([floor(at, hour), key, event.session]);
    const isNew = visits.has(visit) ? 0 : 1;
    visits.add(visit);
    add(hours as Table, [floor(at, hour), ...key], 1, isNew);
    add(days as Table, [floor(at, day), ...key], 1, isNew);
    addTotals(at, [name, place, bucket], slice, isNew);
    add(fives as Table, [floor(at, fiveMinutes), name, '', '', event.version], 1);
  }
  for (const { at, step, provider, slice, payment } of counts) {
    const country = payment ? slice.country : '';
    add(fives as Table, [floor(at, fiveMinutes), step, provider, country, ''], 1);
    const own = Object.values(slice);
    if (payment) {
      const { slot, plan, currency, reason, amount, squares } = payment;
      const key = [floor(at, hour), step, provider, slot, plan, currency, reason, ...own];
      add(payments as Table, key, 1, amount, squares);
      continue;
    }
    add(hours as Table, [floor(at, hour), step, '', 0, ...own], 1, 1);
    add(days as Table, [floor(at, day), step, '', 0, ...own], 1, 1);
    addTotals(at, [step, '', 0], own, 1);
  }
  return { hours, days, totals, payments, fives, vitals };
}

const sliceNames = 'flow experiment variant country language device source landing'.split(' ');
const isDimension = (name: string) => name !== 'experiment' && name !== 'flow';
const slices = sliceNames.join(', ');
const buckets = Array.from({ length: 24 }, (_, at) => `b${at}`);

/** The actual rollups, in the same form. */
export async function storedRollups(db: D1Database): Promise<ReturnType<typeof referenceCount>> {
  const rows = async (sql: string, sums: number): Promise<Table> => {
    const found = (await db.prepare(sql).raw()) as (string | number)[][];
    return Object.fromEntries(
      found.map((row) => [row.slice(0, -sums).join(' '), row.slice(-sums).map(Number)]),
    );
  };
  const of = (table: string, time: string) =>
    `SELECT ${time} AS time, step, screen, bucket, ${slices}, events, visits
     FROM ${table} JOIN slices ON slices.id = slice_id`;
  const vitalRows = await db.prepare('SELECT * FROM vitals').all<Record<string, number>>();
  const vitals: Table = {};
  for (const row of vitalRows.results) {
    for (const [bucket, name] of buckets.entries()) {
      const count = row[name] ?? 0;
      if (count > 0)
        add(vitals, [row.metric, row.hour, row.screen, row.device, row.version, bucket], count);
    }
  }
  return {
    hours: await rows(of('hours', 'hour'), 2),
    // As for long ranges: days, and the hours that they do not have yet.
    days: await rows(
      `SELECT time, step, screen, bucket, ${slices}, sum(events), sum(visits) FROM
         (${of('days', 'day')}
          UNION ALL ${of('hours', 'hour - hour % 86400000')}
          WHERE hour >= (SELECT until FROM compiled))
       GROUP BY time, step, screen, bucket, ${slices}`,
      2,
    ),
    totals: await rows(
      `SELECT time, dimension, step, screen, bucket, value, sum(visits) FROM
         (SELECT day AS time, dimension, step, screen, bucket, value, visits FROM totals
          UNION ALL SELECT hour - hour % 86400000, each.value, step, screen, bucket,
            CASE each.value ${sliceNames.map((name) => `WHEN '${name}' THEN ${name}`).join(' ')} END,
            visits
          FROM hours JOIN slices ON slices.id = slice_id
          JOIN json_each('${JSON.stringify(sliceNames)}') AS each
            ON each.value NOT IN ('experiment', 'flow')
          WHERE hour >= (SELECT until FROM compiled))
       GROUP BY time, dimension, step, screen, bucket, value`,
      1,
    ),
    payments: await rows(
      `SELECT hour, step, provider, slot, plan, currency, reason, ${slices}, count, amount, squares
       FROM payments JOIN slices ON slices.id = slice_id`,
      3,
    ),
    fives: await rows('SELECT start, step, provider, country, version, count FROM five_minutes', 1),
    vitals,
  };
}

export async function emptyRollups(db: D1Database): Promise<void> {
  const tables = ['hours', 'days', 'totals', 'payments', 'five_minutes', 'vitals', 'progress'];
  await db.batch([
    ...tables.map((table) => db.prepare(`DELETE FROM ${table}`)),
    db.prepare('UPDATE compiled SET until = 0'),
  ]);
}
