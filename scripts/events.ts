import { type Command, InvalidArgumentError } from 'commander';
import { npmCommand, print, runCommand, subcommand, wholeNumber } from './command.ts';
import { queryEvents, type ResultRows } from './events/duckdb.ts';
import { funnel } from './events/funnel-table.ts';
import { localCopy, type TimeRange } from './events/local-copy.ts';
import { aligned } from './text-table.ts';
import { type Target, withTarget, wranglerD1 } from './wrangler.ts';

const dayMs = 24 * 60 * 60_000;

const textOf = (value: unknown) =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');

export function rowTable(rows: ResultRows): string[] {
  const [first] = rows;
  if (!first) return ['No rows.'];
  const titles = Object.keys(first);
  return aligned([titles, ...rows.map((row) => titles.map((title) => textOf(row[title])))]);
}

const timestamp = (ms: number) => `TIMESTAMP '${new Date(ms).toISOString().slice(0, -1)}'`;

export const exportQuery = ({ since, until }: TimeRange) =>
  `SELECT * EXCLUDE (date, hour) FROM events
   WHERE occurred_at >= ${timestamp(since)} AND occurred_at < ${timestamp(until)}
   ORDER BY occurred_at, id`;

/** Properties as an object, and the time in a common format. */
export function jsonLine({ properties, occurred_at, ...row }: ResultRows[number]): string {
  return JSON.stringify({
    occurred_at: new Date(`${occurred_at}Z`).toISOString(),
    ...row,
    properties: JSON.parse(String(properties)),
  });
}

export const program: Command = withTarget(
  npmCommand(
    'npm run events --',
    'Visitors’ events: counts from the database ANALYTICS, raw events of 90 days from the bucket EVENTS.',
    'funnel --hours 48',
  ),
);

function time(text: string): number {
  const ms = Date.parse(text);
  if (Number.isFinite(ms)) return ms;
  throw new InvalidArgumentError('Expected a time such as 2026-11-21 or 2026-11-21T09:30Z.');
}

const withPeriod = (command: Command) =>
  command
    .option('--since <time>', 'from this time, such as 2026-11-21; a week ago by default', time)
    .option('--until <time>', 'before this time; now by default', time);

const periodOf = ({ since, until = Date.now() }: Partial<TimeRange>): TimeRange => ({
  since: since ?? until - 7 * dayMs,
  until,
});

withPeriod(
  subcommand(
    program,
    'export',
    'prints every event, oldest first, one JSON line each',
    '--since 2026-11-21 --until 2026-11-22',
  ),
).action(async (options) => {
  const period = periodOf(options);
  const files = await localCopy(program.opts<Target>(), period);
  for (const row of await queryEvents(files, exportQuery(period))) print(jsonLine(row));
});

withPeriod(
  subcommand(
    program,
    'query <sql>',
    'runs SQL on the view `events` with DuckDB; worker/analytics/README.md has examples',
    '"SELECT name, count(*) FROM events GROUP BY name"',
  ),
)
  .option('--json', 'one JSON line per row', false)
  .action(async (sql, options) => {
    const files = await localCopy(program.opts<Target>(), periodOf(options));
    const rows = await queryEvents(files, sql);
    for (const line of options.json ? rows.map((row) => JSON.stringify(row)) : rowTable(rows)) {
      print(line.trimEnd());
    }
  });

subcommand(
  program,
  'funnel',
  'prints the number of visits that reached each step, by arm, and each screen',
  '--hours 48 --remote',
)
  .option('--hours <number>', 'only the last hours, at most 2160 (90 days)', wholeNumber(2160), 24)
  .action(({ hours }) => {
    const query = wranglerD1(program.opts<Target>(), undefined, 'funnel-analytics');
    return funnel({ hours, now: Date.now() }, query, print);
  });

if (import.meta.main) await runCommand(program);
