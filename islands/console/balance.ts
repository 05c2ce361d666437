/** Hundredths of a percent, so that fractions add up exactly. */
const whole = 10_000;

/**
 * The shares after one of them was changed: the others keep their proportions, and all add up to 100.
 * @param shares in percent, with at most two decimals
 */
export function balanced(shares: readonly number[], changed: number, value: number): number[] {
  const units = shares.map((share) => Math.round(share * 100));
  const wanted = Math.min(whole, Math.max(0, Math.round(value * 100)));
  const others = units.filter((_, at) => at !== changed);
  if (others.length === 0) return [100];
  const left = whole - wanted;
  const total = others.reduce((sum, unit) => sum + unit, 0);
  const exact = others.map((unit) => (total > 0 ? (unit * left) / total : left / others.length));
  const next = exact.map(Math.floor);
  const missing = left - next.reduce((sum, unit) => sum + unit, 0);
  // The largest remainders get what rounding left over.
  const order = exact
    .map((unit, at) => ({ at, rest: unit - Math.floor(unit) }))
    .sort((a, b) => b.rest - a.rest);
  for (const { at } of order.slice(0, missing)) next[at] = (next[at] ?? 0) + 1;
  next.splice(changed, 0, wanted);
  return next.map((unit) => unit / 100);
}
