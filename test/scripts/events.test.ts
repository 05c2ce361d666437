import { globSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { R2Bucket } from '@cloudflare/workers-types';
import { describe, expect, test } from 'vitest';
import { queryEvents } from '../../scripts/events/duckdb.ts';
import { funnel, funnelTable, screenTable } from '../../scripts/events/funnel-table.ts';
import { copyObjects } from '../../scripts/events/local-copy.ts';
import { exportQuery, jsonLine, rowTable } from '../../scripts/events.ts';
import type { Query } from '../../scripts/wrangler.ts';
import { objectKey, putEvents } from '../../worker/analytics/event-objects.ts';
import { histogramBucket } from '../../worker/analytics/rules/buckets.ts';
import type { StoredEvent } from '../../worker/analytics/rules/stored-event.ts';
import { storedEvent } from '../worker/analytics/event-fixture.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const start = 20_000 * dayMs;

/** A bucket in memory, whose list pages have two objects. */
function memoryBucket() {
  const objects = new Map<string, { bytes: ArrayBuffer; etag: string }>();
  return {
    put: async (key: string, bytes: ArrayBuffer) =>
      void objects.set(key, { bytes, etag: crypto.randomUUID() }),
    delete: async (key: string) => void objects.delete(key),
    get: async (key: string) => {
      const found = objects.get(key);
      return found ? { arrayBuffer: async () => found.bytes } : null;
    },
    list: async ({ prefix, cursor = '0' }: { prefix: string; cursor?: string }) => {
      const all = [...objects].filter(([key]) => key.startsWith(prefix));
      const page = all.slice(Number(cursor), Number(cursor) + 2);
      const next = Number(cursor) + 2;
      const truncated = next < all.length;
      return {
        objects: page.map(([key, { etag }]) => ({ key, etag })),
        ...(truncated ? { truncated, cursor: String(next) } : { truncated }),
      };
    },
  } as unknown as R2Bucket;
}

const event = (at: number, more: Partial<StoredEvent> = {}) => storedEvent({ at, ...more });
const put = (bucket: R2Bucket, events: StoredEvent[], sequence: number) =>
  putEvents(bucket, objectKey(events[0]?.at ?? 0, '0', sequence), events);

describe('events query', () => {
  const folder = () => mkdtempSync(join(tmpdir(), 'events-test-'));
  const twoDays = { since: start, until: start + 2 * dayMs };

  test('DuckDB reads the objects that the Worker wrote, with properties, time and partitions', async () => {
    const bucket = memoryBucket();
    const vitals = { lcp: 1200, cls: 0.01 };
    await put(bucket, [event(start + 5, { name: 'web_vitals', properties: vitals })], 1);
    await put(bucket, [event(start + hourMs), event(start + hourMs + 1)], 2);
    await put(bucket, [event(start + dayMs)], 3);
    const files = await copyObjects(bucket, folder(), twoDays);
    const sql = `SELECT date::TEXT AS day, hour::INT AS hour, count(*)::INT AS events,
      max((properties->>'lcp')::DOUBLE) AS lcp FROM events GROUP BY ALL ORDER BY ALL`;
    expect(await queryEvents(files, sql)).toEqual([
      { day: '2024-10-04', hour: 0, events: 1, lcp: 1200 },
      { day: '2024-10-04', hour: 1, events: 2, lcp: null },
      { day: '2024-10-05', hour: 0, events: 1, lcp: null },
    ]);
    expect(await queryEvents([], 'SELECT count(*)::INT AS n FROM events')).toEqual([{ n: 0 }]);
  });

  test('an object that was rewritten or deleted is replaced in the copy', async () => {
    const [bucket, copy] = [memoryBucket(), folder()];
    const count = async () => {
      const files = await copyObjects(bucket, copy, twoDays);
      return queryEvents(files, 'SELECT count(*)::INT AS n FROM events');
    };
    const [first, second] = [event(start), event(start)];
    await put(bucket, [first, second], 1);
    for (const sequence of [2, 3, 4]) await put(bucket, [event(start + sequence)], sequence);
    expect(await count()).toEqual([{ n: 5 }]);
    await put(bucket, [first], 1);
    await put(bucket, [], 4);
    const key = objectKey(start, '0', 4);
    await bucket.delete(key);
    expect(await count()).toEqual([{ n: 3 }]);
  });

  test('an invalid statement prints an explanation', async () => {
    await expect(queryEvents([], 'SELECT nothing FROM events')).rejects.toThrow(/nothing/);
  });

  test('rows are printed as a table', () => {
    expect(rowTable([{ name: 'click', n: 2, of: { a: 1 } }]).map((line) => line.trimEnd())).toEqual(
      ['name   n       of', 'click  2  {"a":1}'],
    );
    expect(rowTable([])).toEqual(['No rows.']);
  });

  test('the export has each event of the period as a line, oldest first', async () => {
    const bucket = memoryBucket();
    const events = [3, 1, 2, 4].map((ms) => event(start + ms, { id: `id ${ms}` }));
    await put(bucket, events, 1);
    const files = await copyObjects(bucket, folder(), twoDays);
    const period = { since: start + 1, until: start + 4 };
    const lines = (await queryEvents(files, exportQuery(period))).map(jsonLine);
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(['id 1', 'id 2', 'id 3']);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      occurred_at: new Date(start + 1).toISOString(),
      visitor_id: events[0]?.visitor,
      properties: { target: 'continue-button' },
    });
  });
});

