import * as v from 'valibot';
import { typedKeys } from '../platform/keys.ts';
import { parsedAs } from '../platform/read-json.ts';
import { DocumentError, type Documents } from './document-set.ts';
import type { KvReader } from './kv.ts';

/** KV key of the manifest; each document is at `documents/<hash>`, each version at `documents/versions/<set>/<id>`. */
export const manifestKey = 'documents/manifest';
export const documentKey = (hash: string): string => `documents/${hash}`;

const hashes = v.record(v.string(), v.pipe(v.string(), v.regex(/^[\da-f]{32}$/)));

const release = v.object({
  version: v.string(),
  /** ISO 8601, UTC. */
  time: v.pipe(v.string(), v.isoTimestamp()),
  who: v.string(),
  documents: hashes,
  /** What the visitors in a holdout get instead of its version, with the fixes that reached them. */
  frozen: v.exactOptional(v.object({ holdout: v.string(), documents: hashes })),
  /** Plans that are offered and that a payment provider does not sell, by provider. */
  unsold: v.exactOptional(v.record(v.string(), v.array(v.string()))),
});

const documentKeys = /^documents\/[\da-f]{32}$/;
export const isDocumentKey = (key: string): boolean => documentKeys.test(key);

/** What one publication made live. It never changes. */
export type Release = v.InferOutput<typeof release>;
export type Unsold = NonNullable<Release['unsold']>;

const manifest = v.object({
  config: v.exactOptional(release),
  content: v.exactOptional(release),
});

/** The live release of each set; none where nothing was published. */
export type Manifest = v.InferOutput<typeof manifest>;

function parse<S extends v.GenericSchema>(schema: S, text: string, what: string): v.InferOutput<S> {
  const read = parsedAs(schema, text);
  if (read === undefined) throw new DocumentError(`${what} cannot be read.`);
  return read;
}

export const readRelease = (text: string, id: string): Release =>
  parse(release, text, `Version ${id}`);

/** @throws DocumentError */
export async function readManifest(kv: Pick<KvReader, 'get'>): Promise<Manifest> {
  const text = await kv.get(manifestKey);
  return text === null ? {} : parse(manifest, text, 'The manifest');
}

/** KV may serve an old manifest for a minute: the later release of each set. */
export function latest(one: Manifest, other: Manifest): Manifest {
  const merged = { ...one };
  for (const name of typedKeys(other)) {
    const [known, found] = [merged[name], other[name]];
    if (found && (!known || known.time < found.time)) merged[name] = found;
  }
  return merged;
}

/** @throws DocumentError if a document is missing, for example because it arrives after the manifest */
export async function documentsOf(
  kv: Pick<KvReader, 'get'>,
  { version, documents }: Pick<Release, 'version' | 'documents'>,
): Promise<Documents> {
  const texts = await Promise.all(
    Object.entries(documents).map(async ([name, hash]) => {
      const text = await kv.get(documentKey(hash));
      if (text === null) throw new DocumentError(`Version ${version} lacks ${name}.`);
      return [name, text] as const;
    }),
  );
  return Object.fromEntries(texts);
}
