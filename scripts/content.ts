import { confirm } from '@clack/prompts';
import { Command } from 'commander';
import { InvalidContent } from '../worker/funnel/content.ts';
import type { Context } from './config/context.ts';
import { wranglerKv } from './config/kv.ts';
import { check } from './content/check.ts';
import { history } from './content/history.ts';
import { publish } from './content/publish.ts';
import { rollback } from './content/rollback.ts';
import { show } from './content/show.ts';
import { Refused } from './refused.ts';
import { userName } from './user-name.ts';

const program = new Command('npm run content --')
  .description('Texts, claims and reviews in KV, laid over the built-in ones.')
  .option('--remote', 'the live site, instead of this machine', false)
  .option('--persist-to <folder>', 'where this machine keeps its KV', '.wrangler/state')
  .configureHelp({ showGlobalOptions: true });

async function ask(message: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new Refused('Nobody can be asked here: add --yes.');
  return (await confirm({ message, initialValue: false })) === true;
}

function context(): Context {
  const { remote, persistTo } = program.opts<{ remote: boolean; persistTo: string }>();
  return {
    kv: wranglerKv({ remote, persistTo }),
    remote,
    say: (line) => process.stdout.write(`${line}\n`),
    confirm: ask,
    now: () => new Date(),
    who: userName(),
  };
}

program
  .command('show')
  .description('what is published, document by document')
  .option('--to <folder>', 'write it there, to be edited')
  .action(({ to }) => show(to, context()));

program
  .command('check <folder>')
  .description('every error in a folder')
  .action((folder) => check(folder, context()));

program
  .command('publish <folder>')
  .description('check, compare, ask, and give it to visitors')
  .option('--yes', 'do not ask', false)
  .action((folder, options) => publish(folder, options, context()));

program
  .command('history')
  .description('what was published, newest first')
  .action(() => history(context()));

program
  .command('rollback <version>')
  .description('publish an earlier version again')
  .option('--yes', 'do not ask', false)
  .action((version, options) => rollback(version, options, context()));

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof Refused || error instanceof InvalidContent)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
