import type { KVNamespace } from '@cloudflare/workers-types';

/** The message is one sentence for the person who publishes. */
export class DocumentError extends Error {}

export class UnknownVersion extends DocumentError {
  constructor(id: string) {
    super(`There is no version ${id}; see history.`);
  }
}

interface ListedKey {
  name: string;
  metadata?: unknown;
}

/** KV, as the Worker or a command reaches it. */
export interface Kv {
  get(key: string): Promise<string | null>;
  /** @param options `seconds`: lifetime, at least 60; unlimited when left out */
  put(key: string, text: string, options?: { metadata?: object; seconds?: number }): Promise<void>;
  list(prefix: string): Promise<ListedKey[]>;
}

export const namespaceKv = (namespace: KVNamespace): Kv => ({
  get: (key) => namespace.get(key),
  put: (key, text, { metadata, seconds } = {}) =>
    namespace.put(key, text, {
      ...(metadata && { metadata }),
      ...(seconds && { expirationTtl: seconds }),
    }),
  async list(prefix) {
    const keys: ListedKey[] = [];
    for (let cursor: string | null = null; ; ) {
      const page: Awaited<ReturnType<KVNamespace['list']>> = await namespace.list({
        prefix,
        cursor,
      });
      keys.push(...page.keys);
      if (page.list_complete) return keys;
      cursor = page.cursor;
    }
  },
});

/** Texts by file name, such as `flows.json`; null for a document that does not exist. */
export type Documents = Readonly<Record<string, string | null>>;

export interface Version {
  id: string;
  /** ISO 8601, UTC. */
  time: string;
  who: string;
  /** Identifies the content; the newest version with the fingerprint of the live documents is live. */
  fingerprint: string;
  files?: string[];
}

export interface Live<D extends Documents> {
  documents: D;
  fingerprint: string;
}

interface KvWrite {
  key: string;
  text: string;
  metadata?: object;
}

export interface DocumentStore<D extends Documents> {
  kind: 'config' | 'content';
  fingerprintOf(documents: D, id: Version['id']): string;
  live(kv: Kv): Promise<Live<D>>;
  /** Newest first. */
  versions(kv: Kv): Promise<Version[]>;
  /** @throws UnknownVersion; DocumentError when it cannot be read */
  read(kv: Kv, id: string): Promise<D>;
  /** One line each. Documents with an error would not be served. */
  problems(documents: D): { errors: string[]; warnings: string[] };
  /** Whether visitors get these documents, or an earlier version because these are invalid. */
  isServed(documents: D): boolean;
  /** What changes for visitors, one line each. */
  differences(before: D, after: D): string[];
  nextId(now: Date, live: Live<D>): string;
  /** In the order in which they must be written. */
  writes(version: Pick<Version, 'id' | 'time' | 'who'>, next: D, live: D): KvWrite[];
  /** How soon a change is live in local development. */
  localDelay: string;
}

export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Equal for documents that differ only in white space. */
export const contentOf = (documents: Documents): string =>
  JSON.stringify(
    Object.entries(documents)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, text]) => [name, text === null ? null : pretty(text)]),
  );

/** Writes a version and makes it live. @throws DocumentError that lists what was written and what was not */
export async function writeVersion<D extends Documents>(
  store: DocumentStore<D>,
  next: D,
  live: Live<D>,
  { kv, who, now }: { kv: Kv; who: string; now: Date },
): Promise<Version['id']> {
  const version = { id: store.nextId(now, live), time: now.toISOString(), who };
  const writes = store.writes(version, next, live.documents);
  for (const [index, { key, text, metadata }] of writes.entries()) {
    try {
      await kv.put(key, text, metadata && { metadata });
    } catch (error) {
      const keys = writes.map((each) => each.key);
      const written = keys.slice(0, index).join(', ') || 'nothing';
      throw new DocumentError(
        `${(error as Error).message}\nWritten: ${written}. Not written: ${keys.slice(index).join(', ')}.`,
      );
    }
  }
  return version.id;
}
