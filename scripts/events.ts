import { type Command, InvalidArgumentError } from 'commander';
import type { EventName } from '../worker/analytics/rules/event-schema.ts';
import { npmCommand, runCommand, say, subcommand, wholeNumber } from './command.ts';
import { aligned } from './text-table.ts';
import { type Query, type Target, withTarget, wranglerD1 } from './wrangler.ts';

interface Row {
  id: string;
  occurred_at: number;
  properties: string;
  [column: string]: string | number;
}

const pageSize = 2000;

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

function pageQuery(since: number, until: number, last: Row | undefined): string {
  const after = last ? `AND (occurred_at, id) > (${last.occurred_at}, ${quoted(last.id)})` : '';
  return `SELECT * FROM events WHERE occurred_at >= ${since} AND occurred_at < ${until} ${after}
    ORDER BY occurred_at, id LIMIT ${pageSize}`;
}

function lineOf({ properties, occurred_at, ...row }: Row): string {
  return JSON.stringify({
    occurred_at: new Date(occurred_at).toISOString(),
    ...row,
    properties: JSON.parse(properties),
  });
}

/** From `since` to before `until`, ms since 1970; oldest first, one JSON line each. */
export async function exportEvents(
  { since, until }: { since: number; until: number },
  query: Query,
  print: typeof say,
): Promise<void> {
  let last: Row | undefined;
  do {
    const [rows = []] = await query<Row>(pageQuery(since, until, last));
    for (const row of rows) print(lineOf(row));
    last = rows.length < pageSize ? undefined : rows.at(-1);
  } while (last);
}

/** How many visitors of an arm sent an event. */
export interface StepCount {
  arm: string;
  name: string;
  visitors: number;
}

/** The steps, each with the event that marks it. */
const steps = [
  ['landing', 'onboarding_start'],
  ['sign-up', 'lead'],
  ['checkout', 'checkout_screen_load'],
  ['plans seen', 'subs_purchase_show'],
  ['pay pressed', 'subs_purchase_started'],
  ['paid', 'subs_purchase_completed'],
  ['upsell paid', 'upsell_purchase_completed'],
] as const satisfies readonly (readonly [string, EventName])[];

const hourMs = 60 * 60 * 1000;

const countQuery = (since: number) =>
  `SELECT arm, name, COUNT(DISTINCT visitor_id) AS visitors FROM events
   WHERE occurred_at >= ${since} AND name IN (${steps.map(([, name]) => `'${name}'`).join(', ')})
   GROUP BY arm, name`;

const share = (part: number, whole: number) =>
  whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;

/** One row per step: the visitors of each arm who reached it, and their share of its landings. */
export function funnelTable(reached: readonly StepCount[]): string[] {
  const arms = [...new Set(reached.map(({ arm }) => arm))].sort();
  const count = (arm: string, name: string) =>
    reached.find((each) => each.arm === arm && each.name === name)?.visitors ?? 0;
  const [[, first]] = steps;
  const rows = steps.map(([step, name]) => [
    step,
    ...arms.flatMap((arm) => [
      String(count(arm, name)),
      share(count(arm, name), count(arm, first)),
    ]),
  ]);
  return aligned([['step', ...arms.flatMap((arm) => [arm, ''])], ...rows]);
}

export async function funnel(
  { hours, now }: { hours: number; now: number },
  query: Query,
  print: typeof say,
): Promise<void> {
  const [reached = []] = await query<StepCount>(countQuery(now - hours * hourMs));
  if (reached.length === 0) return print(`No events in the last ${hours} hours.`);
  for (const line of funnelTable(reached)) print(line.trimEnd());
}

export const program: Command = withTarget(
  npmCommand(
    'npm run events --',
    'What visitors did, from the table `events` in D1, which is kept for 90 days.',
    'funnel --hours 48',
  ),
);

const database = () => wranglerD1(program.opts<Target>());

function time(text: string): number {
  const ms = Date.parse(text);
  if (Number.isFinite(ms)) return ms;
  throw new InvalidArgumentError('Expected a time such as 2026-11-21 or 2026-11-21T09:30Z.');
}

subcommand(
  program,
  'export',
  'prints every event, oldest first, one JSON line each',
  '--since 2026-11-21 --until 2026-11-22',
)
  .option('--since <time>', 'from this time, such as 2026-11-21', time, 0)
  .option('--until <time>', 'before this time; now by default', time)
  .action(({ since, until = Date.now() }) => exportEvents({ since, until }, database(), say));

subcommand(
  program,
  'funnel',
  'prints how many visitors reached each step, by arm',
  '--hours 48 --remote',
)
  .option('--hours <number>', 'only the last hours, at most 2160 (90 days)', wholeNumber(2160), 24)
  .action(({ hours }) => funnel({ hours, now: Date.now() }, database(), say));

if (import.meta.main) await runCommand(program);
