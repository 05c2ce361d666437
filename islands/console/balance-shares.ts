/** Hundredths of a percent, so that fractions add up exactly. */
const whole = 10_000;
const unitsOf = (shares: readonly number[]) => shares.map((share) => Math.round(share * 100));
const total = (units: readonly number[]) => units.reduce((sum, unit) => sum + unit, 0);

/** @returns percent */
export const totalShare = (shares: readonly number[]): number => total(unitsOf(shares)) / 100;

/**
 * Distributes the rest of 100 among the shares that are not fixed, in their proportions. Nothing changes if all are
 * fixed, or if the fixed ones exceed 100.
 * @param shares in percent, with at most two decimals
 * @param fixed indexes of the shares that stay
 */
export function balanced(shares: readonly number[], fixed: ReadonlySet<number>): number[] {
  const units = unitsOf(shares);
  const others = units.filter((_, at) => !fixed.has(at));
  const rest = whole - total(units.filter((_, at) => fixed.has(at)));
  if (others.length === 0 || rest < 0) return [...shares];
  const sum = total(others);
  const exact = others.map((unit) => (sum > 0 ? (unit * rest) / sum : rest / others.length));
  const next = exact.map(Math.floor);
  const missing = rest - total(next);
  // The largest remainders get the difference that rounding makes.
  const order = exact
    .map((unit, at) => ({ at, fraction: unit - Math.floor(unit) }))
    .sort((a, b) => b.fraction - a.fraction);
  for (const { at } of order.slice(0, missing)) next[at] = (next[at] ?? 0) + 1;
  return units.map((unit, at) => (fixed.has(at) ? unit : (next.shift() ?? 0)) / 100);
}
