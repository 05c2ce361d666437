import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type ConfigTexts,
  documentKeys,
  liveTexts,
} from '../../worker/experiments/config-versions.ts';
import { CommandError } from '../command.ts';
import type { Context } from '../versioned-documents.ts';

export interface Source {
  file?: string | undefined;
  config?: string | undefined;
  flows?: string | undefined;
}

const read = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch(() => {
    throw new CommandError(`There is no file ${path}.`);
  });

function split(path: string, text: string): ConfigTexts {
  let both: unknown;
  try {
    both = JSON.parse(text);
  } catch (error) {
    throw new CommandError(`${path} is not JSON: ${(error as SyntaxError).message}.`);
  }
  const entries = new Map(Object.entries(both ?? {}));
  const unknown = [...entries.keys()].find((key) => !documentKeys.some((name) => name === key));
  if (unknown !== undefined) {
    throw new CommandError(
      `${path} contains '${unknown}'; expected only config.json and flows.json. Use --config or --flows for a single document.`,
    );
  }
  const textOf = (value: unknown) =>
    value === undefined || typeof value === 'string'
      ? (value ?? null)
      : JSON.stringify(value, null, 2);
  return {
    'config.json': textOf(entries.get('config.json')),
    'flows.json': textOf(entries.get('flows.json')),
  };
}

async function readFolder(folder: string): Promise<ConfigTexts> {
  const optional = (name: string) => readFile(join(folder, name), 'utf8').catch(() => null);
  const [config, flows] = await Promise.all(documentKeys.map(optional));
  return { 'config.json': config ?? null, 'flows.json': flows ?? null };
}

async function readBoth(path: string): Promise<ConfigTexts> {
  const found = await stat(path).catch(() => {
    throw new CommandError(`There is no file or folder ${path}.`);
  });
  return found.isDirectory() ? readFolder(path) : split(path, await read(path));
}

/** @throws CommandError when no document is given, or when neither exists */
export async function readSource({ file, config, flows }: Source): Promise<ConfigTexts> {
  const texts = file ? await readBoth(file) : { 'config.json': null, 'flows.json': null };
  if (config) texts['config.json'] = await read(config);
  if (flows) texts['flows.json'] = await read(flows);
  if (texts['config.json'] !== null || texts['flows.json'] !== null) return texts;
  throw new CommandError(
    file ? `${file} contains neither config.json nor flows.json.` : 'Name a folder or a file.',
  );
}

export async function readCandidate(source: Source, { kv, print }: Context): Promise<ConfigTexts> {
  const texts = await readSource(source);
  const missing = documentKeys.find((key) => texts[key] === null);
  if (!missing) return texts;
  print(`${missing} not given; using the live version.`);
  return { ...texts, [missing]: (await liveTexts(kv))[missing] };
}
