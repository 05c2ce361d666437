import type { Finding } from './alarm-kinds.ts';
import type { Counts } from './counts.ts';

export interface Split {
  experiment: string;
  /** Weight by arm; no visitor is assigned to an arm of weight 0. */
  weights: Readonly<Record<string, number>>;
  /** Minute since 1970 from which every isolate serves these weights. */
  since: number;
}

const isSame = (a: object, b: object) => JSON.stringify(a) === JSON.stringify(b);

/** When each experiment got its weights. @param since the minute from which a new split counts */
export const datedSplits = (
  known: readonly Split[],
  current: readonly Omit<Split, 'since'>[],
  since: number,
): Split[] =>
  current.map(
    (split) =>
      known.find(
        ({ experiment, weights }) =>
          experiment === split.experiment && isSame(weights, split.weights),
      ) ?? { ...split, since },
  );

/** Tested every minute of a month, so it must be far stricter than the usual limit of 0.001. */
const limit = 5.5;
const minVisitors = 200;
const windows = [10, 60, 170] as const;

/**
 * A chi-squared statistic as standard deviations (Wilson and Hilferty's cube root). It is too low in the far tail: at
 * the limit the probability is 6·10⁻¹⁰ for two arms and 2·10⁻⁹ for three, where a normal distribution has 2·10⁻⁸.
 * https://en.wikipedia.org/wiki/Chi-squared_distribution#Related_distributions
 */
const chiSquaredZScore = (chi2: number, freedom: number) =>
  (Math.cbrt(chi2 / freedom) - (1 - 2 / (9 * freedom))) / Math.sqrt(2 / (9 * freedom));

export function sampleRatioFindings(
  counts: Counts,
  minute: number,
  splits: readonly Split[],
): Finding[] {
  return splits.flatMap(({ experiment, weights, since }) => {
    const arms = Object.entries(weights).filter(([, weight]) => weight > 0);
    const all = arms.reduce((sum, [, weight]) => sum + weight, 0);
    if (arms.length < 2) return [];
    const seen = windows.flatMap((windowMinutes) => {
      const from = Math.max(since, minute - windowMinutes);
      const observed = arms.map(([arm, weight]) => {
        const count = counts.sum(`exposure|${experiment}|${arm}`, from, minute);
        return { arm, weight, count };
      });
      const visitors = observed.reduce((sum, { count }) => sum + count, 0);
      if (visitors < minVisitors) return [];
      const chi2 = observed.reduce((sum, { count, weight }) => {
        const expected = (visitors * weight) / all;
        return sum + (count - expected) ** 2 / expected;
      }, 0);
      const shares = observed.map(({ arm, count }) => `${arm} ${count}`).join(', ');
      return [{ zScore: chiSquaredZScore(chi2, arms.length - 1), shares, from }];
    });
    const worst = seen.toSorted((a, b) => b.zScore - a.zScore)[0];
    if (!worst || worst.zScore < limit) return [];
    const { zScore, shares, from } = worst;
    const detail = `${experiment}: ${shares}, of weights ${arms.map(([, weight]) => weight).join(':')}`;
    const area = `experiment:${experiment}`;
    return [{ kind: 'sample_ratio', area, segment: '', detail, zScore, since: from }];
  });
}
