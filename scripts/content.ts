import { existsSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Command } from 'commander';
import { fileKey, manifestKey, mapName } from '../worker/content/content-service.ts';
import {
  InvalidContent,
  type Manifest,
  readFlat,
  readManifest,
  readMap,
} from '../worker/content/rules/content-schema.ts';
import { applyOverrides, mergeTexts, type Texts } from '../worker/content/rules/text-overrides.ts';
import {
  DocumentError,
  type DocumentStore,
  type Documents,
  type Kv,
  type Version,
} from '../worker/documents/versioned-documents.ts';
import { CommandError, npmCommand, runCommand, say, subcommand } from './command.ts';
import {
  contextOf,
  history,
  publish,
  requireValid,
  rollback,
  show,
} from './versioned-documents.ts';
import { type Target, withTarget } from './wrangler.ts';

const nameOf = (file: string) => basename(file, '.json');

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

/** The files of `locales` whose texts can be replaced; legal pages change with a deploy only. */
const groups = ['screens', 'islands', 'mails', 'errors', 'guide'] as const;

function builtIn(language: string): Texts {
  const texts = groups.map((group) => {
    const file = `locales/${language}/${group}.json`;
    return [group, existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}];
  });
  return Object.fromEntries(texts);
}

function problemsIn(name: string, text: string): string[] {
  if (name === mapName) {
    readMap(text);
    return [];
  }
  if (!existsSync(`locales/${name}/screens.json`)) return ['this language is not supported'];
  const texts = mergeTexts(builtIn(name), builtIn('en'));
  return applyOverrides(readFlat(text), texts, name).refused.map(
    ({ key, reason }) => `${key}: ${reason}`,
  );
}

/** What the Worker would refuse, one line each: `de.json screens.common.terms: empty`. */
function problemsOf(documents: Documents): string[] {
  return Object.entries(documents).flatMap(([file, text]) => {
    try {
      return problemsIn(nameOf(file), text ?? '').map((problem) => `${file} ${problem}`);
    } catch (error) {
      if (!(error instanceof InvalidContent)) throw error;
      return [`${file}: ${error.message}`];
    }
  });
}

function entriesOf(text: string | null | undefined): Map<string, string> {
  const entries = Object.entries(JSON.parse(text ?? '{}') as Record<string, unknown>);
  return new Map(entries.map(([key, value]) => [key, JSON.stringify(value)]));
}

const prefix = 'content/';

/** Timestamp 0 when nothing is published. */
async function liveManifest(kv: Kv): Promise<Manifest> {
  const text = await kv.get(manifestKey);
  return text === null ? { timestamp: 0, files: [] } : readManifest(text, Number.MAX_SAFE_INTEGER);
}

async function documentsAt(kv: Kv, timestamp: number, names: readonly string[]) {
  const documents: Record<string, string> = {};
  for (const name of names) {
    const text = await kv.get(fileKey(timestamp, name));
    if (text === null) throw new DocumentError(`Version ${timestamp} lacks ${name}.`);
    documents[`${name}.json`] = text;
  }
  return documents;
}

async function versions(kv: Kv): Promise<Version[]> {
  const found = new Map<string, Version & { files: string[] }>();
  for (const { name, metadata } of await kv.list(prefix)) {
    const [id = '', file] = name.slice(prefix.length).split('/');
    if (!file) continue;
    const { who = 'unknown' } = (metadata ?? {}) as { who?: string };
    const time = new Date(Number(id)).toISOString();
    const version = found.get(id) ?? { id, time, who, fingerprint: id, files: [] };
    version.files.push(file);
    found.set(id, version);
  }
  return [...found.values()].sort((a, b) => Number(b.id) - Number(a.id));
}

/** Documents are at `content/<timestamp>/<name>`; the manifest names the live timestamp. */
export const contentStore: DocumentStore<Documents> = {
  localDelay: 'about a minute',
  versions,
  async live(kv) {
    const { timestamp, files = [] } = await liveManifest(kv);
    const documents = await documentsAt(kv, timestamp, files);
    return { documents, fingerprint: String(timestamp) };
  },
  async read(kv, id) {
    const version = (await versions(kv)).find((each) => each.id === id);
    if (!version) throw new DocumentError(`There is no version ${id}; see history.`);
    return documentsAt(kv, Number(id), version.files ?? []);
  },
  problems: (documents) => ({ errors: problemsOf(documents), warnings: [] }),
  isServed: () => true,
  differences(before, after) {
    const files = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...files].flatMap((file) => {
      const [old, next] = [entriesOf(before[file]), entriesOf(after[file])];
      const changed = [...next].filter(([key, text]) => old.get(key) !== text);
      const removed = [...old.keys()].filter((key) => !next.has(key));
      return [
        ...changed.map(([key, text]) => `${file} ${key}: ${text.slice(0, 120)}`),
        ...removed.map((key) => `${file} ${key}: the built-in text again`),
      ];
    });
  },
  // The Worker refuses a timestamp that is not later than the one it has.
  nextId: (now, live) => String(Math.max(now.getTime(), Number(live.fingerprint) + 1)),
  writes({ id, who }, next) {
    const names = Object.keys(next).map(nameOf);
    return [
      ...Object.entries(next).map(([file, text]) => ({
        key: fileKey(Number(id), nameOf(file)),
        text: text ?? '',
        metadata: { who },
      })),
      { key: manifestKey, text: JSON.stringify({ timestamp: Number(id), files: names }) },
    ];
  },
};

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
  async (folder) => requireValid(contentStore, await readFolder(folder), say),
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

if (import.meta.main) await runCommand(program, InvalidContent, DocumentError);
