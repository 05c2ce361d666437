import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError } from '../command-error.ts';
import { documentKeys, type Texts } from './texts.ts';

/** Where a person keeps the two documents: together in a folder or a file, or in a file each. */
export interface Source {
  file?: string | undefined;
  config?: string | undefined;
  flows?: string | undefined;
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    throw new CommandError(`There is no file ${path}.`);
  }
}

/** Both documents out of one file: an object with their names, each as JSON or as its text. */
function split(path: string, text: string): Texts {
  let both: unknown;
  try {
    both = JSON.parse(text);
  } catch (error) {
    throw new CommandError(`${path} is not JSON: ${(error as SyntaxError).message}.`);
  }
  const entries = new Map(Object.entries(both ?? {}));
  const stranger = [...entries.keys()].find((key) => !documentKeys.some((name) => name === key));
  if (stranger !== undefined) {
    throw new CommandError(
      `${path} holds '${stranger}'; expected only config.json and flows.json. For one document alone use --config or --flows.`,
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

async function readFolder(folder: string): Promise<Texts> {
  const maybe = (name: string) => readFile(join(folder, name), 'utf8').catch(() => null);
  const [config, flows] = await Promise.all([maybe('config.json'), maybe('flows.json')]);
  return { 'config.json': config, 'flows.json': flows };
}

async function readTogether(path: string): Promise<Texts> {
  const found = await stat(path).catch(() => {
    throw new CommandError(`There is no file or folder ${path}.`);
  });
  return found.isDirectory() ? readFolder(path) : split(path, await read(path));
}

/**
 * The documents that a person names, null for one that is not there.
 *
 * @throws Refused when nothing is named, or neither document is there
 */
export async function readSource({ file, config, flows }: Source): Promise<Texts> {
  const texts = file ? await readTogether(file) : { 'config.json': null, 'flows.json': null };
  if (config) texts['config.json'] = await read(config);
  if (flows) texts['flows.json'] = await read(flows);
  if (texts['config.json'] !== null || texts['flows.json'] !== null) return texts;
  throw new CommandError(
    file ? `${file} holds neither config.json nor flows.json.` : 'Name a folder or a file.',
  );
}
