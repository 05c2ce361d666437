import type { KVNamespace } from '@cloudflare/workers-types';
import { sleep, withTimeout } from '../platform/with-timeout.ts';
import {
  type ContentMap,
  InvalidContent,
  type Manifest,
  readFlat,
  readManifest,
  readMap,
} from './rules/content-schema.ts';
import type { FlatTexts } from './rules/text-overrides.ts';

/** Every operation retries, and throws without a valid response. */
export interface ContentService {
  manifest(): Promise<Manifest>;
  /** Claims and reviews; null when it has none. */
  map(manifest: Manifest): Promise<ContentMap | null>;
  file(manifest: Manifest, language: string): Promise<FlatTexts | null>;
}

type Reader = (name: string, timestamp: number | null) => Promise<string | null>;

export const mapName = 'content';
/** KV key of the manifest; its files are at `content/<timestamp>/<name>`. */
export const manifestKey = 'content/manifest';
export const fileKey = (timestamp: number, name: string) => `content/${timestamp}/${name}`;

const fromKv =
  (kv: KVNamespace): Reader =>
  (name, timestamp) =>
    kv.get(timestamp === null ? manifestKey : fileKey(timestamp, name));

/** `<url>/manifest`, `<url>/content?timestamp=…` and `<url>/files/<language>?timestamp=…`. */
const fromUrl =
  (url: string): Reader =>
  async (name, timestamp) => {
    const path = timestamp === null || name === mapName ? name : `files/${name}`;
    const query = timestamp === null ? '' : `?timestamp=${timestamp}`;
    const response = await fetch(`${url.replace(/\/+$/, '')}/${path}${query}`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(readTimeoutMs),
    });
    const text = await response.text();
    if (response.status === 404) return null;
    if (!response.ok) throw new InvalidContent(`status ${response.status}`);
    return text;
  };

const readTimeoutMs = 2500;
const retryDelayMs = 350;
const retries = 5;
const maxConcurrentReads = 10;

const noAnswer = () => new InvalidContent('no answer');

async function withRetries<T>(attempt: () => Promise<T>): Promise<T> {
  for (let retry = 0; ; retry += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (retry === retries) throw error;
      await sleep(retryDelayMs * 2 ** retry);
    }
  }
}

export function concurrencyLimit(limit: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(run: () => Promise<T>): Promise<T> => {
    if (running === limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

const limited = concurrencyLimit(maxConcurrentReads);

export function contentService(kv: KVNamespace, url?: string): ContentService {
  const reader = url ? fromUrl(url) : fromKv(kv);
  const read = <T>(name: string, timestamp: number | null, parse: (text: string) => T) =>
    withRetries(() =>
      limited(async () => {
        const text = await withTimeout(reader(name, timestamp), readTimeoutMs, noAnswer);
        return text === null ? null : parse(text);
      }),
    );
  const listed = async <T>(
    { timestamp, files }: Manifest,
    name: string,
    parse: (text: string) => T,
  ) => {
    if (files && !files.includes(name)) return null;
    const found = await read(name, timestamp, parse);
    // KV is eventually consistent: the manifest may arrive before its files.
    if (found === null && files) throw new InvalidContent('missing');
    return found;
  };
  return {
    async manifest() {
      const found = await read('manifest', null, (text) => readManifest(text, Date.now()));
      return found ?? { timestamp: 0, files: [] };
    },
    map: (manifest) => listed(manifest, mapName, readMap),
    file: (manifest, language) => listed(manifest, language, readFlat),
  };
}
