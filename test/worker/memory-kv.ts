import type { SyncKvStorage } from '@cloudflare/workers-types';

/** An object's storage in memory, which tests can read. */
export function memoryKv() {
  const values = new Map<string, unknown>();
  const kv = {
    get: (key: string) => structuredClone(values.get(key)),
    put: (key: string, value: unknown) => void values.set(key, structuredClone(value)),
    delete: (key: string) => values.delete(key),
    list: ({ prefix = '' }: { prefix?: string } = {}) =>
      [...values].filter(([key]) => key.startsWith(prefix)).sort(),
  };
  return { kv: kv as unknown as SyncKvStorage, values };
}
