/** Hundredths of a percent, so that fractions add up exactly. */
const whole = 10_000;
const unitsOf = (shares: readonly number[]) => shares.map((share) => Math.round(share * 100));
const total = (units: readonly number[]) => units.reduce((sum, unit) => sum + unit, 0);

/** @returns percent */
export const sumOf = (shares: readonly number[]): number => total(unitsOf(shares)) / 100;

/**
 * The shares that are not kept fill what the others leave of 100, in their proportions. Nothing changes where
 * all are kept, or where those take more than 100.
 * @param shares in percent, with at most two decimals
 * @param kept places of the shares that stay
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
  // The largest remainders get what rounding left over.
  const order = exact
    .map((unit, at) => ({ at, rest: unit - Math.floor(unit) }))
    .sort((a, b) => b.rest - a.rest);
  for (const { at } of order.slice(0, missing)) next[at] = (next[at] ?? 0) + 1;
  return units.map((unit, at) => (kept.has(at) ? unit : (next.shift() ?? 0)) / 100);
}
