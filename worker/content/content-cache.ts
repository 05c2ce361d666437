import type { Log } from '../log.ts';
import type { ContentService } from './content-service.ts';
import { type ContentMap, InvalidContent, type Manifest } from './rules/content-schema.ts';
import type { FlatTexts } from './rules/text-overrides.ts';

/** What an isolate holds of the content service for one language. */
export interface Content {
  /** Names it, for caches. */
  version: string;
  /** Text by key; null when there is none. */
  texts: FlatTexts | null;
  map: ContentMap;
}

export interface ContentOptions {
  service: ContentService;
  log: Log;
  /** Keeps the isolate alive until the promise settles. */
  waitUntil: (promise: Promise<unknown>) => void;
  /** Age in ms after which the manifest is read again. */
  maxAgeMs: number;
}

/** How long, in ms, a cold isolate may wait, and after how long a read is given up for lost. */
const coldWait = 150;
const lostAfter = 60_000;

const emptyMap: ContentMap = { claims: [], reviews: [] };

/** A document, and the publication that it is of. */
interface Held<Document> {
  timestamp: number;
  document: Document;
}

interface Reading {
  done: Promise<void>;
  since: number;
}

async function atMost(promise: Promise<void>, ms: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** The content in this isolate's memory: by document the last good one; bounded by our languages. */
export class ContentCache {
  #manifest: Manifest = { timestamp: 0, files: [] };
  #map: Held<ContentMap> = { timestamp: 0, document: emptyMap };
  readonly #files = new Map<string, Held<FlatTexts | null>>();
  readonly #readAt = new Map<string, number>();
  readonly #reading = new Map<string, Reading>();
  readonly #problems = new Map<string, string>();

  /** What is held for a language, at once; only its first visitor waits, for 150 ms at most. */
  async current(language: string, options: ContentOptions): Promise<Content> {
    const readAt = this.#readAt.get(language);
    if (readAt === undefined || Date.now() - readAt > options.maxAgeMs) {
      const reading = this.#refresh(language, options);
      if (readAt === undefined) await atMost(reading, coldWait);
    }
    const file = this.#files.get(language) ?? { timestamp: 0, document: null };
    return {
      version: `${this.#map.timestamp}-${file.timestamp}`,
      texts: file.document,
      map: this.#map.document,
    };
  }

  #refresh(language: string, options: ContentOptions): Promise<void> {
    const before = this.#reading.get(language);
    if (before && Date.now() - before.since < lostAfter) return before.done;
    const reading = { done: this.#read(language, options), since: Date.now() };
    this.#reading.set(language, reading);
    const end = () => {
      if (this.#reading.get(language) === reading) this.#reading.delete(language);
    };
    reading.done = reading.done.finally(end);
    options.waitUntil(reading.done);
    // From now on nobody waits for it any more.
    if (!this.#readAt.has(language)) this.#readAt.set(language, Date.now());
    return reading.done;
  }

  async #read(language: string, { service, log }: ContentOptions): Promise<void> {
    const told = await this.#try('manifest', log, async () => {
      const { timestamp, files } = await service.manifest();
      if (timestamp < this.#manifest.timestamp) throw new InvalidContent('older than before');
      this.#manifest = { timestamp, files };
    });
    const manifest = this.#manifest;
    const { timestamp } = manifest;
    const readMap = async () => {
      this.#map = { timestamp, document: (await service.map(manifest)) ?? emptyMap };
    };
    const readFile = async () => {
      const document = await service.file(manifest, language);
      this.#files.set(language, { timestamp, document });
    };
    const stale = (held = 0) => told && held !== timestamp;
    await Promise.all([
      stale(this.#map.timestamp) && this.#try('content', log, readMap),
      stale(this.#files.get(language)?.timestamp) && this.#try(language, log, readFile),
    ]);
    this.#readAt.set(language, Date.now());
  }

  /** Does what may fail; one line a problem, not one a read. */
  async #try(key: string, log: Log, attempt: () => Promise<void>): Promise<boolean> {
    try {
      await attempt();
      this.#problems.delete(key);
      return true;
    } catch (error) {
      const reason =
        error instanceof InvalidContent
          ? error.message
          : error instanceof Error
            ? error.name
            : 'thrown';
      if (this.#problems.get(key) !== reason) log('error', 'content_failed', { key, reason });
      this.#problems.set(key, reason);
      return false;
    }
  }
}
