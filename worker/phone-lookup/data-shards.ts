import murmurhash from 'murmurhash';
import type { Env } from '../env.ts';
import type { Log } from '../log.ts';

/** Where the build puts what only the Worker reads; the Worker answers these addresses itself. */
export const shardFolder = '/edge';

/** Shards an isolate keeps, least recently used first out: at most 64 of 32 KB, 2 MB of JSON. */
const kept = 64;
const shards = new Map<string, unknown>();

/**
 * Reads a file of `/edge` that the build made.
 *
 * @param name such as `numbers/49`
 * @returns null when it is missing or broken, with a line of log
 */
export async function shard<Content>(
  { ASSETS }: Pick<Env, 'ASSETS'>,
  name: string,
  log: Log,
): Promise<Content | null> {
  let content = shards.get(name) as Content | undefined;
  shards.delete(name);
  try {
    content ??= await load<Content>(ASSETS, name);
  } catch (error) {
    const reason = error instanceof Error ? error.name : 'thrown';
    // Not the name: it holds a number's beginning.
    log('error', 'lookup_data_missing', { key: name.split('/', 1)[0], reason });
    return null;
  }
  shards.set(name, content);
  for (const oldest of shards.keys()) {
    if (shards.size <= kept) break;
    shards.delete(oldest);
  }
  return content;
}

async function load<Content>(assets: Env['ASSETS'], name: string): Promise<Content> {
  const response = await assets.fetch(new Request(`https://assets${shardFolder}/${name}.json`));
  if (!response.ok) throw new RangeError(`status ${response.status}`);
  return response.json() as Promise<Content>;
}

/** The shard of a key among `count`, the same in the build and in the Worker. */
export const shardOf = (key: string, count: number): number => murmurhash.v3(key) % count;
