import type { Documents, Version } from '../../documents/document-set.ts';
import { liveVersion, readVersion } from '../../documents/document-store.ts';
import type { Kv } from '../../documents/kv.ts';
import type { Live } from '../../documents/live-documents.ts';
import { configSet } from '../../experiments/config-set.ts';
import type { Variant } from '../../experiments/rules/split.ts';
import { formOf } from './rules/experiment-form.ts';
import { wholeEnd } from './rules/whole-end.ts';

/** Each version costs one read of KV. */
const maxVersions = 20;

const splitOf = (texts: Documents) => {
  const { experiment, variants } = formOf(texts);
  return { experiment, variants, isTest: variants.filter(({ weight }) => weight > 0).length > 1 };
};

export interface ResultsEnd {
  /** Ms since 1970. */
  at: number;
  /** The split until then. */
  variants: readonly Variant[];
}

/**
 * The end of the live experiment's results: the start of the hour (after three weeks, of the UTC day) in which one
 * variant started to get every new visitor, so that none of those is compared. Null while several variants get visitors, and where no
 * version shows the change.
 * @param versions newest first
 */
export async function resultsEnd(
  kv: Kv,
  live: Live,
  versions: readonly Version[],
  now: number,
): Promise<ResultsEnd | null> {
  const { experiment, isTest } = splitOf(live.documents);
  const known = liveVersion(versions, live);
  let next = known ?? versions[0];
  if (isTest || !next) return null;
  const at = known ? versions.indexOf(known) + 1 : 0;
  for (const version of versions.slice(at, at + maxVersions)) {
    const documents = await readVersion(kv, configSet, version.id).catch(() => null);
    const split = documents && splitOf(documents);
    if (split?.isTest && split.experiment === experiment) {
      // Ended by hand, at an unknown time.
      if (version === next) return null;
      const end = Date.parse(next.time);
      return end > 0 ? { at: wholeEnd(end, now), variants: split.variants } : null;
    }
    next = version;
  }
  return null;
}
