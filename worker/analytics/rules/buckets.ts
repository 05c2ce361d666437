/** The first limit of each histogram: ms, `cls` without unit, `seconds` in seconds. */
const first = {
  lcp: 40,
  fcp: 40,
  ttfb: 10,
  inp: 8,
  tap_to_screen: 8,
  cls: 0.004,
  /** Time on a screen until Continue. */
  seconds: 0.5,
} as const;

export type Metric = keyof typeof first;
export type VitalMetric = Exclude<Metric, 'seconds'>;

export const vitalMetrics = ['lcp', 'fcp', 'inp', 'ttfb', 'cls', 'tap_to_screen'] as const;

export const bucketCount = 24;
/** Limits per doubling: a bucket is 26 % wide. */
export const bucketsPerDoubling = 3;

/** Bucket 0 is below the first limit, the last one has no upper limit. */
export function histogramBucket(metric: Metric, value: number): number {
  const bucket = Math.floor(bucketsPerDoubling * Math.log2(value / first[metric])) + 1;
  return Math.max(0, Math.min(bucketCount - 1, Number.isNaN(bucket) ? 0 : bucket));
}

const lowerLimit = (metric: Metric, bucket: number) =>
  bucket <= 0 ? 0 : first[metric] * 2 ** ((bucket - 1) / bucketsPerDoubling);

/** The position of a quantile in the buckets: 7.5 is the middle of the eighth. @param share 0.5 for the median */
export function positionOf(counts: readonly number[], share: number): number {
  let remaining = share * counts.reduce((sum, count) => sum + count, 0);
  for (const [bucket, count] of counts.entries()) {
    if (count > 0 && remaining <= count) return bucket + remaining / count;
    remaining -= count;
  }
  return counts.length;
}

/** Interpolated within the bucket. @returns null for an empty histogram */
export function quantile(metric: Metric, counts: readonly number[], share: number): number | null {
  if (counts.every((count) => count === 0)) return null;
  const position = positionOf(counts, share);
  const bucket = Math.floor(position);
  const low = lowerLimit(metric, bucket);
  return low + (lowerLimit(metric, bucket + 1) - low) * (position - bucket);
}
