import { type Command, InvalidArgumentError } from 'commander';
import { npmCommand, runCommand, say, subcommand, wholeNumber } from './command.ts';
import { exportEvents } from './events/export.ts';
import { funnel } from './events/funnel.ts';
import { type Target, withTarget, wranglerD1 } from './wrangler.ts';

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
