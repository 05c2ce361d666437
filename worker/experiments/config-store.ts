import { baked } from 'virtual:client';
import type { KVNamespace } from '@cloudflare/workers-types';
import type { Log } from '../log.ts';
import {
  builtInDocuments,
  type Configuration,
  type DocumentKey,
  InvalidDocument,
  readDocuments,
  versionOf,
} from './rules/config-documents.ts';
import { publicConfig } from './rules/public-config.ts';

export interface ServedConfig {
  configuration: Configuration;
  /** What anyone may read of it, as JSON. */
  published: Record<DocumentKey, string>;
  /** Whether it was read from KV; what is not must assign nobody to an arm. */
  live: boolean;
}

export interface ConfigOptions {
  kv: KVNamespace;
  log: Log;
  /** Keeps the isolate alive until the promise settles. */
  waitUntil: (promise: Promise<unknown>) => void;
  /** Age in ms after which a copy is read again. */
  maxAgeMs: number;
  /** Whether flows for tests are refused. */
  production: boolean;
}

/** How long, in ms, a cold isolate may wait for KV, and how long a read may take at all. */
const coldWait = 150;
const readLimit = 10_000;
/** After how long, in ms, a read is given up for lost. */
const lostAfter = 60_000;

const own = baked ?? builtInDocuments;
const fallbacks = new Map<boolean, ServedConfig>();

/** What serves before anything was read from KV. */
function fallbackFor(production: boolean): ServedConfig {
  const known = fallbacks.get(production);
  if (known) return known;
  const configuration = readDocuments(own['config.json'], own['flows.json'], production);
  const served = serve(configuration, false);
  fallbacks.set(production, served);
  return served;
}

function serve(configuration: Configuration, live: boolean): ServedConfig {
  return { configuration, live, published: publicConfig(configuration) };
}

/** What comes within so many ms, else null. */
async function within<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ms, null);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    // An isolate may hold 10,000 timers.
    clearTimeout(timer);
  }
}

/** The configuration in this isolate's memory: one pair, replaced by the next good one. */
export class ConfigStore {
  #served: ServedConfig | null = null;
  #readAt = 0;
  #reading: Promise<ServedConfig | null> | null = null;
  #since = 0;
  #problem = '';

  /** The last good pair, at once when there is one; a first visitor waits at most 150 ms for KV. */
  async current(options: ConfigOptions): Promise<ServedConfig> {
    if (this.#served) {
      if (Date.now() - this.#readAt > options.maxAgeMs) this.#refresh(options);
      return this.#served;
    }
    return (await within(this.#refresh(options), coldWait)) ?? fallbackFor(options.production);
  }

  #refresh(options: ConfigOptions): Promise<ServedConfig | null> {
    // One whose request was ended by the platform never settles.
    if (this.#reading && Date.now() - this.#since < lostAfter) return this.#reading;
    const reading = this.#read(options).finally(() => {
      if (this.#reading === reading) this.#reading = null;
      this.#readAt = Date.now();
    });
    this.#reading = reading;
    this.#since = Date.now();
    // Only the request that began it: a promise of another one's is dear, and warned of.
    options.waitUntil(reading);
    return reading;
  }

  async #read({ kv, log, production }: ConfigOptions): Promise<ServedConfig | null> {
    let version = '';
    try {
      const read = Promise.all([kv.get('config.json'), kv.get('flows.json')]);
      const texts = await within(read, readLimit);
      if (!texts) throw new InvalidDocument('config.json', 'KV did not answer');
      const [config, flows] = texts;
      version = versionOf(config, flows);
      this.#served = serve(readDocuments(config, flows, production), true);
      this.#problem = '';
    } catch (error) {
      this.#report(error, version, log);
    }
    return this.#served;
  }

  /** One line a bad pair, not one a read. */
  #report(error: unknown, version: string, log: Log): void {
    const key = error instanceof InvalidDocument ? error.key : 'config.json';
    const reason = error instanceof InvalidDocument ? error.message : 'KV failed';
    const problem = [version, key, reason].join();
    if (this.#problem === problem) return;
    this.#problem = problem;
    log('error', 'config_refused', { key, reason });
  }
}
