import type { SyncKvStorage } from '@cloudflare/workers-types';

/** An object's storage in memory, which tests can read. */
export function memoryKv() {
  const kept = new Map<string, unknown>();
  const kv = {
    get: (key: string) => structuredClone(kept.get(key)),
    put: (key: string, value: unknown) => void kept.set(key, structuredClone(value)),
    delete: (key: string) => kept.delete(key),
    list: ({ prefix = '' }: { prefix?: string } = {}) =>
      [...kept].filter(([key]) => key.startsWith(prefix)).sort(),
  };
  return { kv: kv as unknown as SyncKvStorage, kept };
}