const reached = [
  { arm: 'intro/7d', step: 'onboarding_start', visits: 40 },
  { arm: 'fullPrice', step: 'onboarding_start', visits: 200 },
  { arm: 'fullPrice', step: 'lead', visits: 50 },
  { arm: 'fullPrice', step: 'subs_purchase_completed', visits: 3 },
  { arm: 'late', step: 'subs_purchase_completed', visits: 1 },
];

test('events funnel: a row per step with visits and share of landings of each arm', () => {
  expect(funnelTable(reached)).toEqual([
    'step         fullPrice           intro/7d           late   ',
    'landing            200  100.0 %        40  100.0 %     0  –',
    'sign-up             50   25.0 %         0    0.0 %     0  –',
    'checkout             0    0.0 %         0    0.0 %     0  –',
    'plans seen           0    0.0 %         0    0.0 %     0  –',
    'pay pressed          0    0.0 %         0    0.0 %     0  –',
    'paid                 3    1.5 %         0    0.0 %     1  –',
    'upsell paid          0    0.0 %         0    0.0 %     0  –',
  ]);
});

test('events funnel: a row per screen with its arrivals, continuations and their median time', () => {
  const load = { screen: 'one_pager', step: 'screen__load', bucket: 0, events: 12, visits: 10 };
  const press = (seconds: number, events: number) => ({
    screen: 'one_pager',
    step: 'button__continue',
    bucket: histogramBucket('seconds', seconds),
    events,
    visits: events,
  });
  const [, row = ''] = screenTable([load, press(4, 1), press(10, 3), press(60, 1)]);
  expect(row.split(/ {2,}/).slice(0, 4)).toEqual(['one_pager', '10', '5', '50.0 %']);
  expect(Number.parseFloat(row.split(/ {2,}/)[4] ?? '')).toBeCloseTo(10, -0.7);
});

/** The rollups with these rows; missing columns are `''` or 0. */
function database(tables: Record<string, Record<string, string | number>[]>): Query {
  const db = new DatabaseSync(':memory:');
  for (const file of globSync('worker/analytics/migrations/*.sql').sort())
    db.exec(readFileSync(file, 'utf8'));
  db.exec("INSERT INTO slices VALUES (1, '', '', 'a', '', '', '', '', '')");
  for (const [table, rows] of Object.entries(tables)) {
    for (const row of rows) {
      const names = Object.keys(row);
      const values = names.map(() => '?').join();
      db.prepare(`INSERT INTO ${table} (${names.join()}) VALUES (${values})`).run(
        ...Object.values(row),
      );
    }
  }
  return async <Of>(sql: string) => sql.split('; ').map((one) => db.prepare(one).all() as Of[]);
}

test('events funnel: hours before and after the compiled days count once', async () => {
  const now = start + 5 * dayMs + 3.5 * hourMs;
  const counts = { step: 'onboarding_start', screen: '', bucket: 0, slice_id: 1 };
  const inHour = (hour: number, n: number) => ({ hour, ...counts, events: n, visits: n });
  const inDay = (day: number, n: number) => ({ day, ...counts, events: n, visits: n });
  const today = start + 5 * dayMs;
  const query = database({
    hours: [
      inHour(start + 3 * dayMs + 2 * hourMs, 1000),
      inHour(start + 3 * dayMs + 4 * hourMs, 1),
      inHour(start + 4 * dayMs, 10_000),
      inHour(today, 10_000),
      inHour(today + 3 * hourMs, 100),
    ],
    days: [inDay(start + 3 * dayMs, 1001), inDay(start + 4 * dayMs, 10), inDay(today, 20)],
  });
  await query(`UPDATE compiled SET until = ${today + 3 * hourMs}`);
  const printed: string[] = [];
  await funnel({ hours: 48, now }, query, (line) => printed.push(line));
  expect(printed.slice(0, 2)).toEqual(['step           a', 'landing      131  100.0 %']);
  await funnel({ hours: 3, now: now + 100 * dayMs }, query, (line) => printed.push(line));
  expect(printed.at(-1)).toBe('No events in the last 3 hours.');
});
