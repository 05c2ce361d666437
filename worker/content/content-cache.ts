import { fallback } from '../../locales/index.ts';
import { Cached, type CacheOptions } from '../documents/cached.ts';
import { type Log, reasonOf } from '../platform/log.ts';
import type { ContentService } from './content-service.ts';
import { type ContentManifest, type ContentMap, InvalidContent } from './rules/content-schema.ts';
import type { FlatTexts } from './rules/text-overrides.ts';

export interface Content {
  version: string;
  /** Text by key; null when the service has none. */
  texts: FlatTexts | null;
  /** English texts, which replace what only publications have. */
  english: FlatTexts | null;
  map: ContentMap;
}

export interface ContentOptions extends CacheOptions {
  service: ContentService;
  log: Log;
}

const emptyMap: ContentMap = { claims: [], reviews: [] };

interface Dated<Document> {
  timestamp: number;
  document: Document;
}

/** This isolate's copy: the last valid version of each document. The number of languages bounds it. */
export class ContentCache {
  #manifest: ContentManifest = { timestamp: 0, files: [] };
  #map: Dated<ContentMap> = { timestamp: 0, document: emptyMap };
  readonly #files = new Map<string, Dated<FlatTexts | null>>();
  readonly #reads = new Map<string, Cached<true>>();
  readonly #problems = new Map<string, string>();

  async current(language: string, options: ContentOptions): Promise<Content> {
    const cached = this.#reads.get(language) ?? new Cached<true>();
    this.#reads.set(language, cached);
    await cached.current(() => this.#read(language, options), options);
    const [file, english] = [language, fallback].map(
      (name) => this.#files.get(name) ?? { timestamp: 0, document: null },
    );
    return {
      version: [this.#map, file, english].map((one) => one?.timestamp).join('-'),
      texts: file?.document ?? null,
      english: english?.document ?? null,
      map: this.#map.document,
    };
  }

  /** Reports what fails, and keeps the last valid document. */
  async #read(language: string, { service, log }: ContentOptions): Promise<true> {
    const isCurrent = await this.#try('manifest', log, async () => {
      const manifest = await service.manifest();
      if (manifest.timestamp < this.#manifest.timestamp) {
        throw new InvalidContent('older than before');
      }
      this.#manifest = manifest;
    });
    const manifest = this.#manifest;
    const { timestamp } = manifest;
    const readMap = async () => {
      this.#map = { timestamp, document: (await service.map(manifest)) ?? emptyMap };
    };
    const readFile = (name: string) => async () => {
      const document = await service.file(manifest, name);
      this.#files.set(name, { timestamp, document });
    };
    const stale = (cached = 0) => isCurrent && cached !== timestamp;
    await Promise.all([
      stale(this.#map.timestamp) && this.#try('content', log, readMap),
      ...[...new Set([language, fallback])].map(
        (name) => stale(this.#files.get(name)?.timestamp) && this.#try(name, log, readFile(name)),
      ),
    ]);
    return true;
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
