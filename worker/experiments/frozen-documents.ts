import type { DocumentSet } from '../documents/document-set.ts';
import type { KvReader } from '../documents/kv.ts';
import type { Manifest, Release } from '../documents/manifest.ts';
import { releaseOf } from '../documents/releases.ts';
import type { Holdout } from './rules/experiments-schema.ts';
import { holdoutName } from './rules/holdout.ts';

type Frozen = Pick<Release, 'version' | 'documents' | 'unsold'>;

/**
 * What the visitors in a holdout get: its version, with the fixes that reached them. Without published texts an empty one.
 * @throws DocumentError when it cannot be read
 */
export async function frozenRelease(
  kv: Pick<KvReader, 'get'>,
  set: DocumentSet['name'],
  holdout: Holdout,
  manifest: Manifest,
): Promise<Frozen> {
  const version = set === 'config' ? holdout.version : holdout.texts;
  const release: Frozen =
    version === undefined ? { version: '', documents: {} } : await releaseOf(kv, set, version);
  const fixed = manifest[set]?.frozen;
  return fixed?.holdout === holdoutName(holdout)
    ? { ...release, documents: fixed.documents }
    : release;
}
