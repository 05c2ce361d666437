import { bucketsPerDoubling, positionOf } from '../../analytics/rules/buckets.ts';
import type { Finding } from './alarm-kinds.ts';
import type { Counts } from './counts.ts';

/** The 75th percentile must be this much worse; web.dev/articles/vitals uses that percentile. */
const worseBy = 1.2;
const percentile = 0.75;
const minSamples = 300;
const limit = 5;
/** Visits are clustered by device and network. */
const dispersion = 1.5;
const maxMinutes = 60;

const totalOf = (buckets: readonly number[]) => buckets.reduce((sum, count) => sum + count, 0);

function shareAbove(buckets: readonly number[], position: number): number {
  const above = buckets.reduce(
    (sum, count, at) => sum + count * Math.min(1, Math.max(0, at + 1 - position)),
    0,
  );
  return above / totalOf(buckets);
}

/** @param deployedAt minute since 1970 of the last deploy, whose samples are compared with the earlier ones */
export function vitalsFindings(counts: Counts, minute: number, deployedAt: number): Finding[] {
  const from = Math.max(deployedAt, minute - maxMinutes);
  const known = counts.series.flatMap((series) => {
    const [, metric, at] = /^vitals\|(\w+)\|(\d+)$/.exec(series) ?? [];
    return metric ? [{ metric, at: Number(at) }] : [];
  });
  return [...Map.groupBy(known, ({ metric }) => metric)].flatMap(([metric, buckets]) => {
    const length = Math.max(...buckets.map(({ at }) => at)) + 1;
    const names = Array.from({ length }, (_, at) => `vitals|${metric}|${at}`);
    const now = names.map((name) => counts.sum(name, from, minute));
    const past = names.map((name) => totalOf(counts.past(name, minute)));
    const samples = totalOf(now);
    if (samples < minSamples) return [];
    const usual = positionOf(past, percentile);
    const worse = 2 ** ((positionOf(now, percentile) - usual) / bucketsPerDoubling);
    const rest = 1 - percentile;
    const deviation = Math.sqrt((dispersion * rest * percentile) / samples);
    const zScore = (shareAbove(now, usual) - rest) / deviation;
    if (worse < worseBy || zScore < limit) return [];
    const percent = Math.round((worse - 1) * 100);
    const detail = `${metric.toUpperCase()} at the 75th percentile is ${percent} % worse than usual (${samples} samples)`;
    return [{ kind: 'vitals_worse', area: 'vitals', segment: '', detail, zScore, since: from }];
  });
}
