import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { confirm } from '@clack/prompts';
import { CommandError, say, userName } from './command.ts';
import { type Kv, type Target, wranglerKv } from './wrangler.ts';

export interface Context {
  kv: Kv;
  /** The live site instead of this machine. */
  remote: boolean;
  say: (line: string) => void;
  confirm: (question: string) => Promise<boolean>;
  now: () => Date;
  /** Recorded in the history. */
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
  say,
  confirm: ask,
  now: () => new Date(),
  who: userName(),
});

/** Texts by file name, such as `flows.json`; null for a document that does not exist. */
export type Documents = Readonly<Record<string, string | null>>;

export interface Version {
  id: string;
  /** ISO 8601, UTC. */
  time: string;
  who: string;
  /** What the version contains; the newest one with the same fingerprint as the live documents is live. */
  fingerprint: string;
  files?: string[];
}

export interface Live<D extends Documents> {
  documents: D;
  fingerprint: string;
}

interface KvWrite {
  key: string;
  text: string;
  metadata?: object;
}

export interface DocumentStore<D extends Documents> {
  live(kv: Kv): Promise<Live<D>>;
  /** Newest first. */
  versions(kv: Kv): Promise<Version[]>;
  /** @throws CommandError when there is no such version, or it cannot be read */
  read(kv: Kv, id: string): Promise<D>;
  /** Prints every problem. @throws CommandError when visitors would refuse the documents */
  validate(documents: D, say: Context['say']): void;
  /** Whether visitors get these documents, or an earlier version because these are invalid. */
  isServed(documents: D): boolean;
  /** What changes for visitors, one line each. */
  differences(before: D, after: D): string[];
  nextId(now: Date, live: Live<D>): string;
  /** In the order in which they must be written. */
  writes(version: { id: string; time: string; who: string }, next: D, live: D): KvWrite[];
  /** How soon a change is live on this machine. */
  localDelay: string;
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The same for documents that differ in white space only. */
export const contentOf = (documents: Documents): string =>
  JSON.stringify(
    Object.entries(documents)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, text]) => [name, text === null ? null : pretty(text)]),
  );

async function save(documents: Documents, folder: string, say: Context['say']): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(documents)) {
    if (text === null) continue;
    const file = join(folder, name);
    await writeFile(file, `${pretty(text)}\n`, { flag: 'wx' }).catch(() => {
      throw new CommandError(`${file} exists already or cannot be written.`);
    });
    say(`Wrote ${file}.`);
  }
}

/** @param folder where to write them instead, for editing */
export async function show<D extends Documents>(
  store: DocumentStore<D>,
  folder: string | undefined,
  { kv, say }: Context,
): Promise<void> {
  const [{ documents, fingerprint }, versions] = [await store.live(kv), await store.versions(kv)];
  const version = versions.find((each) => each.fingerprint === fingerprint);
  const texts = Object.values(documents);
  if (version) say(`Version ${version.id}, published ${version.time} by ${version.who}.`);
  else if (texts.every((text) => text === null)) say('Nothing has been published yet.');
  else say('Version unknown: these documents were not written by "publish".');
  if (!store.isServed(documents)) {
    say('These documents are not valid. Visitors get an earlier version.');
  }
  if (folder !== undefined) return save(documents, folder, say);
  for (const [name, text] of Object.entries(documents)) {
    say(`\n${name}`);
    say(text === null ? 'missing' : pretty(text));
  }
}

export async function diff<D extends Documents>(
  store: DocumentStore<D>,
  next: D,
  { kv, say }: Context,
): Promise<Live<D>> {
  store.validate(next, say);
  const live = await store.live(kv);
  const lines = store.differences(live.documents, next);
  for (const line of lines) say(line);
  if (lines.length === 0) say('Nothing changes for visitors.');
  return live;
}

async function write(writes: readonly KvWrite[], kv: Kv): Promise<void> {
  const written: string[] = [];
  for (const { key, text, metadata } of writes) {
    try {
      await kv.put(key, text, metadata && { metadata });
    } catch (error) {
      const missing = writes.slice(written.length).map((each) => each.key);
      throw new CommandError(
        `${(error as Error).message}\nWritten: ${written.join(', ') || 'nothing'}. Not written: ${missing.join(', ')}.`,
      );
    }
    written.push(key);
  }
}

export async function publish<D extends Documents>(
  store: DocumentStore<D>,
  next: D,
  { yes }: { yes: boolean },
  context: Context,
): Promise<void> {
  const { kv, say, remote, who } = context;
  const live = await diff(store, next, context);
  if (contentOf(live.documents) === contentOf(next)) {
    return say('These documents are already live. Nothing was written.');
  }
  const where = remote ? 'on the live site' : 'on this machine';
  if (!yes && !(await context.confirm(`Publish this ${where}?`))) {
    throw new CommandError('Nothing was written.');
  }
  const now = context.now();
  const version = { id: store.nextId(now, live), time: now.toISOString(), who };
  await write(store.writes(version, next, live.documents), kv);
  const delay = remote ? 'about a minute' : store.localDelay;
  say(`Published version ${version.id} ${where}. Visitors get it within ${delay}.`);
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
  { kv, say }: Context,
): Promise<void> {
  const [versions, { fingerprint }] = [await store.versions(kv), await store.live(kv)];
  const live = versions.find((each) => each.fingerprint === fingerprint);
  for (const version of versions) {
    const { id, time, who, files } = version;
    const names = files ? `  ${files.join(', ')}` : '';
    say(`${id}  ${time}  ${who}${names}${version === live ? '  (live)' : ''}`);
  }
  if (versions.length === 0) say('Nothing has been published yet.');
}
