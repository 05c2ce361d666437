import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const index = 'static/builds.json';
const kept = 2;
/** Folders of files that have a hash in their name and that open pages may still request. */
const folders = ['static', 'images'];

async function filesIn(client: string, folder: string): Promise<string[]> {
  if (!existsSync(join(client, folder))) return [];
  const entries = await readdir(join(client, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(client.length + 1));
}

const filesOf = async (client: string) =>
  (await Promise.all(folders.map((folder) => filesIn(client, folder)))).flat();

/** Lets a page opened before a deploy still find its chunks. @param client folder @returns files copied */
export async function retainPreviousBuilds(
  site: string,
  client: string,
  get: typeof fetch = fetch,
): Promise<number> {
  const current = await filesOf(client);
  const response = await get(new URL(index, site));
  const type = response.headers.get('content-type') ?? '';
  const before: string[][] = response.ok && type.includes('json') ? await response.json() : [];
  const older = before.slice(0, kept);
  const missing = new Set(older.flat().filter((file) => !current.includes(file)));
  for (const file of missing) {
    if (!/^(static|images)\/[\w./-]+$/.test(file) || file.includes('..')) {
      throw new Error(`${index} of ${site} names a file outside ${folders.join(' and ')}: ${file}`);
    }
    const found = await get(new URL(file, site));
    if (!found.ok) throw new Error(`${file} of the last build is not on ${site}: ${found.status}`);
    await mkdir(dirname(join(client, file)), { recursive: true });
    await writeFile(join(client, file), new Uint8Array(await found.arrayBuffer()));
  }
  await writeFile(join(client, index), JSON.stringify([current, ...older]));
  return missing.size;
}
