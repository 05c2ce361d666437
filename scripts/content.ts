import { InvalidContent } from '../worker/content/rules/content-schema.ts';
import { contextOf, kvCommand } from './config/terminal.ts';
import { check } from './content/check.ts';
import { history } from './content/history.ts';
import { publish } from './content/publish.ts';
import { rollback } from './content/rollback.ts';
import { show } from './content/show.ts';
import { runCommand } from './run-command.ts';

const program = kvCommand(
  'npm run content --',
  'Texts, claims and reviews in KV, laid over the built-in ones.',
);

const context = () => contextOf(program);

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

await runCommand(program, InvalidContent);
