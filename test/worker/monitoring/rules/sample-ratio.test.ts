import { expect, test } from 'vitest';
import type { Counts } from '../../../../worker/monitoring/rules/counts.ts';
import {
  datedSplits,
  type Split,
  sampleRatioFindings,
} from '../../../../worker/monitoring/rules/sample-ratio.ts';

const now = 10_000;
const split = (weights: Record<string, number>, since = 0): Split => ({
  experiment: 'price',
  weights,
  since,
});

/** All exposures happened in the minute before `now`, or `ago` minutes before it. */
const countsOf = (arms: Record<string, number>, ago = 1): Counts => ({
  series: [],
  sum(series, from, to) {
    const [kind, experiment, arm = ''] = series.split('|');
    if (kind !== 'exposure' || experiment !== 'price') throw new Error(series);
    return from <= now - ago && now - ago < to ? (arms[arm] ?? 0) : 0;
  },
  past: () => [],
});
const found = (arms: Record<string, number>, weights: Record<string, number>) =>
  sampleRatioFindings(countsOf(arms), now, [split(weights)]);

test('sample ratio: visitors in the ratio of the weights cause no finding', () => {
  expect(found({ a: 500, b: 500 }, { a: 1, b: 1 })).toEqual([]);
  expect(found({ a: 900, b: 100 }, { a: 90, b: 10 })).toEqual([]);
  expect(found({ a: 550, b: 450 }, { a: 1, b: 1 })).toEqual([]);
});

test('sample ratio: a mismatch is found if chance explains it less than once in 500 million tests', () => {
  const two = (away: number) => found({ a: 500 + away, b: 500 - away }, { a: 1, b: 1 });
  // chi² is 37.6, then 38.4: a probability of 9·10⁻¹⁰, then 6·10⁻¹⁰.
  expect([two(97).length, two(98).length]).toEqual([0, 1]);
  const three = (away: number) =>
    found({ a: 333 + 2 * away, b: 333 - away, c: 333 - away }, { a: 1, b: 1, c: 1 });
  // chi² is 39.8, then 41.5: a probability of e⁻¹⁹·⁹, then e⁻²⁰·⁸.
  expect([three(47).length, three(48).length]).toEqual([0, 1]);
  expect(two(200)[0]?.zScore).toBeGreaterThan(two(150)[0]?.zScore ?? 0);
});

test('sample ratio: the finding names the experiment, its arms and their weights', () => {
  expect(found({ a: 300, b: 100 }, { a: 50, b: 50 })).toEqual([
    {
      kind: 'sample_ratio',
      area: 'experiment:price',
      segment: '',
      detail: 'price: a 300, b 100, of weights 50:50',
      zScore: expect.any(Number),
      since: now - 10,
    },
  ]);
});

test('sample ratio: fewer than 200 visitors, one arm, and arms of weight 0 are not judged', () => {
  expect(found({ a: 199, b: 0 }, { a: 1, b: 1 })).toEqual([]);
  expect(found({ a: 200, b: 0 }, { a: 1, b: 1 })).toHaveLength(1);
  expect(found({ a: 1000 }, { a: 1 })).toEqual([]);
  expect(found({ a: 1000, b: 0 }, { a: 1, b: 0 })).toEqual([]);
  expect(found({ a: 500, b: 500, c: 100 }, { a: 1, b: 1, c: 0 })).toEqual([]);
});

test('sample ratio: visitors who came before the weights changed do not count', () => {
  const counts = countsOf({ a: 400, b: 0 }, 100);
  const since = (minute: number) =>
    sampleRatioFindings(counts, now, [split({ a: 1, b: 1 }, minute)]);
  expect(since(now - 100)).toMatchObject([{ since: now - 100 }]);
  expect(since(now - 99)).toEqual([]);
  expect(since(0)).toMatchObject([{ since: now - 170 }]);
});

test('sample ratio: of the last ten minutes, hour and three hours, the clearest mismatch is reported', () => {
  const counts = (recent: [number, number], earlier: [number, number]): Counts => ({
    series: [],
    sum(series, from) {
      const arm = series.endsWith('|a') ? 0 : 1;
      return recent[arm] + (from < now - 60 ? earlier[arm] : 0);
    },
    past: () => [],
  });
  const sinceOf = (recent: [number, number], earlier: [number, number]) =>
    sampleRatioFindings(counts(recent, earlier), now, [split({ a: 1, b: 1 })])[0]?.since;
  expect(sinceOf([400, 100], [300, 300])).toBe(now - 10);
  expect(sinceOf([300, 300], [4000, 1000])).toBe(now - 170);
});

test('sample ratio: a split keeps its date until its weights change', () => {
  const known = [split({ a: 1, b: 1 }, 5)];
  const dated = (weights: Record<string, number>, experiment = 'price') =>
    datedSplits(known, [{ experiment, weights }], 9)[0]?.since;
  expect(dated({ a: 1, b: 1 })).toBe(5);
  expect(dated({ a: 1, b: 2 })).toBe(9);
  expect(dated({ a: 1, b: 1 }, 'other')).toBe(9);
});
