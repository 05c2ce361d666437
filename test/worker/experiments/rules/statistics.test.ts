import { describe, expect, test } from 'vitest';
import { fitsWeights, sameShare, wilson } from '../../../../worker/experiments/rules/statistics.ts';

// The expected values are those of R: prop.test(..., correct = FALSE) and chisq.test.

describe('statistics', () => {
  test('Wilson: 10 of 100 is between 5.5 % and 17.4 %', () => {
    const [low, high] = wilson({ successes: 10, trials: 100 });
    expect(low).toBeCloseTo(0.05523, 4);
    expect(high).toBeCloseTo(0.17437, 4);
  });

  test('Wilson: nothing of nothing may be anything', () => {
    expect(wilson({ successes: 0, trials: 0 })).toEqual([0, 1]);
  });

  test('10 of 100 and 20 of 100 differ with p = 0.048, in either order', () => {
    const [few, many] = [
      { successes: 10, trials: 100 },
      { successes: 20, trials: 100 },
    ];
    expect(sameShare(few, many)).toBeCloseTo(0.04767, 4);
    expect(sameShare(many, few)).toBeCloseTo(0.04767, 4);
  });

  test('groups of different sizes: 5 of 50 and 60 of 300 differ with p = 0.092', () => {
    expect(sameShare({ successes: 5, trials: 50 }, { successes: 60, trials: 300 })).toBeCloseTo(
      0.0923,
      4,
    );
  });

  test.each([
    [0, 0, 0, 0],
    [0, 100, 0, 100],
    [100, 100, 100, 100],
  ])('%i of %i and %i of %i cannot be told apart', (a, of, b, among) => {
    expect(sameShare({ successes: a, trials: of }, { successes: b, trials: among })).toBe(1);
  });

  test('60 and 40 with equal weights have p = 0.0455', () => {
    expect(fitsWeights([60, 40], [1, 1])).toBeCloseTo(0.0455, 4);
    expect(fitsWeights([60, 0, 40], [50, 0, 50])).toBeCloseTo(0.0455, 4);
  });

  test('a split of one arm, or without visitors, always fits', () => {
    expect(fitsWeights([60], [1])).toBe(1);
    expect(fitsWeights([0, 0], [1, 1])).toBe(1);
  });
});
