import type { Command } from 'commander';
import { InvalidContent } from '../worker/content/rules/content-schema.ts';
import { npmCommand, runCommand, say, subcommand } from './command.ts';
import { contentStore, readFolder } from './content/content-store.ts';
import { contextOf, history, publish, rollback, show } from './publishing/versioned-documents.ts';
import { type Target, withTarget } from './wrangler.ts';

export const program: Command = withTarget(
  npmCommand(
    'npm run content --',
    'Texts, claims and reviews in KV, which replace the built-in ones.',
    'check texts',
  ),
);

const context = () => contextOf(program.opts<Target>());

subcommand(program, 'show', 'prints what is published', '--to texts')
  .option('--to <folder>', 'write it there, for editing')
  .action(({ to }) => show(contentStore, to, context()));

subcommand(program, 'check <folder>', 'prints every error in a folder', 'texts').action(
  async (folder) => contentStore.validate(await readFolder(folder), say),
);

subcommand(program, 'publish <folder>', 'checks, compares, asks, and publishes', 'texts --remote')
  .option('--yes', 'do not ask', false)
  .action(async (folder, options) =>
    publish(contentStore, await readFolder(folder), options, context()),
  );

subcommand(program, 'history', 'lists the published versions, newest first').action(() =>
  history(contentStore, context()),
);

subcommand(program, 'rollback <version>', 'publishes an earlier version again', '1763805630123')
  .option('--yes', 'do not ask', false)
  .action((version, options) => rollback(contentStore, version, options, context()));

if (import.meta.main) await runCommand(program, InvalidContent);
