import type { KVNamespace } from '@cloudflare/workers-types';

interface ListedKey {
  name: string;
  metadata?: unknown;
}

/** KV, as the Worker or a command reaches it. */
export interface Kv {
  get(key: string): Promise<string | null>;
  /** @returns null for a key that a publication wrote, too */
  getWrittenByHand(key: string): Promise<string | null>;
  /** @param options `seconds`: lifetime, at least 60; unlimited when left out */
  put(key: string, text: string, options?: { metadata?: object; seconds?: number }): Promise<void>;
  list(prefix: string): Promise<ListedKey[]>;
}

/** A publication writes it with each copy of a live document. A person writes keys without metadata. */
export interface CopyMetadata {
  copyOf: string;
}

export const isCopy = (metadata: unknown): metadata is CopyMetadata =>
  typeof metadata === 'object' && metadata !== null && 'copyOf' in metadata;

export type KvReader = Pick<Kv, 'get' | 'getWrittenByHand'>;

export const kvReader = (namespace: Pick<KVNamespace, 'get' | 'getWithMetadata'>): KvReader => ({
  get: (key) => namespace.get(key),
  async getWrittenByHand(key) {
    const { value, metadata } = await namespace.getWithMetadata(key);
    return isCopy(metadata) ? null : value;
  },
});

export const namespaceKv = (namespace: KVNamespace): Kv => ({
  ...kvReader(namespace),
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
