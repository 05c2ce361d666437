/** A KV namespace with these responses, of keys that a person wrote. */
export const kvOf = (get: (key: string) => Promise<string | null>): never =>
  ({
    get,
    getWithMetadata: async (key: string) => ({ value: await get(key), metadata: null }),
  }) as never;
