import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Documents } from '../../worker/documents/document-set.ts';
import { readLive } from '../../worker/documents/live-documents.ts';
import { configSet } from '../../worker/experiments/config-set.ts';
import { documentKeys } from '../../worker/experiments/readable-config.ts';
import { messageOf } from '../../worker/platform/log.ts';
import { CommandError } from '../command.ts';
import type { Context, Source } from '../versioned-documents.ts';

const names = documentKeys.join(', ');

const read = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch((cause) => {
    throw new CommandError(`There is no file ${path}.`, { cause });
  });

const given = (texts: readonly (readonly [key: string, text: string | null])[]): Documents =>
  Object.fromEntries(texts.filter(([, text]) => text !== null));

function split(path: string, text: string): Documents {
  let all: unknown;
  try {
    all = JSON.parse(text);
  } catch (error) {
    throw new CommandError(`${path} is not JSON: ${messageOf(error)}.`);
  }
  const entries = Object.entries(all ?? {});
  const unknown = entries.find(([key]) => !documentKeys.some((name) => name === key))?.[0];
  if (unknown !== undefined) {
    const options = documentKeys.map((key) => `--${key.replace('.json', '')}`).join(' or ');
    throw new CommandError(
      `${path} contains '${unknown}'; expected only ${names}. Use ${options} for a single document.`,
    );
  }
  return given(
    entries.map(([key, value]) => [
      key,
      typeof value === 'string' ? value : JSON.stringify(value, null, 2),
    ]),
  );
}

async function readFolder(folder: string): Promise<Documents> {
  const optional = async (name: string) =>
    [name, await readFile(join(folder, name), 'utf8').catch(() => null)] as const;
  return given(await Promise.all(documentKeys.map(optional)));
}

async function readAll(path: string): Promise<Documents> {
  const found = await stat(path).catch((cause) => {
    throw new CommandError(`There is no file or folder ${path}.`, { cause });
  });
  return found.isDirectory() ? readFolder(path) : split(path, await read(path));
}

/** @throws CommandError when no document is given, or when none exists */
export async function readSource({ file, ...single }: Source): Promise<Documents> {
  const texts = { ...(file && (await readAll(file))) };
  for (const key of documentKeys) {
    const path = single[key.replace('.json', '')];
    if (path) texts[key] = await read(path);
  }
  if (Object.keys(texts).length > 0) return texts;
  throw new CommandError(file ? `${file} contains none of ${names}.` : 'Name a folder or a file.');
}

/** What is not given stays as it is live. */
export async function readCandidate(source: Source, { kv, print }: Context): Promise<Documents> {
  const texts = await readSource(source);
  const missing = documentKeys.filter((key) => !(key in texts));
  if (missing.length === 0) return texts;
  for (const key of missing) print(`${key} not given; using the live version.`);
  return { ...(await readLive(kv, configSet)).documents, ...texts };
}
