import { DocumentError, type DocumentSet } from './document-set.ts';
import type { Kv } from './kv.ts';
import { type Release, readRelease } from './manifest.ts';

export class UnknownVersion extends DocumentError {
  constructor(id: string) {
    super(`There is no version ${id}; see history.`);
  }
}

export const prefixOf = (set: DocumentSet['name']) => `documents/versions/${set}/`;

/** @throws UnknownVersion; DocumentError when it cannot be read */
export async function releaseOf(
  kv: Pick<Kv, 'get'>,
  set: DocumentSet['name'],
  id: string,
): Promise<Release> {
  // KV fails on a key of more than 512 bytes.
  const text = id.length > 100 ? null : await kv.get(prefixOf(set) + id);
  if (text === null) throw new UnknownVersion(id);
  return readRelease(text, id);
}
