import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  bucketCount,
  histogramBucket,
  positionOf,
  quantile,
  vitalMetrics,
} from '../../../../worker/analytics/rules/buckets.ts';

const histogram = (metric: 'lcp' | 'cls', values: number[]) => {
  const counts = Array.from({ length: bucketCount }, () => 0);
  for (const value of values)
    counts[histogramBucket(metric, value)] = (counts[histogramBucket(metric, value)] ?? 0) + 1;
  return counts;
};

test('buckets: three per doubling; the first lies below the metric’s first limit, the last has no upper bound', () => {
  expect([0, 39, 40, 50, 51, 79, 80, 81, 160, 1e9].map((ms) => histogramBucket('lcp', ms))).toEqual(
    [0, 0, 1, 1, 2, 3, 4, 4, 7, 23],
  );
  expect([0.003, 0.004, 0.1].map((shift) => histogramBucket('cls', shift))).toEqual([0, 1, 14]);
  expect(
    [Number.NaN, -1, Number.POSITIVE_INFINITY].map((ms) => histogramBucket('inp', ms)),
  ).toEqual([0, 0, 23]);
});

test.each([
  ['lcp', 40],
  ['fcp', 40],
  ['ttfb', 10],
  ['inp', 8],
  ['tap_to_screen', 8],
  ['cls', 0.004],
  ['seconds', 0.5],
] as const)('buckets: the stored buckets of %s stay those from %d on', (metric, limit) => {
  expect([0.99, 1, 2].map((times) => histogramBucket(metric, times * limit))).toEqual([0, 1, 4]);
});

test('histogram buckets: a larger value is never in a smaller bucket', () => {
  const value = fc.double({ min: 0, max: 1e6, noNaN: true });
  fc.assert(
    fc.property(fc.constantFrom(...vitalMetrics), value, value, (metric, a, b) => {
      expect(histogramBucket(metric, Math.max(a, b))).toBeGreaterThanOrEqual(
        histogramBucket(metric, Math.min(a, b)),
      );
    }),
  );
});

test('buckets: a quantile is at most a bucket away from the true one', () => {
  // Values below the first or above the last limit cannot be distinguished.
  const values = fc.array(fc.double({ min: 41, max: 6000, noNaN: true }), { minLength: 1 });
  fc.assert(
    fc.property(values, fc.constantFrom(0.5, 0.75), (all, share) => {
      const sorted = all.toSorted((a, b) => a - b);
      const exact = sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
      const estimate = quantile('lcp', histogram('lcp', all), share) ?? 0;
      expect(Math.abs(Math.log2(estimate / exact))).toBeLessThan(1 / 3 + 1e-9);
    }),
  );
});

test('buckets: a quantile is interpolated within its bucket', () => {
  // 80 to 101 ms: the fourth bucket.
  const counts = histogram('lcp', [90, 90, 90, 90]);
  const [low, high] = [80, 80 * 2 ** (1 / 3)];
  expect(quantile('lcp', counts, 0.5)).toBeCloseTo((low + high) / 2);
  expect(quantile('lcp', counts, 1)).toBeCloseTo(high);
  expect(quantile('lcp', histogram('lcp', [1, 1]), 0.5)).toBeCloseTo(20);
  expect(quantile('lcp', histogram('lcp', []), 0.5)).toBeNull();
  expect([0.5, 0.75].map((share) => positionOf([0, 10, 10], share))).toEqual([2, 2.5]);
});
