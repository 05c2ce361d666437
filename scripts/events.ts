import { Command, InvalidArgumentError } from 'commander';
import { wranglerD1 } from './d1-client.ts';
import { exportEvents } from './events/export.ts';
import { funnel } from './events/funnel.ts';
import { runCommand } from './run-command.ts';
import type { Target } from './wrangler.ts';

const program = new Command('npm run events --')
  .description('What visitors did, as the table `events` in D1 has it; it is kept for 90 days.')
  .option('--remote', 'the live site, instead of this machine', false)
  .option('--persist-to <folder>', 'where this machine keeps its data', '.wrangler/state')
  .configureHelp({ showGlobalOptions: true });

const ask = () => wranglerD1(program.opts<Target>());
const say = (line: string) => void process.stdout.write(`${line}\n`);

function time(text: string): number {
  const ms = Date.parse(text);
  if (Number.isFinite(ms)) return ms;
  throw new InvalidArgumentError('Not a time such as 2026-11-21 or 2026-11-21T09:30Z.');
}

function whole(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0 && number <= 2160) return number;
  throw new InvalidArgumentError('Not a whole number from 1 to 2160 (90 days).');
}

program
  .command('export')
  .description('every event, oldest first, a line of JSON each')
  .option('--since <time>', 'from this time on, such as 2026-11-21', time, 0)
  .option('--until <time>', 'before this time; now when left out', time)
  .action(({ since, until = Date.now() }) => exportEvents({ since, until }, ask(), say));

program
  .command('funnel')
  .description('how many visitors came how far, by step and arm')
  .option('--hours <number>', 'of the last hours', whole, 24)
  .action(({ hours }) => funnel({ hours, now: Date.now() }, ask(), say));

await runCommand(program);
