import { expect, test } from 'vitest';
import { resultsOf, verdictOf } from '../../../../worker/console/rules/results.ts';
import type { ArmFacts } from '../../../../worker/experiments/results-table.ts';
import { arm } from '../../../scripts/config/world.ts';

const facts = (name: string, visitors: number, purchases: number): ArmFacts => ({
  arm: name,
  visitors,
  signUps: purchases,
  purchases,
  revenue: {},
});
const half = [arm('a', 50), arm('b', 50)];

test('results: each variant is compared with the first, and the first with nothing', () => {
  const { variants } = resultsOf(half, [facts('b', 3461, 2422), facts('a', 3000, 1396)]);
  expect(variants.map(({ arm: name }) => name)).toEqual(['a', 'b']);
  expect(variants[0]?.lift).toBeNull();
  expect(variants[1]?.lift?.low).toBeCloseTo(0.40098, 5);
  expect(variants[1]?.lift?.high).toBeCloseTo(0.60675, 5);
});

test('results: more comparisons make every interval wider', () => {
  const all = [facts('a', 3000, 300), facts('b', 3000, 330), facts('c', 3000, 330)];
  const three = [arm('a', 34), arm('b', 33), arm('c', 33)];
  const width = (variants: typeof half) => {
    const lift = resultsOf(variants, all).variants[1]?.lift;
    return (lift?.high ?? 0) - (lift?.low ?? 0);
  };
  expect(width(three)).toBeGreaterThan(width(half));
});

test('results: a variant that nobody saw is there with zeros, one that was removed is not', () => {
  const { variants } = resultsOf(half, [facts('a', 10, 1), facts('gone', 5, 5)]);
  expect(variants.map(({ arm: name, visitors }) => [name, visitors])).toEqual([
    ['a', 10],
    ['b', 0],
  ]);
  expect(variants[1]?.lift).toBeNull();
});

test('results: shares that contradict the weights are a mismatch', () => {
  expect(resultsOf(half, [facts('a', 5000, 1), facts('b', 5100, 1)]).isMismatched).toBe(false);
  expect(resultsOf(half, [facts('a', 5000, 1), facts('b', 6000, 1)]).isMismatched).toBe(true);
});

test('results: more purchases than visitors count as all of them', () => {
  const { variants } = resultsOf(half, [facts('a', 10, 5), facts('b', 10, 12)]);
  expect(variants[1]?.lift?.estimate).toBe(1);
});

test.each([
  [null, 'Too early: nothing to compare yet.'],
  [{ estimate: 0.2, low: 0.1, high: 0.3 }, 'Better: between +10% and +30%.'],
  [{ estimate: -0.2, low: -0.3, high: -0.1 }, 'Worse: between -30% and -10%.'],
  [{ estimate: 0.1, low: 0, high: 0.2 }, 'Undecided: between 0% and +20%.'],
  [{ estimate: -0.1, low: -0.2, high: 0 }, 'Undecided: between -20% and 0%.'],
])('results: %j reads %s', (lift, words) => {
  expect(verdictOf(lift)).toBe(words);
});
