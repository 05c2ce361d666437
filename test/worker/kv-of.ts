import { manifestKey, type Unsold } from '../../worker/documents/manifest.ts';
import { builtInDocuments } from '../../worker/experiments/rules/config-documents.ts';

/** A KV namespace with these responses, of keys that a person wrote. */
export const kvOf = (get: (key: string) => Promise<string | null>): never =>
  ({
    get,
    getWithMetadata: async (key: string) => ({ value: await get(key), metadata: null }),
  }) as never;

/** Bindings with the built-in documents, of which providers do not sell these plans. */
export function withUnsold(unsold: Unsold) {
  const time = '2026-11-30T09:00:00.000Z';
  const config = { version: '20261130-090000-000', time, who: 'ann', documents: {}, unsold };
  const documents: Record<string, string> = {
    ...builtInDocuments,
    [manifestKey]: JSON.stringify({ config }),
  };
  return { FUNNEL: kvOf(async (key) => documents[key] ?? null), CONFIG_CACHE_SECONDS: '-1' };
}
