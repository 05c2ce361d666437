import type { KVNamespace } from '@cloudflare/workers-types';
import {
  type ContentMap,
  InvalidContent,
  type Manifest,
  readFlat,
  readManifest,
  readMap,
} from './rules/content-schema.ts';
import type { FlatTexts } from './rules/text-overrides.ts';

/** The content service; each operation throws when it has no good answer in the end. */
export interface ContentService {
  /** When what it holds was published. */
  manifest(): Promise<Manifest>;
  /** Claims and reviews; null when it has none. */
  map(manifest: Manifest): Promise<ContentMap | null>;
  /** A language's texts by key; null when it has none. */
  file(manifest: Manifest, language: string): Promise<FlatTexts | null>;
}

/** Where documents come from: their text by name and timestamp, null for one that is not there. */
type Reader = (name: string, timestamp: number | null) => Promise<string | null>;

/** The name of the content map among the files of a manifest. */
export const mapName = 'content';
/** Key in KV of the manifest; what it names lies at `content/<timestamp>/<name>`. */
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
      signal: AbortSignal.timeout(readLimit),
    });
    const text = await response.text();
    if (response.status === 404) return null;
    if (!response.ok) throw new InvalidContent(`status ${response.status}`);
    return text;
  };

/** Ms that one read may take, and after which a failed one is tried again, doubling. */
const readLimit = 2500;
const firstPause = 350;
const retries = 5;
const mostReads = 10;

async function inTime<T>(promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new InvalidContent('no answer')), readLimit);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Tries until it goes well: up to 5 times more, after 350 ms, 700 ms and so on. */
async function patiently<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tried = 0; ; tried += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (tried === retries) throw error;
      await new Promise((resolve) => setTimeout(resolve, firstPause * 2 ** tried));
    }
  }
}

/** Lets so many run at once; the others wait for their turn. */
export function concurrencyLimit(most: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(run: () => Promise<T>): Promise<T> => {
    if (running === most) await new Promise<void>((resolve) => waiting.push(resolve));
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

const atOnce = concurrencyLimit(mostReads);

/**
 * The content service behind a URL, or in KV where there is none.
 *
 * @param url of an outside service, `https://content.example.com/v1`
 */
export function contentService(kv: KVNamespace, url?: string): ContentService {
  const reader = url ? fromUrl(url) : fromKv(kv);
  const read = <T>(name: string, timestamp: number | null, parse: (text: string) => T) =>
    patiently(() =>
      atOnce(async () => {
        const text = await inTime(reader(name, timestamp));
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
    // KV may tell of a publication before it holds all of it.
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
