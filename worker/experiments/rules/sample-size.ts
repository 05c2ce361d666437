import type { Sample } from './always-valid.ts';
import { normalQuantile } from './distributions.ts';

const significance = (comparisons: number) => normalQuantile(1 - 0.05 / comparisons / 2);
const power = normalQuantile(0.8);

/**
 * Visitors that each variant needs to detect a difference of two shares with a power of 80 % at a level of 5 %: Fleiss,
 * Levin and Paik, Statistical Methods for Rates and Proportions, 3rd edition, chapter 4, without the correction for
 * continuity. For one look at the end; looking earlier needs more.
 * @param share of visitors who convert today, such as 0.03
 * @param lift to be detected, such as 0.1 for a tenth more
 * @param comparisons with the first variant; the level is divided among them
 * @returns infinity if the lift cannot be detected
 */
export function visitorsNeeded(share: number, lift: number, comparisons = 1): number {
  const other = share * (1 + lift);
  if (!(share > 0 && other < 1 && lift !== 0 && other >= 0)) return Number.POSITIVE_INFINITY;
  const middle = (share + other) / 2;
  const same = significance(comparisons) * Math.sqrt(2 * middle * (1 - middle));
  const different = power * Math.sqrt(share * (1 - share) + other * (1 - other));
  return Math.ceil((same + different) ** 2 / (other - share) ** 2);
}

/** The same for a difference of two means of equal variance: van Belle, Statistical Rules of Thumb, 2nd edition, chapter 2. */
export function visitorsForMean(
  { mean, variance }: Pick<Sample, 'mean' | 'variance'>,
  lift: number,
  comparisons = 1,
): number {
  const difference = lift * mean;
  if (!(mean > 0 && variance > 0 && lift !== 0)) return Number.POSITIVE_INFINITY;
  return Math.ceil((2 * variance * (significance(comparisons) + power) ** 2) / difference ** 2);
}

/** For the variant with the smallest share. @param visitorsPerDay of the whole site @param weights in percent */
export function daysNeeded(
  needed: number,
  visitorsPerDay: number,
  weights: readonly number[],
): number {
  const smallest = Math.min(...weights.filter((weight) => weight > 0));
  const perDay = (visitorsPerDay * smallest) / 100;
  return Number.isFinite(perDay) ? Math.ceil(needed / perDay) : Number.POSITIVE_INFINITY;
}
