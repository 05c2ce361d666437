import { minuteMs } from '../platform/durations.ts';
import { type Log, reasonOf } from '../platform/log.ts';
import { withTimeout } from '../platform/with-timeout.ts';
import type { ContentService } from './content-service.ts';
import { type ContentMap, InvalidContent, type Manifest } from './rules/content-schema.ts';
import type { FlatTexts } from './rules/text-overrides.ts';

export interface Content {
  version: string;
  /** Text by key; null when the service has none. */
  texts: FlatTexts | null;
  map: ContentMap;
}

export interface ContentOptions {
  service: ContentService;
  log: Log;
  waitUntil: (promise: Promise<unknown>) => void;
  /** A manifest older than this is read again, in the background. */
  maxAgeMs: number;
}

/** The longest that a page waits for texts. */
const waitMs = 150;
/** A copy older than this is not served before the manifest was asked for. */
const staleAfterMs = 2 * minuteMs;
/** A read whose request the platform ended never settles; after this time another one starts. */
const abandonAfterMs = 60_000;

const emptyMap: ContentMap = { claims: [], reviews: [] };

interface Cached<Document> {
  timestamp: number;
  document: Document;
}

interface Reading {
  done: Promise<void>;
  startedAt: number;
}

/** This isolate's copy: the last valid version of each document. The number of languages bounds it. */
export class ContentCache {
  #manifest: Manifest = { timestamp: 0, files: [] };
  #map: Cached<ContentMap> = { timestamp: 0, document: emptyMap };
  readonly #files = new Map<string, Cached<FlatTexts | null>>();
  readonly #readAt = new Map<string, number>();
  readonly #reading = new Map<string, Reading>();
  readonly #problems = new Map<string, string>();

  async current(language: string, options: ContentOptions): Promise<Content> {
    const age = Date.now() - (this.#readAt.get(language) ?? 0);
    if (age > options.maxAgeMs) {
      const reading = this.#refresh(language, options);
      if (age > staleAfterMs) await withTimeout(reading, waitMs).catch(() => {});
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
    if (before && Date.now() - before.startedAt < abandonAfterMs) return before.done;
    const reading = { done: this.#read(language, options), startedAt: Date.now() };
    this.#reading.set(language, reading);
    const end = () => {
      if (this.#reading.get(language) === reading) this.#reading.delete(language);
    };
    reading.done = reading.done.finally(end);
    options.waitUntil(reading.done);
    if (!this.#readAt.has(language)) this.#readAt.set(language, Date.now());
    return reading.done;
  }

  async #read(language: string, { service, log }: ContentOptions): Promise<void> {
    const isCurrent = await this.#try('manifest', log, async () => {
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
    const stale = (cached = 0) => isCurrent && cached !== timestamp;
    await Promise.all([
      stale(this.#map.timestamp) && this.#try('content', log, readMap),
      stale(this.#files.get(language)?.timestamp) && this.#try(language, log, readFile),
    ]);
    this.#readAt.set(language, Date.now());
  }

  async #try(key: string, log: Log, attempt: () => Promise<void>): Promise<boolean> {
    try {
      await attempt();
      this.#problems.delete(key);
      return true;
    } catch (error) {
      const reason = error instanceof InvalidContent ? error.message : reasonOf(error);
      if (this.#problems.get(key) !== reason)
        log('error', 'content_failed', { document: key, reason });
      this.#problems.set(key, reason);
      return false;
    }
  }
}
