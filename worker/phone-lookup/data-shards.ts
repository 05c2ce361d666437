import murmurhash from 'murmurhash';
import type { Env } from '../platform/env.ts';
import { type Log, reasonOf } from '../platform/log.ts';

/** The Worker answers these paths with 404. */
export const shardFolder = '/edge';

/** LRU cache of an isolate: at most 64 shards of 32 KB. */
const maxCached = 64;
const shards = new Map<string, unknown>();

/** @param name such as `numbers/49` @returns null, after a log line, when the file is missing or broken */
export async function readShard<Content>(
  { ASSETS }: Pick<Env, 'ASSETS'>,
  name: string,
  log: Log,
): Promise<Content | null> {
  let content = shards.get(name) as Content | undefined;
  shards.delete(name);
  try {
    content ??= await load<Content>(ASSETS, name);
  } catch (error) {
    const reason = reasonOf(error);
    // Only the folder: the file's name is the prefix of a number.
    log('error', 'lookup_data_missing', { dataset: name.split('/', 1)[0], reason });
    return null;
  }
  shards.set(name, content);
  for (const oldest of shards.keys()) {
    if (shards.size <= maxCached) break;
    shards.delete(oldest);
  }
  return content;
}

async function load<Content>(assets: Env['ASSETS'], name: string): Promise<Content> {
  const response = await assets.fetch(new Request(`https://assets${shardFolder}/${name}.json`));
  if (!response.ok) throw new RangeError(`status ${response.status}`);
  return response.json();
}

/** The build and the Worker must compute the same shard. */
export const dataShardOf = (key: string, count: number): number => murmurhash.v3(key) % count;

/** The file with the numbering plan of international digits; undefined if no calling code begins so. */
export const planFile = (digits: string): string | undefined =>
  /^(?:[17]|[2-689]\d)/.exec(digits)?.[0];
