/** Hundredths of a percent, so that fractions add up exactly. */
const whole = 10_000;
const unitsOf = (shares: readonly number[]) => shares.map((share) => Math.round(share * 100));
const total = (units: readonly number[]) => units.reduce((sum, unit) => sum + unit, 0);

/** @returns percent */
export const sumOf = (shares: readonly number[]): number => total(unitsOf(shares)) / 100;

/**
 * Distributes the rest of 100 among the shares that are not kept, in their proportions. Nothing changes if all are
 * kept, or if the kept ones exceed 100.
 * @param shares in percent, with at most two decimals
 * @param kept indexes of the shares that stay
 */
export function balanced(shares: readonly number[], kept: ReadonlySet<number>): number[] {
  const units = unitsOf(shares);
  const others = units.filter((_, at) => !kept.has(at));
  const left = whole - total(units.filter((_, at) => kept.has(at)));
  if (others.length === 0 || left < 0) return [...shares];
  const sum = total(others);
  const exact = others.map((unit) => (sum > 0 ? (unit * left) / sum : left / others.length));
  const next = exact.map(Math.floor);
  const missing = left - total(next);
  // The largest remainders get the difference left by rounding.
  const order = exact
    .map((unit, at) => ({ at, rest: unit - Math.floor(unit) }))
    .sort((a, b) => b.rest - a.rest);
  for (const { at } of order.slice(0, missing)) next[at] = (next[at] ?? 0) + 1;
  return units.map((unit, at) => (kept.has(at) ? unit : (next.shift() ?? 0)) / 100);
}
