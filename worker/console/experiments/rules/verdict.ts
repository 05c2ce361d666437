import { type Interval, minEvents } from '../../../experiments/rules/always-valid.ts';
import type { Comparison, Results } from './results.ts';

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

type Variant = Results['variants'][number];

const liftOf = ({ comparisons }: Variant, name: Comparison['name']) =>
  comparisons.find((comparison) => comparison.name === name)?.lift ?? null;

const purchases = (variant: Variant) => liftOf(variant, 'Purchases per visitor');

/** @param sign -1 for a fall */
const range = ({ low, high }: Interval, sign: 1 | -1) => {
  const [from = 0, to = 0] = [low * sign, high * sign].sort((a, b) => a - b);
  return `${percent.format(from)} to ${percent.format(to)} ${sign === 1 ? 'more' : 'fewer'} purchases per visitor`;
};

function best(first: Variant, better: readonly Variant[]): string | null {
  const [winner] = better.toSorted(
    (a, b) => (purchases(b)?.estimate ?? 0) - (purchases(a)?.estimate ?? 0),
  );
  const lift = winner && purchases(winner);
  if (!lift) return null;
  const revenue = liftOf(winner, 'Revenue per visitor');
  const less = revenue && revenue.high < 0 ? ', but less revenue' : '';
  return `'${winner.arm}' sells better than '${first.arm}': ${range(lift, 1)}${less}.`;
}

/** What an experiment says about purchases, in one sentence; empty without a comparison. */
export function verdictOf({ variants, isMismatched }: Results): string {
  const [first, ...others] = variants;
  const [other] = others;
  if (!first || !other) return '';
  if (isMismatched)
    return 'Do not trust this test: the numbers of visitors do not match the shares.';
  const winner = best(
    first,
    others.filter((one) => (purchases(one)?.low ?? 0) > 0),
  );
  if (winner) return winner;
  const lifts = others.map(purchases);
  const [lift] = lifts;
  if (lifts.every((one) => one && one.high < 0)) {
    return lift && lifts.length === 1
      ? `'${other.arm}' sells worse than '${first.arm}': ${range(lift, -1)}.`
      : `'${first.arm}' sells better than every other variant.`;
  }
  if (lifts.some((one) => !one)) {
    const least = variants.toSorted((a, b) => a.purchases - b.purchases)[0] ?? first;
    return `Too early to say: '${least.arm}' has ${least.purchases} of the ${minEvents} purchases that a comparison needs.`;
  }
  return lift && lifts.length === 1
    ? `No winner so far: '${other.arm}' has between ${percent.format(lift.low)} and +${percent.format(lift.high)} purchases per visitor compared with '${first.arm}'.`
    : `No winner so far: no variant differs from '${first.arm}' by more than chance.`;
}
