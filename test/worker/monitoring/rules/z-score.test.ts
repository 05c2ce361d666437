import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Counts } from '../../../../worker/monitoring/rules/counts.ts';
import {
  countObserved,
  shareObserved,
  zScoreOf,
} from '../../../../worker/monitoring/rules/z-score.ts';

/** Series with a constant count per minute from some minute on, and with one rate per past week. */
type Series = Record<string, { perMinute: (minute: number) => number; past?: number[] }>;

const countsOf = (series: Series): Counts => ({
  series: Object.keys(series),
  sum(name, from, to) {
    let sum = 0;
    for (let minute = from; minute < to; minute += 1) sum += series[name]?.perMinute(minute) ?? 0;
    return sum;
  },
  past: (name) => series[name]?.past ?? [],
});
const steady = (perMinute: number, past?: number[]) => ({
  perMinute: () => perMinute,
  ...(past && { past }),
});
const now = 10_000;
/** From `minutes` ago on another count. */
const since = (minutes: number, before: number, after: number, past?: number[]) => ({
  perMinute: (minute: number) => (minute < now - minutes ? before : after),
  ...(past && { past }),
});
const ratio = { part: 'part', whole: 'whole', lagMinutes: 0 };

test('z-score: an expected count scores zero, a lower count is negative, a higher count positive', () => {
  fc.assert(
    fc.property(fc.nat(2000), fc.integer({ min: 1, max: 2000 }), (count, expected) => {
      expect(Math.sign(zScoreOf(count, expected))).toBe(Math.sign(count - expected));
      expect(Math.abs(zScoreOf(count, expected, 0.2))).toBeLessThanOrEqual(
        Math.abs(zScoreOf(count, expected, 0.1)),
      );
    }),
  );
});

test('z-score: equals the root of the likelihood ratio, divided by the spread of real traffic', () => {
  // 2·(0 − (0 − 26)) = 52, of a variance of 1.3: the root of 40.
  expect(zScoreOf(0, 26, 0)).toBeCloseTo(-Math.sqrt(40), 6);
  // 2·(20·ln 2 − 10) = 7.7259, of a variance of 1.3 + 10·0.1².
  expect(zScoreOf(20, 10, 0.1)).toBeCloseTo(Math.sqrt(7.725887 / 1.4), 6);
});

test('z-score: a share as in past weeks is expected, also when half as many come', () => {
  const counts = countsOf({ part: steady(5, [10, 10]), whole: steady(50, [100, 100]) });
  const found = shareObserved(counts, ratio, now, 'drop');
  expect(found).toMatchObject({ zScore: 0 });
  expect(found?.count).toBe(found?.expected);
});

test('z-score: the window with the clearest drop is taken', () => {
  const whole = steady(100, [100, 100, 100]);
  const sudden = countsOf({ part: since(5, 20, 0, [20, 20, 20]), whole });
  expect(shareObserved(sudden, ratio, now, 'drop')).toMatchObject({
    ...{ windowMinutes: 5, count: 0, of: 500, expected: 100 },
    zScore: zScoreOf(0, 100),
  });
  const slight = countsOf({ part: since(60, 2, 1, [2, 2, 2]), whole });
  expect(shareObserved(slight, ratio, now, 'drop')?.windowMinutes).toBe(60);
});

test('z-score: the median of past weeks is compared, not last week’s fault', () => {
  const counts = countsOf({
    part: steady(20, [0, 20, 20]),
    whole: steady(100, [100, 100, 100]),
  });
  expect(shareObserved(counts, ratio, now, 'drop')?.zScore).toBe(0);
});

test('z-score: a share that differs by 30 % from week to week needs a greater drop', () => {
  const whole = steady(100, [100, 100, 100]);
  const drop = (past: number[]) =>
    shareObserved(countsOf({ part: steady(14, past), whole }), ratio, now, 'drop')?.zScore ?? 0;
  expect(drop([20, 20, 20])).toBeLessThan(drop([14, 20, 26]));
});

test('z-score: without past weeks the hours before are compared, with twice the drift', () => {
  const counts = countsOf({ part: since(60, 10, 5), whole: steady(100) });
  const found = shareObserved(counts, ratio, now, 'drop');
  expect(found?.expected).toBe(10 * (found?.windowMinutes ?? 0));
  expect(found?.zScore).toBe(zScoreOf(found?.count ?? 0, found?.expected ?? 0, 0.14));
  expect(shareObserved(countsOf({ part: steady(10) }), ratio, now, 'drop')).toBeUndefined();
});

test('z-score: a single earlier visitor is enough to compare with, none is not', () => {
  const earlier = (minutesAgo: number) => {
    const once = { perMinute: (minute: number) => Number(minute === now - minutesAgo) };
    return shareObserved(countsOf({ part: once, whole: once }), ratio, now, 'drop');
  };
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 300 }), (minutesAgo) => {
      expect(earlier(minutesAgo) !== undefined).toBe(minutesAgo > 65 && minutesAgo <= 180);
    }),
  );
});

