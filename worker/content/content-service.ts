import type { KVNamespace } from '@cloudflare/workers-types';
import { kvReader } from '../documents/kv.ts';
import { documentKey, readManifest } from '../documents/manifest.ts';
import { sleep, withTimeout } from '../platform/with-timeout.ts';
import {
  type ContentManifest,
  type ContentMap,
  InvalidContent,
  readContentManifest,
  readFlat,
  readMap,
} from './rules/content-schema.ts';
import type { FlatTexts } from './rules/text-overrides.ts';

/** Every operation retries, and throws without a valid response. */
export interface ContentService {
  manifest(): Promise<ContentManifest>;
  /** Claims and reviews; null when it has none. */
  map(manifest: ContentManifest): Promise<ContentMap | null>;
  file(manifest: ContentManifest, language: string): Promise<FlatTexts | null>;
}

type ContentNamespace = Pick<KVNamespace, 'get' | 'getWithMetadata'>;

interface Source {
  manifest(): Promise<ContentManifest | null>;
  /** A language's texts, or the content map; null when there is none. */
  text(name: string, manifest: ContentManifest): Promise<string | null>;
}

export const mapName = 'content';
/** KV key of a manifest written by hand; its files are at `content/<timestamp>/<name>`. */
export const contentManifestKey = 'content/manifest';
export const fileKey = (timestamp: number, name: string) => `content/${timestamp}/${name}`;

const kvSource = (kv: ContentNamespace): Source => ({
  async manifest() {
    const reader = kvReader(kv);
    const [written, { content }] = await Promise.all([
      reader.getWrittenByHand(contentManifestKey),
      readManifest(reader),
    ]);
    if (written !== null) return readContentManifest(written, Date.now());
    if (!content) return null;
    const hashes = Object.entries(content.documents).map(
      ([file, hash]) => [file.replace('.json', ''), hash] as const,
    );
    return {
      timestamp: Date.parse(content.time),
      files: hashes.map(([name]) => name),
      hashes: new Map(hashes),
    };
  },
  text: (name, { timestamp, hashes }) =>
    kv.get(hashes ? documentKey(hashes.get(name) ?? '') : fileKey(timestamp, name)),
});

async function fetchText(url: string): Promise<string | null> {
  const response = await fetch(url, {
    redirect: 'manual',
    signal: AbortSignal.timeout(readTimeoutMs),
  });
  const text = await response.text();
  if (response.status === 404) return null;
  if (!response.ok) throw new InvalidContent(`status ${response.status}`);
  return text;
}

/** `<url>/manifest`, `<url>/content?timestamp=…` and `<url>/files/<language>?timestamp=…`. */
function urlSource(address: string): Source {
  const url = address.replace(/\/+$/, '');
  return {
    async manifest() {
      const text = await fetchText(`${url}/manifest`);
      return text === null ? null : readContentManifest(text, Date.now());
    },
    text: (name, { timestamp }) =>
      fetchText(`${url}/${name === mapName ? name : `files/${name}`}?timestamp=${timestamp}`),
  };
}

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

export function contentService(kv: ContentNamespace, url?: string): ContentService {
  const source = url ? urlSource(url) : kvSource(kv);
  const read = <T>(attempt: () => Promise<T>) =>
    withRetries(() => limited(() => withTimeout(attempt(), readTimeoutMs, noAnswer)));
  const listed = async <T>(manifest: ContentManifest, name: string, parse: (text: string) => T) => {
    const { files } = manifest;
    if (files && !files.includes(name)) return null;
    const found = await read(async () => {
      const text = await source.text(name, manifest);
      return text === null ? null : parse(text);
    });
    // KV is eventually consistent: the manifest may arrive before its files.
    if (found === null && files) throw new InvalidContent('missing');
    return found;
  };
  return {
    manifest: async () => (await read(source.manifest)) ?? { timestamp: 0, files: [] },
    map: (manifest) => listed(manifest, mapName, readMap),
    file: (manifest, language) => listed(manifest, language, readFlat),
  };
}
