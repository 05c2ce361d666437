import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { contentSet } from '../worker/content/content-set.ts';
import { InvalidContent } from '../worker/content/rules/content-schema.ts';
import { flatTexts } from '../worker/content/rules/flat-texts.ts';
import { mergeTexts, type Texts } from '../worker/content/rules/text-overrides.ts';
import { DocumentError, type Documents } from '../worker/documents/document-set.ts';
import { CommandError, npmCommand, print, runCommand } from './command.ts';
import { documentCommands } from './document-commands.ts';
import { contextOf } from './versioned-documents.ts';
import { type Target, withTarget } from './wrangler.ts';

/** The documents of a folder: `content.json` (claims and reviews), `de.json` and so on. */
export async function readFolder(folder: string | undefined): Promise<Documents> {
  if (folder === undefined) throw new CommandError('Name a folder.');
  const names = await readdir(folder).catch((cause) => {
    throw new CommandError(`There is no folder ${folder}.`, { cause });
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

export const publishedContent = contentSet(builtInOf);

export const program: Command = withTarget(
  npmCommand(
    'npm run content --',
    'Texts, claims and reviews in KV, which replace the built-in ones.',
    'check texts',
  ),
);

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

documentCommands(program, {
  set: publishedContent,
  read: ({ file }) => readFolder(file),
  context: () => contextOf(program.opts<Target>()),
  target: () => program.opts<Target>(),
  example: 'texts',
  // To show everything that the few published texts may replace.
  writeMore: writeBuiltIn,
});

if (import.meta.main) await runCommand(program, InvalidContent, DocumentError);
