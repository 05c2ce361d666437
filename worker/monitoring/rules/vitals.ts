import type { Finding } from './alarm-kinds.ts';
import type { Counts } from './counts.ts';

/** `web vitals 20 % worse`, of the 75th percentile, as web.dev/articles/vitals judges pages. */
const worseBy = 1.2;
const percentile = 0.75;
const leastSamples = 300;
const limit = 5;
/** Visits of one page load bunch together by device and network. */
const dispersion = 1.5;
const longestMinutes = 60;

/** Samples by the upper bound of their bucket. */
type Histogram = readonly (readonly [upTo: number, count: number])[];

const totalOf = (histogram: Histogram) => histogram.reduce((sum, [, count]) => sum + count, 0);

/** Linear within a bucket. */
export function quantileOf(histogram: Histogram, share: number): number {
  let left = share * totalOf(histogram);
  let lower = 0;
  for (const [upTo, count] of histogram) {
    if (count > 0 && left <= count) return lower + (left / count) * (upTo - lower);
    left -= count;
    lower = upTo;
  }
  return lower;
}

function shareAbove(histogram: Histogram, value: number): number {
  let above = 0;
  let lower = 0;
  for (const [upTo, count] of histogram) {
    const part = (upTo - Math.max(lower, value)) / (upTo - lower);
    above += count * Math.min(1, Math.max(0, part));
    lower = upTo;
  }
  return above / totalOf(histogram);
}

/** @param deployedAt minute since 1970 of the last deploy, from which on samples are compared */
export function vitalsFindings(counts: Counts, minute: number, deployedAt: number): Finding[] {
  const from = Math.max(deployedAt, minute - longestMinutes);
  const buckets = new Map<string, number[]>();
  for (const series of counts.series) {
    const [, metric, upTo] = /^vitals\|(\w+)\|([\d.]+)$/.exec(series) ?? [];
    if (metric) buckets.set(metric, [...(buckets.get(metric) ?? []), Number(upTo)]);
  }
  return [...buckets].flatMap(([metric, unsorted]) => {
    const bounds = unsorted.sort((a, b) => a - b);
    const name = (upTo: number) => `vitals|${metric}|${upTo}`;
    const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0);
    const now = bounds.map((upTo) => [upTo, counts.sum(name(upTo), from, minute)] as const);
    const past = bounds.map((upTo) => [upTo, sumOf(counts.past(name(upTo), minute))] as const);
    const samples = totalOf(now);
    if (samples < leastSamples || totalOf(past) === 0) return [];
    const [usual, current] = [quantileOf(past, percentile), quantileOf(now, percentile)];
    const rest = 1 - percentile;
    const deviation = Math.sqrt((dispersion * rest * percentile) / samples);
    const surprise = (shareAbove(now, usual) - rest) / deviation;
    if (current < worseBy * usual || surprise < limit) return [];
    const detail = `${metric.toUpperCase()} at the 75th percentile is ${current.toPrecision(3)}, usually ${usual.toPrecision(3)} (${samples} samples)`;
    return [{ kind: 'vitals_worse', area: 'vitals', segment: '', detail, surprise, since: from }];
  });
}
