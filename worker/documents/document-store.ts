import { messageOf } from '../platform/log.ts';
import { DocumentError, type DocumentSet, type Documents, type Version } from './document-set.ts';
import type { CopyMetadata, Kv } from './kv.ts';
import { fingerprintOf, type Live, sha256, textsIn } from './live-documents.ts';
import {
  documentKey,
  documentsOf,
  latest,
  type Manifest,
  manifestKey,
  type Release,
  readManifest,
  type Unsold,
} from './manifest.ts';
import { prefixOf, releaseOf, UnknownVersion } from './releases.ts';

/** A write failed. The same change again finishes it. */
export class StoppedPublication extends DocumentError {}
/** The last write failed, or only its reply was lost. */
export class UncertainPublication extends StoppedPublication {}

const hashOf = (text: string) => sha256(text).slice(0, 32);

export async function readVersions(kv: Kv, set: DocumentSet): Promise<Version[]> {
  const prefix = prefixOf(set.name);
  const [listed, earlier] = [await kv.list(prefix), await set.earlierVersions(kv)];
  const versions = listed.map(({ name, metadata }) => ({
    ...(metadata as Omit<Version, 'id'>),
    id: name.slice(prefix.length),
  }));
  return [...versions, ...earlier].sort((a, b) => (a.time < b.time ? 1 : -1));
}

export const liveVersion = (versions: readonly Version[], live: Live): Version | undefined =>
  versions.find(({ id }) => id === live.version) ??
  versions.find(({ fingerprint }) => fingerprint === live.fingerprint);

/** @throws UnknownVersion; DocumentError when it cannot be read */
export async function readVersion(kv: Kv, set: DocumentSet, id: string): Promise<Documents> {
  if (id === 'built-in') return set.builtIn;
  try {
    return await documentsOf(kv, await releaseOf(kv, set.name, id));
  } catch (error) {
    const found = error instanceof UnknownVersion && (await set.readEarlier(kv, id));
    if (found) return found;
    throw error;
  }
}

/** Sorts by time: `20261122-101530-123`, UTC. */
function idAt(time: string): string {
  const [date = '', clock = ''] = time.replace('.', '-').split('T');
  return `${date.replaceAll('-', '')}-${clock.replace(/[:Z]/g, '')}`;
}

interface Author {
  who: string;
  now: Date;
  unsold?: Unsold;
  /** With a fix that reaches the holdout. */
  frozen?: Frozen | null;
}

/** The documents of the visitors in a holdout, which it names. */
export interface Frozen {
  holdout: string;
  documents: Documents;
}

export interface NewPublication {
  set: DocumentSet;
  next: Documents;
  live: Live;
  release: Release;
  frozen?: Documents;
}

const hashesOf = (documents: Documents) =>
  Object.fromEntries(textsIn(documents).map(([name, text]) => [name, hashOf(text)]));

export function newPublication(
  set: DocumentSet,
  next: Documents,
  live: Live,
  { who, now, unsold = {}, frozen }: Author,
): NewPublication {
  // Later than the live one, also when the clock was set back.
  const after = Date.parse(live.manifest[set.name]?.time ?? '') + 1 || 0;
  const time = new Date(Math.max(now.getTime(), after)).toISOString();
  const documents = hashesOf(next);
  const own = frozen && { ...frozen, documents: hashesOf(frozen.documents) };
  const kept = own ?? live.manifest[set.name]?.frozen;
  const more = {
    ...(Object.keys(unsold).length > 0 && { unsold }),
    ...(kept && { frozen: kept }),
  };
  const release = { version: idAt(time), time, who, documents, ...more };
  return { set, next, live, release, ...(frozen && { frozen: frozen.documents }) };
}

interface KvWrite {
  key: string;
  text: string;
  metadata?: object;
}

function versionWrite(set: DocumentSet, release: Release, documents: Documents): KvWrite {
  const { version, time, who } = release;
  const files = textsIn(documents).map(([name]) => name.replace(/\.json$/, ''));
  return {
    key: prefixOf(set.name) + version,
    text: JSON.stringify(release),
    metadata: { time, who, files, fingerprint: fingerprintOf(documents) },
  };
}

/**
 * Copies of the documents at the keys that a person may write, to be read there. They replace what was written by hand,
 * and a build without a manifest serves them.
 */
function copyWrites({ set, next, live, release }: NewPublication): KvWrite[] {
  const named = textsIn(next).filter(([key]) => key in set.builtIn);
  const metadata: CopyMetadata = { copyOf: release.version };
  const copies = Object.entries({ ...live.written, ...Object.fromEntries(named) });
  return copies.map(([key, text]) => ({ key, text, metadata }));
}

const manifestWrite = (manifest: Manifest): KvWrite => ({
  key: manifestKey,
  text: JSON.stringify(manifest),
});

/** Documents written by hand get a release, so that the manifest names them before their keys become copies. */
async function releaseByHand(kv: Kv, { set, live, release: { time } }: NewPublication) {
  if (!live.isByHand || !set.isServed(live.documents)) return null;
  const known = liveVersion(await readVersions(kv, set), live);
  const by = { who: known?.who ?? 'written by hand', now: new Date(Date.parse(time) - 1) };
  const { release } = newPublication(set, live.documents, live, by);
  if (!known) return { release, versions: [versionWrite(set, release, live.documents)] };
  return { release: { ...release, version: known.id }, versions: [] };
}

/** @throws DocumentError if somebody else published since `live` was read */
async function manifestNow(kv: Kv, set: DocumentSet['name'], live: Live): Promise<Manifest> {
  const current = await readManifest(kv);
  const [before, found] = [live.manifest[set], current[set]];
  if (found && found.time > (before?.time ?? '')) {
    throw new DocumentError(
      `${found.who} published version ${found.version} at ${found.time}, after you started. Nothing was published.`,
    );
  }
  return latest(current, live.manifest);
}

/**
 * Writes a version and makes it live. Until the last write, visitors get the documents that were live before.
 * @throws StoppedPublication that lists what was written and what was not; DocumentError if somebody published meanwhile
 */
export async function publishVersion(kv: Kv, publication: NewPublication): Promise<void> {
  const { set, next, live, release, frozen = {} } = publication;
  const byHand = await releaseByHand(kv, publication);
  const manifest = await manifestNow(kv, set.name, live);
  const stored = Object.values(manifest[set.name]?.documents ?? {});
  const texts = [...(byHand ? textsIn(live.documents) : []), ...textsIn(next), ...textsIn(frozen)];
  const documents = new Map(texts.map(([, text]) => [hashOf(text), text]));
  for (const hash of stored) documents.delete(hash);
  const writes: KvWrite[] = [
    ...[...documents].map(([hash, text]) => ({ key: documentKey(hash), text })),
    ...(byHand?.versions ?? []),
    versionWrite(set, release, next),
    ...(byHand ? [manifestWrite({ ...manifest, [set.name]: byHand.release })] : []),
    ...copyWrites(publication),
    manifestWrite({ ...manifest, [set.name]: release }),
  ];
  for (const [index, { key, text, metadata }] of writes.entries()) {
    try {
      await kv.put(key, text, metadata && { metadata });
    } catch (error) {
      const keys = writes.map((each) => each.key);
      const written = keys.slice(0, index).join(', ') || 'nothing';
      const Failure = index === writes.length - 1 ? UncertainPublication : StoppedPublication;
      throw new Failure(
        `${messageOf(error)}\nWritten: ${written}. Not written: ${keys.slice(index).join(', ')}.`,
      );
    }
  }
}
