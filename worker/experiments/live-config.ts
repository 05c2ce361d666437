import { baked } from 'virtual:client';
import type { KVNamespace } from '@cloudflare/workers-types';
import { Cached, type CacheOptions } from '../documents/cached.ts';
import { DocumentError, type Documents } from '../documents/document-set.ts';
import { type KvReader, kvReader } from '../documents/kv.ts';
import { type Live, readLive } from '../documents/live-documents.ts';
import { documentsOf, isDocumentKey, type Manifest } from '../documents/manifest.ts';
import type { Log } from '../platform/log.ts';
import { withTimeout } from '../platform/with-timeout.ts';
import { readableConfig } from './readable-config.ts';
import {
  builtInDocuments,
  type Configuration,
  InvalidDocument,
  publicConfig,
  readDocuments,
  sold,
  versionOf,
} from './rules/config-documents.ts';
import type { RunningExperiments } from './running-experiments.ts';

export interface ServedConfig {
  configuration: Configuration;
  /** What `/config.json` and `/flows.json` show. */
  published: ReturnType<typeof publicConfig>;
  /** Beside the split; null without any. */
  running: RunningExperiments | null;
  /** Whether it was read from KV. The built-in documents assign nobody to an arm. */
  live: boolean;
}

export interface ConfigOptions extends CacheOptions {
  kv: Pick<KVNamespace, 'get' | 'getWithMetadata'>;
  log: Log;
  production: boolean;
}

const readTimeoutMs = 10_000;

const builtIn = baked ?? builtInDocuments;
const fallbacks = new Map<boolean, ServedConfig>();

function fallbackFor(production: boolean): ServedConfig {
  const cached = fallbacks.get(production);
  if (cached) return cached;
  const configuration = readDocuments(builtIn, production);
  const served = serve(configuration, false);
  fallbacks.set(production, served);
  return served;
}

function serve(configuration: Configuration, live: boolean): ServedConfig {
  return { configuration, live, running: null, published: publicConfig(configuration) };
}

async function serveLive(
  documents: Documents,
  manifest: Manifest,
  production: boolean,
): Promise<ServedConfig> {
  const configuration = sold(readDocuments(documents, production), manifest.config);
  const served = serve(configuration, true);
  if (configuration.experiments.length === 0 && !configuration.holdout) return served;
  const { runningExperiments } = await import('./running-experiments.ts');
  return { ...served, running: runningExperiments(configuration, manifest) };
}

const noAnswer = () => new InvalidDocument('config.json', 'KV did not answer');

/** This isolate's copy of the documents, replaced together and only by a valid set. */
export class LiveConfig {
  readonly #cached = new Cached<ServedConfig>();
  #isServed = false;
  /** Of the last read, by key: the text of a hash never changes. */
  #texts = new Map<string, string>();
  #problem = '';

  async current(options: ConfigOptions): Promise<ServedConfig> {
    const served = await this.#cached.current(() => this.#read(options), options);
    return served ?? fallbackFor(options.production);
  }

  async #read({ kv, log, production }: ConfigOptions): Promise<ServedConfig> {
    const remembered = this.#remembering(kv);
    let live: Live | undefined;
    try {
      live = await withTimeout(readLive(remembered, readableConfig), readTimeoutMs, noAnswer);
      const { config } = live.manifest;
      if (config && live.written['catalog.json']) {
        const { requireSoldVersions } = await import('./hand-written-catalog.ts');
        requireSoldVersions(live.documents, await documentsOf(remembered, config));
      }
      const served = await serveLive(live.documents, live.manifest, production);
      this.#isServed = true;
      this.#problem = '';
      return served;
    } catch (error) {
      this.#report(error, live ? versionOf(live.documents) : '', log);
      const published = live?.manifest.config;
      if (this.#isServed || !live?.isByHand || !published) throw error;
      // A new isolate has no last valid set, so invalid documents written by hand must not hide published ones.
      const documents = await documentsOf(remembered, published);
      return serveLive(documents, live.manifest, production);
    }
  }

  #remembering(kv: ConfigOptions['kv']): KvReader {
    const reader = kvReader(kv);
    const known = this.#texts;
    this.#texts = new Map();
    return {
      ...reader,
      get: async (key) => {
        const text = known.get(key) ?? (await reader.get(key));
        if (text !== null && isDocumentKey(key)) this.#texts.set(key, text);
        return text;
      },
    };
  }

  #report(error: unknown, version: string, log: Log): void {
    const document = error instanceof InvalidDocument ? error.key : 'config.json';
    const isKnown = error instanceof InvalidDocument || error instanceof DocumentError;
    const reason = isKnown ? error.message : 'KV failed';
    const problem = [version, document, reason].join();
    if (this.#problem === problem) return;
    this.#problem = problem;
    log('error', 'config_refused', { document, reason });
  }
}
