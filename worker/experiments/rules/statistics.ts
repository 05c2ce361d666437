import { chiSquaredTail, normalCdf, normalQuantile } from './distributions.ts';

export interface Proportion {
  successes: number;
  trials: number;
}

const z95 = normalQuantile(0.975);

/** The 95 % interval of a share by Wilson's score, both ends in [0, 1]; [0, 1] without trials. */
export function wilson({ successes, trials }: Proportion): [low: number, high: number] {
  if (trials === 0) return [0, 1];
  const p = successes / trials;
  const z2 = z95 ** 2 / trials;
  const middle = p + z2 / 2;
  const half = z95 * Math.sqrt((p * (1 - p)) / trials + z2 / (4 * trials));
  return [Math.max(0, (middle - half) / (1 + z2)), Math.min(1, (middle + half) / (1 + z2))];
}

/** Two-sided p-value of equal shares, by the pooled z test; 1 without any difference to test. */
export function sameShare(a: Proportion, b: Proportion): number {
  const trials = a.trials + b.trials;
  const pooled = (a.successes + b.successes) / trials;
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / a.trials + 1 / b.trials));
  if (!(error > 0 && error < Infinity)) return 1;
  const z = (a.successes / a.trials - b.successes / b.trials) / error;
  return 2 * normalCdf(-Math.abs(z));
}

/** Pearson's chi-squared; 1 with fewer than two weights. @param weights in any unit; zeros are left out */
export function fitsWeights(counts: readonly number[], weights: readonly number[]): number {
  const cells = counts
    .map((count, index) => ({ count, weight: weights[index] ?? 0 }))
    .filter(({ weight }) => weight > 0);
  const total = cells.reduce((sum, { count }) => sum + count, 0);
  const whole = cells.reduce((sum, { weight }) => sum + weight, 0);
  if (cells.length < 2 || total === 0) return 1;
  const chi2 = cells.reduce((sum, { count, weight }) => {
    const expected = (total * weight) / whole;
    return sum + (count - expected) ** 2 / expected;
  }, 0);
  return chiSquaredTail(chi2, cells.length - 1);
}
