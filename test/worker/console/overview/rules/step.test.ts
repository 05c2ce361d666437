import { expect, test } from 'vitest';
import {
  bucketCount,
  histogramBucket,
  type VitalMetric,
} from '../../../../../worker/analytics/rules/buckets.ts';
import {
  rowsBy,
  visitsWith,
  vitalRows,
} from '../../../../../worker/console/overview/rules/step.ts';

const value = (dimension: 'country' | 'device', name: string, step: string, visits: number) => ({
  dimension,
  value: name,
  step,
  visits,
});

const values = [
  value('country', 'DE', 'screen__load', 10),
  value('country', 'US', 'screen__load', 30),
  value('country', 'US', 'button__continue', 12),
  value('country', 'FR', 'input_refused', 4),
  value('device', 'phone', 'input_refused', 5),
  value('device', 'tablet', 'input_refused', 1),
  value('device', 'phone', 'screen__load', 40),
];

test('step: arrivals and continuations by country, the most visited first', () => {
  const single = value('country', 'FR', 'button__continue', 1);
  expect(rowsBy('country', [single])).toEqual([{ value: 'FR', arrived: 0, continued: 1 }]);
  expect(rowsBy('country', values)).toEqual([
    { value: 'US', arrived: 30, continued: 12 },
    { value: 'DE', arrived: 10, continued: 0 },
  ]);
});

test('step: places with as many arrivals are in the order of their names', () => {
  const tied = ['US', 'DE', 'FR'].map((name) => value('country', name, 'screen__load', 5));
  expect(rowsBy('country', tied).map((row) => row.value)).toEqual(['DE', 'FR', 'US']);
});

test('step: a visit counts once, by its device', () =>
  expect(visitsWith('input_refused', values)).toBe(6));

/** A hundred visits whose value is between the limits of one bucket. */
function visitsAt(metric: VitalMetric, at: number) {
  const counts = Array.from({ length: bucketCount }, () => 0);
  counts[histogramBucket(metric, at)] = 100;
  return { metric, counts };
}

test.each([
  ['lcp', 1500, 'good'],
  ['lcp', 3000, 'needs improvement'],
  ['lcp', 4500, 'poor'],
  ['inp', 100, 'good'],
  ['inp', 300, 'needs improvement'],
  ['inp', 900, 'poor'],
  ['ttfb', 700, 'good'],
  ['ttfb', 1200, 'needs improvement'],
  ['ttfb', 2500, 'poor'],
  ['fcp', 900, 'good'],
  ['fcp', 2400, 'needs improvement'],
  ['fcp', 3700, 'poor'],
  ['cls', 0.05, 'good'],
  ['cls', 0.15, 'needs improvement'],
  ['cls', 0.35, 'poor'],
  ['tap_to_screen', 350, 'needs improvement'],
  ['tap_to_screen', 900, 'poor'],
] as const)('step: %s of %d is %s', (metric, at, verdict) => {
  expect(vitalRows([visitsAt(metric, at)])).toMatchObject([{ count: 100, verdict }]);
});

test('step: a metric that no visit reported has no row', () =>
  expect(vitalRows([{ metric: 'lcp', counts: [] }])).toEqual([]));

test('step: layout shift is displayed with two decimals, a time in milliseconds or seconds', () => {
  const shown = (
    [
      ['cls', 0.1],
      ['inp', 150],
      ['lcp', 1500],
    ] as const
  ).map(([metric, value]) => vitalRows([visitsAt(metric, value)])[0]?.p75);
  expect(shown).toEqual([
    expect.stringMatching(/^0\.\d\d$/),
    expect.stringMatching(/^\d+ ms$/),
    expect.stringMatching(/^1\.\d s$/),
  ]);
});
