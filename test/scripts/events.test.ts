import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { exportEvents, funnel, funnelTable } from '../../scripts/events.ts';
import type { Query } from '../../scripts/wrangler.ts';

type Row = Record<string, string | number>;

/** A database with these events; a column that a row lacks is `x`. */
function database(rows: readonly Row[]): Query {
  const db = new DatabaseSync(':memory:');
  db.exec(readFileSync('worker/migrations/0001_tables.sql', 'utf8'));
  const names = db.prepare('SELECT name FROM pragma_table_info(?)').all('events') as Row[];
  const columns = names.map(({ name }) => String(name));
  const values = columns.map(() => '?').join();
  const insert = db.prepare(`INSERT INTO events (${columns.join()}) VALUES (${values})`);
  for (const row of rows) insert.run(...columns.map((column) => row[column] ?? 'x'));
  return async <Of>(sql: string) => [db.prepare(sql).all() as Of[]];
}

/** Events each with its own millisecond, but for the last two. */
const some = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    id: `it's ${n}`,
    occurred_at: Math.min(n + 1, count - 1),
    properties: '{"target":"a"}',
  }));

async function exported(count: number, since: number, until: number) {
  const lines: string[] = [];
  await exportEvents({ since, until }, database(some(count)), (line) => lines.push(line));
  return lines.map((line) => JSON.parse(line));
}

test('events export: every event once, oldest first, over several pages', async () => {
  const events = await exported(4001, 0, 10_000);
  expect(new Set(events.map(({ id }) => id)).size).toBe(4001);
  expect(events.map(({ occurred_at }) => Date.parse(occurred_at))).toEqual([
    ...Array.from({ length: 4000 }, (_, n) => n + 1),
    4000,
  ]);
  expect(events[0]).toMatchObject({
    occurred_at: '1970-01-01T00:00:00.001Z',
    id: "it's 0",
    properties: { target: 'a' },
  });
});

test('events export: includes the start of the period and excludes its end', async () => {
  expect((await exported(10, 3, 6)).map(({ occurred_at }) => Date.parse(occurred_at))).toEqual([
    3, 4, 5,
  ]);
  expect(await exported(0, 0, 9)).toEqual([]);
});

const reached = [
  { arm: 'intro/7d', name: 'onboarding_start', visitors: 40 },
  { arm: 'fullPrice', name: 'onboarding_start', visitors: 200 },
  { arm: 'fullPrice', name: 'lead', visitors: 50 },
  { arm: 'fullPrice', name: 'subs_purchase_completed', visitors: 3 },
  { arm: 'late', name: 'subs_purchase_completed', visitors: 1 },
];

test('events funnel: a row per step with visitors and share of landings of each arm', () => {
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

const now = 100 * 3_600_000;
const event = (visitor_id: string, name: string, ago: number) => ({
  id: `${visitor_id}${name}${ago}`,
  occurred_at: now - ago * 3_600_000,
  visitor_id,
  name,
  arm: 'a',
});

test('events funnel: a visitor counts once per step, in the last hours only', async () => {
  const said: string[] = [];
  const rows = [
    event('v1', 'onboarding_start', 1),
    event('v1', 'onboarding_start', 2),
    event('v2', 'onboarding_start', 3),
    event('v3', 'onboarding_start', 4),
    event('v1', 'lead', 1),
    event('v1', 'click', 1),
  ];
  await funnel({ hours: 3, now }, database(rows), (line) => said.push(line));
  expect(said.slice(0, 3)).toEqual([
    'step         a',
    'landing      2  100.0 %',
    'sign-up      1   50.0 %',
  ]);
  await funnel({ hours: 3, now: 2 * now }, database(rows), (line) => said.push(line));
  expect(said.at(-1)).toBe('No events in the last 3 hours.');
});
