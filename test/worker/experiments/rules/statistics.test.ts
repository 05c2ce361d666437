import { describe, expect, test } from 'vitest';
import { fitsWeights, sameShare, wilson } from '../../../../worker/experiments/rules/statistics.ts';

describe('interval of a share', () => {
  // Newcombe, Statistics in Medicine 17 (1998) 857–872, table I, method 3.
  test.for<[number, number, number, number]>([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('%d of %d', ([successes, trials, low, high]) => {
    const [from, to] = wilson({ successes, trials });
    expect(from).toBeCloseTo(low, 4);
    expect(to).toBeCloseTo(high, 4);
  });

  // R: prop.test(10, 100, correct = FALSE).
  test('10 of 100 is between 5.5 % and 17.4 %', () => {
    const [low, high] = wilson({ successes: 10, trials: 100 });
    expect(low).toBeCloseTo(0.05523, 4);
    expect(high).toBeCloseTo(0.17437, 4);
  });

  test('is symmetric for the failures', () => {
    const [low, high] = wilson({ successes: 3, trials: 40 });
    const [from, to] = wilson({ successes: 37, trials: 40 });
    expect([1 - to, 1 - from]).toEqual([expect.closeTo(low, 12), expect.closeTo(high, 12)]);
  });

  test('stays between 0 and 1', () => {
    expect(wilson({ successes: 0, trials: 0 })).toEqual([0, 1]);
    expect(wilson({ successes: 5, trials: 5 })[1]).toBe(1);
    expect(wilson({ successes: 0, trials: 5 })[0]).toBe(0);
  });
});

describe('two shares', () => {
  test('matches the example of statsmodels, proportions_ztest([5, 12], [83, 99])', () => {
    const p = sameShare({ successes: 5, trials: 83 }, { successes: 12, trials: 99 });
    expect(p).toBeCloseTo(0.159, 3);
  });

  test('matches the polio trial of 1954: 57 of 200,745 and 142 of 201,229', () => {
    const p = sameShare({ successes: 57, trials: 200_745 }, { successes: 142, trials: 201_229 });
    expect(p).toBeGreaterThan(1e-9);
    expect(p).toBeLessThan(3e-9);
  });

  // R: prop.test(..., correct = FALSE).
  test('10 of 100 and 20 of 100 differ with p = 0.048, in either order', () => {
    const [few, many] = [
      { successes: 10, trials: 100 },
      { successes: 20, trials: 100 },
    ];
    expect(sameShare(few, many)).toBeCloseTo(0.04767, 4);
    expect(sameShare(many, few)).toBeCloseTo(0.04767, 4);
  });

  test('5 of 50 and 60 of 300 differ with p = 0.092', () => {
    expect(sameShare({ successes: 5, trials: 50 }, { successes: 60, trials: 300 })).toBeCloseTo(
      0.0923,
      4,
    );
  });

  test('p is 1 for equal, empty or certain shares', () => {
    const some = { successes: 5, trials: 50 };
    expect(sameShare(some, some)).toBeCloseTo(1, 12);
    const empty = { successes: 0, trials: 0 };
    expect([sameShare(some, empty), sameShare(empty, empty)]).toEqual([1, 1]);
    expect(sameShare({ successes: 0, trials: 9 }, { successes: 0, trials: 8 })).toBe(1);
    expect(sameShare({ successes: 9, trials: 9 }, { successes: 8, trials: 8 })).toBe(1);
  });
});

describe('counts and weights', () => {
  test('Mendel’s peas of 1866 fit 9:3:3:1', () =>
    expect(fitsWeights([315, 108, 101, 32], [9, 3, 3, 1])).toBeCloseTo(0.925, 3));

  // NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.4: critical values.
  test.for<[number, number, number]>([
    [2, 0.05, 3.841],
    [2, 0.001, 10.828],
    [3, 0.001, 13.816],
    [5, 0.01, 13.277],
  ])('%d arms reach p = %d at %d', ([arms, p, chi2]) => {
    const away = Math.sqrt(chi2 * 50_000);
    const counts = Array.from({ length: arms }, () => 100_000);
    counts[0] = 100_000 + away;
    counts[1] = 100_000 - away;
    expect(
      fitsWeights(
        counts,
        counts.map(() => 1),
      ),
    ).toBeCloseTo(p, 4);
  });

  // R: chisq.test(c(60, 40)).
  test('60 and 40 with equal weights have p = 0.0455', () => {
    expect(fitsWeights([60, 40], [1, 1])).toBeCloseTo(0.0455, 4);
    expect(fitsWeights([60, 0, 40], [50, 0, 50])).toBeCloseTo(0.0455, 4);
  });

  test('earlier visitors of an arm with weight 0 do not count', () =>
    expect(fitsWeights([500, 500, 900], [50, 50, 0])).toBe(1));

  test('a single arm, or no visitors, always fit', () => {
    expect(fitsWeights([7], [100])).toBe(1);
    expect(fitsWeights([0, 0], [50, 50])).toBe(1);
  });
});
