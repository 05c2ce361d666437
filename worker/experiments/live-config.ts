import { baked } from 'virtual:client';
import type { KVNamespace } from '@cloudflare/workers-types';
import { minuteMs } from '../platform/durations.ts';
import type { Log } from '../platform/log.ts';
import { withTimeout } from '../platform/with-timeout.ts';
import {
  builtInDocuments,
  type Configuration,
  InvalidDocument,
  publicConfig,
  readDocuments,
  versionOf,
} from './rules/config-documents.ts';
import type { DocumentKey } from './rules/config-validation.ts';

export interface ServedConfig {
  configuration: Configuration;
  published: Record<DocumentKey, string>;
  /** Whether it was read from KV. The built-in documents assign nobody to an arm. */
  live: boolean;
}

export interface ConfigOptions {
  kv: KVNamespace;
  log: Log;
  waitUntil: (promise: Promise<unknown>) => void;
  /** A copy older than this is read again, in the background. */
  maxAgeMs: number;
  production: boolean;
}

/** The longest that a page waits for KV. */
const waitMs = 150;
/** A copy older than this is not served before KV was asked, because a publication may have replaced it long ago. */
const staleAfterMs = 2 * minuteMs;
const readTimeoutMs = 10_000;
/** A read whose request the platform ended never settles; after this time another one starts. */
const abandonAfterMs = 60_000;

const builtIn = baked ?? builtInDocuments;
const fallbacks = new Map<boolean, ServedConfig>();

function fallbackFor(production: boolean): ServedConfig {
  const cached = fallbacks.get(production);
  if (cached) return cached;
  const configuration = readDocuments(builtIn['config.json'], builtIn['flows.json'], production);
  const served = serve(configuration, false);
  fallbacks.set(production, served);
  return served;
}

function serve(configuration: Configuration, live: boolean): ServedConfig {
  return { configuration, live, published: publicConfig(configuration) };
}

const noAnswer = () => new InvalidDocument('config.json', 'KV did not answer');

/** This isolate's copy of both documents, replaced together and only by a valid pair. */
export class LiveConfig {
  #served: ServedConfig | null = null;
  #readAt = 0;
  #reading: Promise<ServedConfig | null> | null = null;
  #readingSince = 0;
  #problem = '';

  async current(options: ConfigOptions): Promise<ServedConfig> {
    const age = Date.now() - this.#readAt;
    if (this.#served && age <= options.maxAgeMs) return this.#served;
    const reading = this.#refresh(options);
    if (!this.#served || age > staleAfterMs) await withTimeout(reading, waitMs).catch(() => null);
    return this.#served ?? fallbackFor(options.production);
  }

  #refresh(options: ConfigOptions): Promise<ServedConfig | null> {
    if (this.#reading && Date.now() - this.#readingSince < abandonAfterMs) return this.#reading;
    const reading = this.#read(options).finally(() => {
      if (this.#reading === reading) this.#reading = null;
      this.#readAt = Date.now();
    });
    this.#reading = reading;
    this.#readingSince = Date.now();
    // Only the request that started the read: the runtime warns about promises shared across requests.
    options.waitUntil(reading);
    return reading;
  }

  async #read({ kv, log, production }: ConfigOptions): Promise<ServedConfig | null> {
    let version = '';
    try {
      const read = Promise.all([kv.get('config.json'), kv.get('flows.json')]);
      const [config, flows] = await withTimeout(read, readTimeoutMs, noAnswer);
      version = versionOf(config, flows);
      this.#served = serve(readDocuments(config, flows, production), true);
      this.#problem = '';
    } catch (error) {
      this.#report(error, version, log);
    }
    return this.#served;
  }

  #report(error: unknown, version: string, log: Log): void {
    const document = error instanceof InvalidDocument ? error.key : 'config.json';
    const reason = error instanceof InvalidDocument ? error.message : 'KV failed';
    const problem = [version, document, reason].join();
    if (this.#problem === problem) return;
    this.#problem = problem;
    log('error', 'config_refused', { document, reason });
  }
}
