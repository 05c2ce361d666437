import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CommandError } from '../command-error.ts';

/** Documents by name, letter by letter: `content` (claims and reviews) and languages. */
export type Documents = Readonly<Record<string, string>>;

/** The documents of a folder: `content.json`, `de.json` and so on. @throws Refused */
export async function readFolder(folder: string): Promise<Documents> {
  const names = await readdir(folder).catch(() => {
    throw new CommandError(`There is no folder ${folder}.`);
  });
  const files = names.filter((name) => name.endsWith('.json')).sort();
  if (files.length === 0) throw new CommandError(`${folder} holds no .json file.`);
  const read = files.map(async (file) => [
    basename(file, '.json'),
    await readFile(join(folder, file), 'utf8'),
  ]);
  return Object.fromEntries(await Promise.all(read));
}
