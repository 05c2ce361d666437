import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { DocumentError } from '../worker/documents/document-set.ts';
import { configSet } from '../worker/experiments/config-set.ts';
import { InvalidDocument } from '../worker/experiments/rules/config-documents.ts';
import { CommandError, npmCommand, print, runCommand, subcommand, wholeNumber } from './command.ts';
import { printCatalog } from './config/catalog.ts';
import { readCandidate } from './config/documents.ts';
import { printGateways } from './config/gateways.ts';
import { printPreview } from './config/preview.ts';
import { results } from './config/results.ts';
import { simulate } from './config/simulate.ts';
import { documentCommands, withDocuments } from './document-commands.ts';
import { adminSiteOf, localAddress } from './local-server.ts';
import { siteFor, siteOption } from './scheduled-publications.ts';
import { contextOf, publish } from './versioned-documents.ts';
import { type Target, withTarget } from './wrangler.ts';

export const program: Command = withTarget(
  npmCommand(
    'npm run config --',
    'The documents config.json, flows.json, catalog.json and experiments.json in KV: flows, experiments, offers, coupons, prices.',
    'check experiments/paywall\n  npm run config -- publish --catalog prices/catalog.json --remote',
  ),
);

const target = () => program.opts<Target>();
const context = () => contextOf(target());

const commands = {
  set: configSet,
  read: readCandidate,
  context,
  target,
  example: 'experiments/paywall',
};

documentCommands(program, commands);

withDocuments(
  subcommand(
    program,
    'simulate [file]',
    'assigns simulated visitors to the arms',
    'experiments/paywall --seed may',
  ),
  commands,
)
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
    return printPreview(
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
  'catalog [file]',
  'prints the prices of the live catalog; a file is checked, compared and published',
  'prices/catalog.json --remote',
)
  .option('--yes', 'do not ask', false)
  .option(...siteOption)
  .action(async (file, { yes, site }) => {
    if (file === undefined) return printCatalog(context());
    const options = { yes, site: () => siteFor({ ...(site && { site }) }, target()) };
    return publish(
      configSet,
      await readCandidate({ catalog: file }, context()),
      options,
      context(),
    );
  });

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
    const matches = await printGateways(adminSiteOf({ site, state: target().persistTo }), print);
    if (!matches) process.exitCode = 1;
  });

if (import.meta.main) await runCommand(program, InvalidDocument, DocumentError);
