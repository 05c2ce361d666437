import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { DocumentError } from '../worker/documents/versioned-documents.ts';
import { configStore } from '../worker/experiments/config-versions.ts';
import { InvalidDocument } from '../worker/experiments/rules/config-documents.ts';
import { CommandError, npmCommand, print, runCommand, subcommand, wholeNumber } from './command.ts';
import { readCandidate } from './config/documents.ts';
import { gateways } from './config/gateways.ts';
import { preview } from './config/preview.ts';
import { results } from './config/results.ts';
import { simulate } from './config/simulate.ts';
import { localAddress, siteOf } from './local-server.ts';
import { scheduleCommands } from './scheduled-publications.ts';
import {
  contextOf,
  diff,
  publish,
  requireValid,
  show,
  versionCommands,
} from './versioned-documents.ts';
import { type Target, withTarget } from './wrangler.ts';

export const program: Command = withTarget(
  npmCommand(
    'npm run config --',
    'The documents config.json and flows.json in KV: flows, split test, offers, coupons.',
    'check experiments/paywall',
  ),
);

const target = () => program.opts<Target>();
const context = () => contextOf(target());

const withFiles = (name: string, description: string, example: string) =>
  subcommand(program, `${name} [file]`, description, example)
    .option('--config <file>', 'config.json alone')
    .option('--flows <file>', 'flows.json alone');

subcommand(program, 'show', 'prints both live documents', '--to experiments/live')
  .option('--to <folder>', 'write them into this folder for editing')
  .action(({ to }) => show(configStore, to, context()));

withFiles(
  'check',
  'prints every error and warning in a folder or file',
  'experiments/paywall',
).action(async (file, options) => {
  requireValid(configStore, await readCandidate({ file, ...options }, context()), print);
});

withFiles('diff', 'prints what a folder or file would change', '--config config.json').action(
  async (file, options) => {
    await diff(configStore, await readCandidate({ file, ...options }, context()), context());
  },
);

withFiles(
  'publish',
  'checks, shows the changes, asks for confirmation, publishes',
  'experiments/paywall --remote',
)
  .option('--yes', 'do not ask', false)
  .action(async (file, { yes, ...files }) => {
    const next = await readCandidate({ file, ...files }, context());
    await publish(configStore, next, { yes }, context());
  });

scheduleCommands(program, configStore, (file) => readCandidate({ file }, context()), {
  context,
  target,
});

versionCommands(program, configStore, context);

withFiles('simulate', 'assigns simulated visitors to the arms', 'experiments/paywall --seed may')
  .option('--visitors <number>', 'number of visitors', wholeNumber(10_000_000), 100_000)
  .option('--seed <text>', 'the same seed gives the same visitors', randomUUID().slice(0, 8))
  .action((file, { visitors, seed, ...files }) =>
    simulate({ file, ...files }, { visitors, seed }, context()),
  );

subcommand(
  program,
  'preview <arm>',
  'prints a link that shows an arm for 24 hours; its visits are not counted',
  'intro/7d --country DE',
)
  .option('--country <code>', 'country of the visitor, such as DE')
  .option('--lng <language>', 'language, such as de')
  .option('--theme <name>', 'theme, such as found')
  .option('--folder <path>', 'unpublished documents to show instead of the live ones')
  .option('--base <url>', 'URL of the live site; by default SITE_URL')
  .action((arm, { base: named, ...look }) => {
    const base = named ?? (target().remote ? process.env.SITE_URL : undefined);
    const { remote, persistTo } = target();
    if (remote && !base) throw new CommandError('Give the URL of the site with --base.');
    return preview(
      arm,
      { base: remote ? base : localAddress(persistTo, base), ...look },
      context(),
    );
  });

subcommand(
  program,
  'results',
  'prints visitors, sign-ups, purchases and revenue of each arm, and conclusions so far',
  '--experiment 2026-11-paywall --remote',
)
  .option('--experiment <name>', 'a past experiment instead of the live one')
  .option('--list', 'print only the names of all experiments with visitors', false)
  .action((wanted) => results(target(), wanted));

subcommand(
  program,
  'gateways',
  'compares the payment providers’ settings and prices with the plans',
  '--site https://funnel.example',
)
  .option(
    '--site <url>',
    'the live site, with ADMIN_TOKEN in the environment; else the local server',
  )
  .action(async ({ site }) => {
    const matches = await gateways(siteOf({ site, state: target().persistTo }), print);
    if (!matches) process.exitCode = 1;
  });

if (import.meta.main) await runCommand(program, InvalidDocument, DocumentError);
