import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { confirm } from '@clack/prompts';
import { unsoldLines } from '../worker/console/publishing/rules/review-notes.ts';
import type { DocumentSet, Documents } from '../worker/documents/document-set.ts';
import {
  liveVersion,
  newPublication,
  publishVersion,
  readVersion,
  readVersions,
} from '../worker/documents/document-store.ts';
import type { Kv } from '../worker/documents/kv.ts';
import { contentOf, type Live, pretty, readLive } from '../worker/documents/live-documents.ts';
import type { Unsold } from '../worker/documents/manifest.ts';
import { checkHoldout, frozenWithFix } from '../worker/experiments/holdout-fix.ts';
import { productTextErrors } from '../worker/experiments/product-texts.ts';
import { offeredAfter } from '../worker/experiments/rules/offered-plans.ts';
import type { SaleAnswer } from '../worker/payments/gateways/sale-check.ts';
import { CommandError, print, userName } from './command.ts';
import type { Site } from './ops/admin-client.ts';
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
    await writeFile(file, `${pretty(text)}\n`, { flag: 'wx' }).catch((cause) => {
      throw new CommandError(`${file} exists already or cannot be written.`, { cause });
    });
    print(`Wrote ${file}.`);
  }
}

/** @param folder output folder for editing; by default they are printed */
export async function show(
  set: DocumentSet,
  folder: string | undefined,
  { kv, print }: Context,
): Promise<void> {
  const [live, versions] = [await readLive(kv, set), await readVersions(kv, set)];
  const { documents } = live;
  const version = liveVersion(versions, live);
  const texts = Object.values(documents);
  if (version) print(`Version ${version.id}, published ${version.time} by ${version.who}.`);
  else if (texts.every((text) => text === null)) print('Nothing has been published yet.');
  else print('Version unknown: these documents were not written by "publish".');
  if (!set.isServed(documents)) {
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
export function requireValid(
  set: DocumentSet,
  documents: Documents,
  print: Context['print'],
  live?: Documents,
): void {
  const { errors, warnings } = set.problems(documents, live);
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

export async function diff(
  set: DocumentSet,
  next: Documents,
  { kv, print }: Context,
): Promise<Live> {
  const live = await readLive(kv, set);
  requireValid(set, next, print, live.documents);
  const errors = set.name === 'config' ? await productTextErrors(kv, next, live) : [];
  for (const error of errors) print(`error: ${error}`);
  if (errors.length > 0) throw new CommandError('The texts are not published.');
  const lines = set.differences(live.documents, next);
  for (const line of lines) print(line);
  if (lines.length === 0) print('Nothing changes for visitors.');
  return live;
}

interface PublishOptions {
  yes: boolean;
  /** Whether law or safety asks for it, so that it reaches the visitors in a holdout. */
  isFix?: boolean;
  /** The site, which asks the payment providers. */
  site?: () => Pick<Site, 'post'>;
}

/** Asks the site what the payment providers sell of these documents. */
function sale(
  set: DocumentSet,
  { documents, manifest }: Live,
  next: Documents,
  { site, print }: PublishOptions & Pick<Context, 'print'>,
) {
  const before = manifest[set.name]?.unsold ?? {};
  const isAsked =
    set.name === 'config' &&
    (Object.keys(before).length > 0 || offeredAfter(documents, next).added.length > 0);
  return async (creates: boolean): Promise<Unsold> => {
    if (!isAsked) return before;
    if (!site) throw new CommandError('Only the site can ask the payment providers.');
    const body = { documents: next, creates };
    const answer = await site().post<SaleAnswer>('/publications/sale', body);
    if (!creates) for (const line of [...answer.lines, ...answer.byHand]) print(line);
    if (answer.refusal) throw new CommandError(`Nothing was written: ${answer.refusal}.`);
    return answer.unsold;
  };
}

export async function publish(
  set: DocumentSet,
  next: Documents,
  options: PublishOptions,
  context: Context,
): Promise<void> {
  const { kv, print, remote, env, who } = context;
  const { yes, isFix } = options;
  const live = await diff(set, next, context);
  if (set.name === 'config') await checkHoldout(kv, next, live);
  const ask = sale(set, live, next, { ...options, print });
  const expected = JSON.stringify(await ask(false));
  const isSame = expected === JSON.stringify(live.manifest[set.name]?.unsold ?? {});
  if (isSame && contentOf(live.documents) === contentOf(next)) {
    return print('These documents are already live. Nothing was written.');
  }
  const site = env === undefined ? 'on the live site' : `in ${env}`;
  const where = remote ? site : 'on this machine';
  if (!yes && !(await context.confirm(`Publish this ${where}?`))) {
    throw new CommandError('Nothing was written.');
  }
  const unsold = await ask(true);
  const frozen = isFix ? await frozenWithFix(kv, set, live, next) : null;
  const publication = newPublication(set, next, live, { who, now: context.now(), unsold, frozen });
  await publishVersion(kv, publication);
  const delay = remote ? 'about a minute' : set.localDelay;
  const { version } = publication.release;
  print(`Published version ${version} ${where}. Visitors get it within ${delay}.`);
  for (const line of unsoldLines(unsold)) print(line);
}

export async function rollback(
  set: DocumentSet,
  id: string,
  options: PublishOptions,
  context: Context,
): Promise<void> {
  const { kv } = context;
  const [earlier, live] = [await readVersion(kv, set, id), await readLive(kv, set)];
  await publish(set, set.restored(earlier, live.documents), options, context);
}

export async function history(set: DocumentSet, { kv, print }: Context): Promise<void> {
  const [versions, live] = [await readVersions(kv, set), await readLive(kv, set)];
  const current = liveVersion(versions, live);
  for (const version of versions) {
    const { id, time, who, files } = version;
    const names = files.join(', ') || 'built-in';
    print(`${id}  ${time}  ${who}  ${names}${version === current ? '  (live)' : ''}`);
  }
  if (versions.length === 0) print('Nothing has been published yet.');
}

/** A folder or file, and single documents by the name of their file without `.json`. */
export type Source = Readonly<Record<string, string | undefined>>;

export interface Commands {
  set: DocumentSet;
  /** @throws CommandError when there is nothing to read */
  read: (source: Source, context: Context) => Promise<Documents>;
  context: () => Context;
  target: () => Target;
  /** A folder, for the examples. */
  example: string;
  /** What `show` also writes into a folder. */
  writeMore?: (folder: string) => Promise<void>;
}
