import type { Command } from 'commander';
import { print, subcommand } from './command.ts';
import { scheduleCommands, siteFor, siteOption } from './scheduled-publications.ts';
import {
  type Commands,
  diff,
  history,
  publish,
  requireValid,
  rollback,
  show,
} from './versioned-documents.ts';

export function withDocuments(command: Command, { set }: Pick<Commands, 'set'>): Command {
  for (const key of Object.keys(set.builtIn)) {
    command.option(`--${key.replace('.json', '')} <file>`, `${key} alone`);
  }
  return command;
}

/** The same commands for each set of documents. */
export function documentCommands(program: Command, commands: Commands): void {
  const { set, read, context, example, writeMore, target } = commands;
  const at = (site?: string) => ({ site: () => siteFor({ ...(site && { site }) }, target()) });
  const on = (name: string, description: string, arguments_: string) =>
    withDocuments(subcommand(program, `${name} [file]`, description, arguments_), commands);

  subcommand(program, 'show', 'prints the live documents', `--to ${example}`)
    .option('--to <folder>', 'write them into this folder for editing')
    .action(async ({ to }) => {
      await show(set, to, context());
      if (to !== undefined) await writeMore?.(to);
    });

  on('check', 'prints every error and warning in a folder or file', example).action(
    async (file, options) => requireValid(set, await read({ file, ...options }, context()), print),
  );

  on('diff', 'prints what a folder or file would change', example).action(async (file, options) => {
    await diff(set, await read({ file, ...options }, context()), context());
  });

  on(
    'publish',
    'checks, shows the changes, asks for confirmation, publishes',
    `${example} --remote`,
  )
    .option('--yes', 'do not ask', false)
    .option('--fix', 'law or safety asks for it: the visitors in the holdout get it, too', false)
    .option(...siteOption)
    .action(async (file, { yes, fix, site, ...files }) =>
      publish(
        set,
        await read({ file, ...files }, context()),
        { yes, isFix: fix, ...at(site) },
        context(),
      ),
    );

  scheduleCommands(program, commands);

  subcommand(program, 'history', 'lists the published versions, newest first').action(() =>
    history(set, context()),
  );

  subcommand(
    program,
    'rollback <version>',
    'publishes an earlier version again; `built-in` is what was served before the first one',
    'built-in',
  )
    .option('--yes', 'do not ask', false)
    .option(...siteOption)
    .action((version, { yes, site }) => rollback(set, version, { yes, ...at(site) }, context()));
}
