import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { contentVersions } from '../worker/content/content-versions.ts';
import { InvalidContent, readMap } from '../worker/content/rules/content-schema.ts';
import { flatTexts } from '../worker/content/rules/flat-texts.ts';
import { mergeTexts, type Texts } from '../worker/content/rules/text-overrides.ts';
import { unusedFields } from '../worker/documents/rules/misspellings.ts';
import {
  DocumentError,
  type DocumentStore,
  type Documents,
} from '../worker/documents/versioned-documents.ts';
import { CommandError, npmCommand, print, runCommand, subcommand } from './command.ts';
import { scheduleCommands } from './scheduled-publications.ts';
import { contextOf, publish, requireValid, show, versionCommands } from './versioned-documents.ts';
import { type Target, withTarget } from './wrangler.ts';

/** The documents of a folder: `content.json` (claims and reviews), `de.json` and so on. */
export async function readFolder(folder: string): Promise<Documents> {
  const names = await readdir(folder).catch(() => {
    throw new CommandError(`There is no folder ${folder}.`);
  });
  const files = names.filter((name) => name.endsWith('.json')).sort();
  if (files.length === 0) throw new CommandError(`${folder} contains no .json file.`);
  const read = files.map(async (file) => [file, await readFile(join(folder, file), 'utf8')]);
  return Object.fromEntries(await Promise.all(read));
}

/** The files of `locales` whose texts can be replaced; legal pages change only with a deploy. */
const groups = ['screens', 'islands', 'mails', 'errors', 'guide'] as const;

function builtIn(language: string): Texts {
  const texts = groups.map((group) => {
    const file = `locales/${language}/${group}.json`;
    return [group, existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}];
  });
  return Object.fromEntries(texts);
}

/** Merged over English; null for a language that does not exist. */
const builtInOf = (language: string): Texts | null =>
  existsSync(`locales/${language}/screens.json`)
    ? mergeTexts(builtIn(language), builtIn('en'))
    : null;

/** Without the other fields `content.json` is invalid. */
const optionalFields = ['claims', 'reviews', 'img', 'about'];

/** Fields of `content.json` that no page shows; the console stores `english` for its own use. */
function unusedIn(map: string): string[] {
  const { claims, reviews } = readMap(map);
  return unusedFields(JSON.parse(map), { claims: [claims], reviews: [reviews] }, optionalFields)
    .filter(({ path }) => !path.endsWith('.english'))
    .map(({ path, reason }) => `content.json ${path}: ${reason}`);
}

const versions = contentVersions(builtInOf);

export const contentStore: DocumentStore<Documents> = {
  ...versions,
  problems(documents) {
    const { errors } = versions.problems(documents);
    const { 'content.json': map } = documents;
    return { errors, warnings: map && errors.length === 0 ? unusedIn(map) : [] };
  },
};

export const program: Command = withTarget(
  npmCommand(
    'npm run content --',
    'Texts, claims and reviews in KV, which replace the built-in ones.',
    'check texts',
  ),
);

const target = () => program.opts<Target>();
const context = () => contextOf(target());

/** Written beside the few published texts, to show everything that they may replace. */
async function writeBuiltIn(folder: string): Promise<void> {
  const to = join(folder, 'built-in');
  await mkdir(to, { recursive: true });
  for (const language of await readdir('locales')) {
    const texts = builtInOf(language);
    if (!texts) continue;
    await writeFile(join(to, `${language}.json`), `${JSON.stringify(flatTexts(texts), null, 2)}\n`);
  }
  print(
    `Wrote the built-in texts to ${to}. Copy lines from there to ${join(folder, 'de.json')} and so on.`,
  );
}

subcommand(program, 'show', 'prints the published texts', '--to texts')
  .option(
    '--to <folder>',
    'write them into this folder for editing, and the built-in texts beside them',
  )
  .action(async ({ to }) => {
    await show(contentStore, to, context());
    if (to !== undefined) await writeBuiltIn(to);
  });

subcommand(program, 'check <folder>', 'prints every error in a folder', 'texts').action(
  async (folder) => requireValid(contentStore, await readFolder(folder), print),
);

subcommand(
  program,
  'publish <folder>',
  'checks, shows the changes, asks for confirmation, publishes',
  'texts --remote',
)
  .option('--yes', 'do not ask', false)
  .action(async (folder, options) =>
    publish(contentStore, await readFolder(folder), options, context()),
  );

scheduleCommands(program, contentStore, readFolder, { context, target });

versionCommands(program, contentStore, context);

if (import.meta.main) await runCommand(program, InvalidContent, DocumentError);
