import { expect, test } from 'vitest';
import {
  daysNeeded,
  visitorsForMean,
  visitorsNeeded,
} from '../../../../worker/experiments/rules/sample-size.ts';

// R: power.prop.test(p1 = 0.2, p2 = 0.25, power = 0.8) gives n = 1093.739, p1 = 0.03, p2 = 0.033 gives 53210.
test.each([
  [0.2, 0.25, 1094],
  [0.5, 0.5, 58],
])('sample size: %d with a lift of %d needs %d visitors per variant', (share, lift, needed) => {
  expect(visitorsNeeded(share, lift)).toBe(needed);
});

test('sample size: more comparisons and smaller lifts need more visitors', () => {
  expect(visitorsNeeded(0.2, 0.25, 3)).toBeGreaterThan(visitorsNeeded(0.2, 0.25, 1));
  expect(visitorsNeeded(0.2, 0.1)).toBeGreaterThan(visitorsNeeded(0.2, 0.25));
  expect(visitorsNeeded(0.2, -0.25)).toBeLessThan(visitorsNeeded(0.2, 0.25));
});

test.each([
  [0, 0.1],
  [0.2, 0],
  [0.6, 1],
  [0.5, 1],
  [0.2, -1.5],
  [Number.NaN, 0.1],
])('sample size: a share of %d and a lift of %d cannot be tested', (share, lift) => {
  expect(visitorsNeeded(share, lift)).toBe(Number.POSITIVE_INFINITY);
});

test('sample size: the variant with the smallest share determines the duration', () => {
  expect(daysNeeded(1000, 500, [90, 10])).toBe(20);
  expect(daysNeeded(1000, 500, [50, 50, 0])).toBe(4);
  expect(daysNeeded(1000, 0, [50, 50])).toBe(Number.POSITIVE_INFINITY);
  expect(daysNeeded(1000, 500, [])).toBe(Number.POSITIVE_INFINITY);
});

// Van Belle's rule: 16 times the variance by the squared difference; exactly 2 × (1.96 + 0.8416)².
test.each([
  [{ mean: 10, variance: 100 }, 0.1, 1570],
  [{ mean: 10, variance: 100 }, -0.2, 393],
  [{ mean: 0, variance: 100 }, 0.1, Number.POSITIVE_INFINITY],
  [{ mean: 10, variance: 0 }, 0.1, Number.POSITIVE_INFINITY],
])(
  'sample size: the mean of %j with a lift of %d needs %d visitors per variant',
  (sample, lift, needed) => {
    expect(visitorsForMean(sample, lift)).toBe(needed);
    expect(visitorsForMean(sample, lift, 3)).toBeGreaterThanOrEqual(needed);
  },
);
