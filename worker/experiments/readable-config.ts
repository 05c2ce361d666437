import type { ReadableSet } from '../documents/document-set.ts';
import { typedKeys } from '../platform/keys.ts';
import { builtInDocuments } from './rules/config-documents.ts';
import { kinds } from './rules/config-kinds.ts';
import type { DocumentKey } from './rules/config-schema.ts';

/** The file of each kind: `config.json`, `flows.json`. Each may be written by hand, in a key of this name. */
export const documentKeys: readonly DocumentKey[] = typedKeys(builtInDocuments);

const missing = Object.fromEntries(
  typedKeys(kinds).flatMap((name) => (kinds[name].isRequired ? [[`${name}.json`, null]] : [])),
);

export const readableConfig: ReadableSet = {
  name: 'config',
  async writtenByHand(kv) {
    const read = await Promise.all(
      documentKeys.map(async (key) => [key, await kv.getWrittenByHand(key)] as const),
    );
    const written = Object.fromEntries(
      read.flatMap(([key, text]) => (text === null ? [] : [[key, text]])),
    );
    return { written, over: (published) => ({ ...missing, ...published, ...written }) };
  },
};
