import { globSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { D1Database } from '@cloudflare/workers-types';
import { addTally, compileDays, segmentIds } from '../../worker/analytics/rollup-table.ts';
import { type Count, countOf, withCountDefaults } from '../../worker/analytics/rules/count.ts';
import { tallyOf } from '../../worker/analytics/rules/tally.ts';
import {
  armCounts,
  countryPayments,
  countsBeside,
  screenCounts,
} from '../../worker/console/overview/overview-table.ts';
import type { Filters } from '../../worker/console/overview/rollup-sql.ts';
import { armLandings, filterChoices } from '../../worker/console/overview/slice-table.ts';
import { stepValues, stepVitals } from '../../worker/console/overview/step-table.ts';
import { previousOf, reportPeriodOf } from '../../worker/console/parts/rules/period.ts';
import { generateEvents } from './rollup-rows.ts';

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
const now = Date.UTC(2026, 10, 22, 10, 30);
const eventsWanted = 5e6;
const days = 90;

/** D1's statements on Node's SQLite. */
function localD1(sqlite: DatabaseSync): D1Database {
  const prepare = (sql: string, values: (string | number)[] = []) => ({
    bind: (...bound: (string | number)[]) => prepare(sql, bound),
    all: async () => {
      const named = Object.fromEntries(values.map((value, at) => [`?${at + 1}`, value]));
      const statement = sqlite.prepare(sql);
      const isNumbered = /\?\d/.test(sql);
      return { results: isNumbered ? statement.all(named) : statement.all(...values) };
    },
  });
  const batch = (all: { all(): Promise<unknown> }[]) => Promise.all(all.map((one) => one.all()));
  return { prepare, batch } as unknown as D1Database;
}

/** The counts of a day's visits, spread over its hours; includes the arrival and sign-up that events do not contain. */
function countsOfDay(events: ReturnType<typeof generateEvents>, start: number): Count[] {
  const at = (visitor: string) => start + Math.floor(Number(visitor.slice(1)) * dayMs);
  return events.flatMap((event) => {
    const time = at(event.visitor);
    const count = countOf({ ...event, at: time });
    if (!count) return [];
    const milestone = { session_start: 'exposure', lead: 'sign_up' }[event.name];
    const more = milestone
      ? [withCountDefaults({ id: '', at: time, step: milestone, slice: count.slice })]
      : [];
    return [count, ...more];
  });
}

async function build(sqlite: DatabaseSync): Promise<D1Database> {
  for (const file of globSync('worker/analytics/migrations/*.sql').sort())
    sqlite.exec(readFileSync(file, 'utf8'));
  sqlite.exec('PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY');
  const db = localD1(sqlite);
  const perVisit = generateEvents(2000).length / 2000;
  const events = generateEvents(Math.round(eventsWanted / days / perVisit));
  const today = now - (now % dayMs);
  const tally = tallyOf(countsOfDay(events, today), () => true);
  const ids = await segmentIds(db, tally.segments);
  const written = { shard: 'bench', from: 0, to: 1 };
  await addTally(db, written, { ...tally, fiveMinutes: [] }, (slice) => ids.get(slice) ?? 0);
  // Every earlier day has the same rows.
  const copies = [
    ['hours', 'hour', 22],
    ['vitals', 'hour', days],
  ] as const;
  const copy = (table: string, time: string, count: number) => {
    const names = sqlite.prepare(`SELECT name FROM pragma_table_info('${table}')`).all();
    const values = names.map(({ name }) =>
      name === time ? `own.${time} - numbers.value * ${dayMs}` : `own.${name}`,
    );
    const numbers = JSON.stringify(Array.from({ length: count - 1 }, (_, at) => at + 1));
    sqlite.exec(
      `INSERT INTO ${table} SELECT ${values.join(', ')}
       FROM json_each('${numbers}') AS numbers CROSS JOIN (SELECT * FROM ${table}) AS own`,
    );
  };
  await compileDays(db, now - (now % hourMs), now);
  for (const [table, time, count] of copies) copy(table, time, count);
  for (const table of ['days', 'totals']) copy(table, 'day', 2 * days);
  return db;
}

const rounds = 5;

async function medianMs(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = performance.now();
    await work();
    times.push(performance.now() - before);
  }
  return Math.round(times.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0);
}

/** The console's overview over 90 days of 5 million events, compared with the 90 days before; target 300 ms. */
export async function benchOverview() {
  const sqlite = new DatabaseSync(':memory:');
  const db = await build(sqlite);
  const rowsOf = (table: string) =>
    Number(sqlite.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n);
  const rows = Object.fromEntries(
    ['days', 'totals', 'hours', 'vitals'].map((name) => [name, rowsOf(name)]),
  );
  console.table(rows);
  const views: [string, string, Filters][] = [
    ['everybody', '90d', {}],
    ['a variant', '90d', { variant: 'arm1' }],
    ['the largest country', '90d', { country: 'c0' }],
    ['a landing', '90d', { landing: 'one_pager' }],
    ['a country and a device', '90d', { country: 'c0', device: 'ios' }],
    ['everybody, by hour', '24h', {}],
  ];
  const figures: Record<string, number> = {};
  for (const [name, period, filters] of views) {
    const span = reportPeriodOf({ period }, now);
    figures[`overview of ${name}, ms`] = await medianMs(() =>
      Promise.all([
        countsBeside(db, span, filters),
        screenCounts(db, span, filters),
        screenCounts(db, previousOf(span), filters),
        armCounts(db, span, filters),
        countryPayments(db, span, filters),
        armLandings(db, span, filters),
        filterChoices(db),
      ]),
    );
  }
  const week = reportPeriodOf({ period: '7d' }, now, 'Europe/Berlin');
  figures['overview of a week in another time zone, ms'] = await medianMs(() =>
    Promise.all([
      countsBeside(db, week, {}),
      screenCounts(db, week, {}),
      screenCounts(db, previousOf(week), {}),
      armCounts(db, week, {}),
      countryPayments(db, week, {}),
    ]),
  );
  const span = reportPeriodOf({ period: '90d' }, now);
  figures['a step opened, ms'] = await medianMs(() =>
    Promise.all([
      stepValues(db, span, {}, 'one_pager'),
      stepVitals(db, span, undefined, 'one_pager'),
    ]),
  );
  console.table(figures);
  return { rows, figures };
}
