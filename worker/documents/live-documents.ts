import { createHash } from 'node:crypto';
import { jsonIn } from '../platform/read-json.ts';
import type { Documents, ReadableSet, Version } from './document-set.ts';
import type { KvReader } from './kv.ts';
import { documentsOf, latest, type Manifest, readManifest } from './manifest.ts';

export function pretty(text: string): string {
  const value = jsonIn(text);
  try {
    return value === undefined ? text : JSON.stringify(value, null, 2);
  } catch (error) {
    // Thousands of nested lists, which `JSON.parse` can read, overflow the stack here.
    if (error instanceof RangeError) return text;
    throw error;
  }
}

export const textsIn = (documents: Documents): [name: string, text: string][] =>
  Object.entries(documents).flatMap(([name, text]) => (text === null ? [] : [[name, text]]));

/** Equal for documents that differ only in white space. */
export const contentOf = (documents: Documents): string =>
  JSON.stringify(
    textsIn(documents)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, text]) => [name, pretty(text)]),
  );

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

export const fingerprintOf = (documents: Documents): string =>
  sha256(contentOf(documents)).slice(0, 12);

export interface Live {
  documents: Documents;
  fingerprint: string;
  version: Version['id'] | null;
  manifest: Manifest;
  /** Texts that were written by hand, by their key, and whether they are live. */
  written: Readonly<Record<string, string>>;
  isByHand: boolean;
}

/**
 * The live documents; if they were written by hand they may be invalid.
 * @param recent releases that KV may not serve yet; their set has no documents written by hand
 */
export async function readLive(
  kv: KvReader,
  set: ReadableSet,
  recent: Manifest = {},
): Promise<Live> {
  const [found, byHand] = await Promise.all([readManifest(kv), set.writtenByHand(kv)]);
  const { written, version } = byHand;
  const manifest = latest(found, recent);
  const release = manifest[set.name];
  const published = release ? await documentsOf(kv, release) : {};
  const isByHand = Object.keys(written).length > 0 && !recent[set.name];
  const live = recent[set.name] ? published : byHand.over(published);
  return {
    documents: live,
    fingerprint: fingerprintOf(live),
    version: (isByHand ? version : release?.version) ?? null,
    manifest,
    written,
    isByHand,
  };
}
