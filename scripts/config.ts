import { randomUUID } from 'node:crypto';
import { InvalidArgumentError } from 'commander';
import { InvalidDocument } from '../worker/experiments/rules/config-documents.ts';
import { CommandError } from './command-error.ts';
import { check } from './config/check.ts';
import { diff } from './config/diff-command.ts';
import { gateways } from './config/gateways.ts';
import { history } from './config/history.ts';
import { preview } from './config/preview.ts';
import { publish } from './config/publish.ts';
import { results } from './config/results.ts';
import { rollback } from './config/rollback.ts';
import { show } from './config/show.ts';
import { simulate } from './config/simulate.ts';
import { contextOf, kvCommand, targetOf } from './config/terminal.ts';
import { siteAt } from './operations/admin-client.ts';
import { runCommand } from './run-command.ts';
import { userName } from './user-name.ts';
import { watchLive } from './watch/open-browser.ts';

const program = kvCommand(
  'npm run config --',
  'What visitors see: the documents config.json and flows.json in KV.',
);

const place = () => targetOf(program);
const context = () => contextOf(program);

function whole(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0 && number <= 10_000_000) return number;
  throw new InvalidArgumentError('Not a whole number from 1 to 10 million.');
}

/** A command about documents that a person names. */
const about = (name: string) =>
  program
    .command(`${name} [file]`)
    .option('--config <file>', 'config.json alone')
    .option('--flows <file>', 'flows.json alone');

program
  .command('show')
  .description('both documents as they are')
  .option('--to <folder>', 'write them there, to be edited')
  .action(({ to }) => show(to, context()));

about('check')
  .description('every error and warning in a folder or file')
  .action((file, options) => check({ file, ...options }, context()));

about('diff')
  .description('what a folder or file changes')
  .action((file, options) => diff({ file, ...options }, context()));

about('publish')
  .description('check, compare, ask, and give it to visitors')
  .option('--yes', 'do not ask', false)
  .action((file, { yes, ...files }) => publish({ file, ...files }, { yes }, context()));

program
  .command('history')
  .description('what was published, newest first')
  .action(() => history(context()));

program
  .command('rollback <version>')
  .description('publish an earlier version again')
  .option('--yes', 'do not ask', false)
  .action((version, { yes }) => rollback(version, { yes }, context()));

about('simulate')
  .description('which share each arm gets, of a folder or file, or of what is live')
  .option('--visitors <number>', 'how many are drawn', whole, 100_000)
  .option('--seed <text>', 'the same seed draws the same visitors', randomUUID().slice(0, 8))
  .action((file, { visitors, seed, ...files }) =>
    simulate({ file, ...files }, { visitors, seed }, context()),
  );

program
  .command('preview <arm>')
  .description('a link that shows an arm for a day, and counts nobody')
  .option('--country <code>', 'as if from there, such as DE')
  .option('--lng <language>', 'in this language, such as de')
  .option('--theme <name>', 'in this theme')
  .option('--base <url>', 'address of the site; SITE_URL for --remote', process.env.SITE_URL)
  .action((arm, { base, ...look }) => {
    const to = context();
    const address = base ?? (to.remote ? undefined : 'http://localhost:8787');
    if (!address) throw new CommandError('Name the address of the site with --base.');
    return preview(arm, { base: address, ...look }, to);
  });

program
  .command('results')
  .description('visitors, sign-ups, purchases and revenue of each arm')
  .action(() => results(place()));

program
  .command('gateways')
  .description('the payment providers, and whether their prices are those of the plans')
  .option('--site <address>', 'the site; it needs ADMIN_TOKEN', 'http://localhost:8787')
  .action(async ({ site }) => {
    const { say } = context();
    if (!(await gateways(siteAt(site, process.env.ADMIN_TOKEN, userName()), say))) {
      process.exitCode = 1;
    }
  });

program
  .command('watch <url>')
  .description('whether a live page has the scripts and headers of the inventory, and no others')
  .option('--email <address>', 'sign up with it first, so that the checkout loads its card fields')
  .action((url, { email }) => watchLive(url, email, context().say));

await runCommand(program, InvalidDocument);
