import type { Kv, Live, Version } from '../../documents/versioned-documents.ts';
import { type ConfigTexts, configStore } from '../../experiments/config-versions.ts';
import { formOf } from './rules/experiment-form.ts';

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
/** Visits by hour are kept for 22 days; the oldest may be in deletion. */
const hoursReachMs = 21 * dayMs;
/** Each version costs one read of KV. */
const maxVersions = 20;

const splitOf = (texts: ConfigTexts) => {
  const { experiment, variants } = formOf(texts);
  return { experiment, isTest: variants.filter(({ weight }) => weight > 0).length > 1 };
};

/**
 * The end of the live experiment's results: the end of the hour (after three weeks, of the UTC day) in which one
 * variant started to get every new visitor; ms since 1970. Null while several variants get visitors, and where no
 * version shows the change.
 * @param versions newest first
 */
export async function resultsEnd(
  kv: Kv,
  live: Live<ConfigTexts>,
  versions: readonly Version[],
  now: number,
): Promise<number | null> {
  const { experiment, isTest } = splitOf(live.documents);
  const at = versions.findIndex(({ fingerprint }) => fingerprint === live.fingerprint);
  let next = versions[at];
  if (isTest || !next) return null;
  for (const version of versions.slice(at + 1, at + 1 + maxVersions)) {
    const documents = await configStore.read(kv, version.id).catch(() => null);
    const split = documents && splitOf(documents);
    if (split?.isTest && split.experiment === experiment) {
      const end = Date.parse(next.time);
      const unit = now - end < hoursReachMs ? hourMs : dayMs;
      return Math.ceil(end / unit) * unit || null;
    }
    next = version;
  }
  return null;
}
