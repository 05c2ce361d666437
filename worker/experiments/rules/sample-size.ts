import { normalQuantile } from './distributions.ts';

/**
 * Visitors that each variant needs to detect a difference of two shares with a power of 80 % at a level of 5 %. The
 * classical formula for one look at the end; looking earlier needs more.
 * @param share of visitors who convert today, such as 0.03
 * @param lift to be detected, such as 0.1 for a tenth more
 * @param comparisons with the first variant; the level is divided among them
 * @returns infinity if the lift cannot be detected
 */
export function visitorsNeeded(share: number, lift: number, comparisons = 1): number {
  const other = share * (1 + lift);
  if (!(share > 0 && other < 1 && lift !== 0 && other >= 0)) return Number.POSITIVE_INFINITY;
  const middle = (share + other) / 2;
  const significance =
    normalQuantile(1 - 0.05 / comparisons / 2) * Math.sqrt(2 * middle * (1 - middle));
  const power = normalQuantile(0.8) * Math.sqrt(share * (1 - share) + other * (1 - other));
  return Math.ceil((significance + power) ** 2 / (other - share) ** 2);
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