test('z-score: a case that never occurred before is compared with half a case', () => {
  const counts = countsOf({ part: since(5, 0, 1, [0, 0]), whole: steady(100, [100, 100]) });
  expect(shareObserved(counts, ratio, now, 'rise')).toMatchObject({
    ...{ windowMinutes: 5, count: 5, expected: 0.5 },
    zScore: zScoreOf(5, 0.5),
  });
});

test('z-score: a wave of visitors who have not reached the step yet is no drop', () => {
  const counts = countsOf({
    part: steady(10, [10, 10]),
    whole: since(10, 100, 300, [100, 100]),
  });
  expect(shareObserved(counts, ratio, now, 'drop')?.zScore).toBeLessThan(-3);
  expect(shareObserved(counts, { ...ratio, lagMinutes: 30 }, now, 'drop')?.zScore).toBe(0);
});

test('z-score: several webhooks per payment vary with the number of payments', () => {
  const counts = countsOf({ part: steady(2, [4, 4]), whole: steady(1, [1, 1]) });
  const found = shareObserved(counts, ratio, now, 'drop');
  const { count = 0, expected = 0, of = 0 } = found ?? {};
  expect(expected).toBe(4 * of);
  expect(found?.zScore).toBe(zScoreOf(count, expected, Math.hypot(0.07, of ** -0.5)));
  // One per payment does not.
  const single = countsOf({ part: steady(0.5, [1, 1]), whole: steady(1, [1, 1]) });
  const one = shareObserved(single, ratio, now, 'drop');
  expect(one?.zScore).toBe(zScoreOf(one?.count ?? 0, one?.expected ?? 0, 0.07));
});

test('z-score: a single payment without its webhooks is no clear drop', () => {
  const once = { perMinute: (minute: number) => Number(minute === now - 1), past: [1, 1] };
  const counts = countsOf({ part: steady(0, [4, 4]), whole: once });
  const found = shareObserved(counts, ratio, now, 'drop');
  expect(found).toMatchObject({ of: 1, expected: 4, zScore: zScoreOf(0, 4, Math.hypot(0.07, 1)) });
});

test('z-score: where no visitor came before the window, none is expected in it, however few are usual', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-4, max: 50, noNaN: true }), (usual) => {
      const found = countObserved(countsOf({ visits: steady(0, [usual, usual]) }), 'visits', now);
      expect(found?.zScore).toBeCloseTo(0, 6);
    }),
  );
});

test('z-score: the level of today is that of the hours before the window, compared with the same hours', () => {
  // Usually the traffic halves in the middle of these hours.
  const usual = (minute: number) => (minute < now - 90 ? 200 : 100);
  const counts: Counts = {
    ...countsOf({ visits: { perMinute: (minute) => (minute < now - 30 ? 100 : 50) } }),
    past: (_, minute) => [usual(minute), usual(minute)],
  };
  const found = countObserved(counts, 'visits', now);
  expect(found?.expected).toBe(100 * (found?.windowMinutes ?? 0));
  expect(found?.zScore).toBeLessThan(-2);
});

test('z-score: visitors are compared with past weeks at the level of today', () => {
  const halfDay = countsOf({ visits: steady(50, [100, 100, 100]) });
  expect(countObserved(halfDay, 'visits', now)).toMatchObject({ zScore: 0 });
  const busier = countsOf({ visits: since(30, 300, 0, [100, 100, 100]) });
  const most = countObserved(busier, 'visits', now);
  expect(most?.expected).toBe(100 * (most?.windowMinutes ?? 0));
  const none = countsOf({ visits: since(30, 100, 0, [100, 100, 100]) });
  const found = countObserved(none, 'visits', now);
  expect(found).toMatchObject({ count: 0, expected: 100 * (found?.windowMinutes ?? 0) });
  expect(found?.zScore).toBeCloseTo(zScoreOf(0, found?.expected ?? 0, 0.21), 9);
  // More visitors than usual before do not raise the expected level.
  const busy = countsOf({ visits: since(30, 300, 100, [100, 100, 100]) });
  expect(countObserved(busy, 'visits', now)).toMatchObject({ zScore: 0 });
  expect(countObserved(countsOf({}), 'visits', now)).toBeUndefined();
});

test('z-score: grows with distance and volume, and is low for zero where few were expected', () => {
  expect(zScoreOf(50, 50)).toBeCloseTo(0);
  expect(zScoreOf(0, 4)).toBeGreaterThan(-3);
  fc.assert(
    fc.property(
      fc.double({ min: 0.5, max: 1e6, noNaN: true }),
      fc.double({ min: 0, max: 0.9, noNaN: true }),
      (expected, share) => {
        expect(zScoreOf(expected * share, expected)).toBeLessThanOrEqual(0);
        expect(zScoreOf(expected * (2 - share), expected)).toBeGreaterThanOrEqual(0);
      },
    ),
  );
});
