import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { confirm } from '@clack/prompts';
import type { Command } from 'commander';
import {
  contentOf,
  type DocumentStore,
  type Documents,
  type Kv,
  type Live,
  pretty,
  writeVersion,
} from '../worker/documents/versioned-documents.ts';
import { CommandError, print, subcommand, userName } from './command.ts';
import { type Target, wranglerKv } from './wrangler.ts';

export interface Context {
  kv: Kv;
  /** The live site instead of local data. */
  remote: boolean;
  /** The live site's environment; production if missing. */
  env?: string;
  print: (line: string) => void;
  confirm: (question: string) => Promise<boolean>;
  now: () => Date;
  /** Name that is recorded in the history. */
  who: string;
}

async function ask(message: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new CommandError('There is no terminal to ask for confirmation. Add --yes.');
  }
  return (await confirm({ message, initialValue: false })) === true;
}

export const contextOf = (target: Target): Context => ({
  kv: wranglerKv(target),
  remote: target.remote,
  env: target.env,
  print,
  confirm: ask,
  now: () => new Date(),
  who: userName(),
});

async function save(documents: Documents, folder: string, print: Context['print']): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(documents)) {
    if (text === null) continue;
    const file = join(folder, name);
    await writeFile(file, `${pretty(text)}\n`, { flag: 'wx' }).catch(() => {
      throw new CommandError(`${file} exists already or cannot be written.`);
    });
    print(`Wrote ${file}.`);
  }
}

/** @param folder output folder for editing; by default they are printed */
export async function show<D extends Documents>(
  store: DocumentStore<D>,
  folder: string | undefined,
  { kv, print }: Context,
): Promise<void> {
  const [{ documents, fingerprint }, versions] = [await store.live(kv), await store.versions(kv)];
  const version = versions.find((each) => each.fingerprint === fingerprint);
  const texts = Object.values(documents);
  if (version) print(`Version ${version.id}, published ${version.time} by ${version.who}.`);
  else if (texts.every((text) => text === null)) print('Nothing has been published yet.');
  else print('Version unknown: these documents were not written by "publish".');
  if (!store.isServed(documents)) {
    print('These documents are not valid. Visitors get an earlier version.');
  }
  if (folder !== undefined) return save(documents, folder, print);
  for (const [name, text] of Object.entries(documents)) {
    print(`\n${name}`);
    print(text === null ? 'missing' : pretty(text));
  }
}

const maxPrinted = 50;

const count = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`;

/** Prints errors and warnings. @throws CommandError if there is an error */
export function requireValid<D extends Documents>(
  store: DocumentStore<D>,
  documents: D,
  print: Context['print'],
): void {
  const { errors, warnings } = store.problems(documents);
  for (const error of errors.slice(0, maxPrinted)) print(`error: ${error}`);
  if (errors.length > maxPrinted) print(`and ${errors.length - maxPrinted} more`);
  if (errors.length > 0) {
    throw new CommandError(
      `${count(errors.length, 'error')}. Visitors would not get these documents.`,
    );
  }
  for (const warning of warnings) print(`warning: ${warning}`);
  print(`No errors, ${count(warnings.length, 'warning')}.`);
}

export async function diff<D extends Documents>(
  store: DocumentStore<D>,
  next: D,
  { kv, print }: Context,
): Promise<Live<D>> {
  requireValid(store, next, print);
  const live = await store.live(kv);
  const lines = store.differences(live.documents, next);
  for (const line of lines) print(line);
  if (lines.length === 0) print('Nothing changes for visitors.');
  return live;
}

export async function publish<D extends Documents>(
  store: DocumentStore<D>,
  next: D,
  { yes }: { yes: boolean },
  context: Context,
): Promise<void> {
  const { kv, print, remote, env, who } = context;
  const live = await diff(store, next, context);
  if (contentOf(live.documents) === contentOf(next)) {
    return print('These documents are already live. Nothing was written.');
  }
  const site = env === undefined ? 'on the live site' : `in ${env}`;
  const where = remote ? site : 'on this machine';
  if (!yes && !(await context.confirm(`Publish this ${where}?`))) {
    throw new CommandError('Nothing was written.');
  }
  const id = await writeVersion(store, next, live, { kv, who, now: context.now() });
  const delay = remote ? 'about a minute' : store.localDelay;
  print(`Published version ${id} ${where}. Visitors get it within ${delay}.`);
}

export async function rollback<D extends Documents>(
  store: DocumentStore<D>,
  id: string,
  options: { yes: boolean },
  context: Context,
): Promise<void> {
  await publish(store, await store.read(context.kv, id), options, context);
}

export async function history<D extends Documents>(
  store: DocumentStore<D>,
  { kv, print }: Context,
): Promise<void> {
  const [versions, { fingerprint }] = [await store.versions(kv), await store.live(kv)];
  const live = versions.find((each) => each.fingerprint === fingerprint);
  for (const version of versions) {
    const { id, time, who, files } = version;
    const names = files ? `  ${files.join(', ') || 'built-in'}` : '';
    print(`${id}  ${time}  ${who}${names}${version === live ? '  (live)' : ''}`);
  }
  if (versions.length === 0) print('Nothing has been published yet.');
}

export function versionCommands<D extends Documents>(
  program: Command,
  store: DocumentStore<D>,
  context: () => Context,
): void {
  subcommand(program, 'history', 'lists the published versions, newest first').action(() =>
    history(store, context()),
  );
  subcommand(
    program,
    'rollback <version>',
    'publishes an earlier version again; `built-in` is what was served before the first one',
    'built-in',
  )
    .option('--yes', 'do not ask', false)
    .action((version, options) => rollback(store, version, options, context()));
}
