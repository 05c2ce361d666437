import { type Interval, minEvents } from '../../../experiments/rules/always-valid.ts';
import type { Comparison, Results } from './results.ts';

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

type Variant = Results['variants'][number];

const measures = [
  {
    name: 'Purchases per visitor',
    better: 'sells better than',
    worse: 'sells worse than',
    less: 'fewer',
    what: 'purchases per visitor',
  },
  {
    name: 'Revenue per visitor',
    better: 'earns more than',
    worse: 'earns less than',
    less: 'less',
    what: 'new revenue per visitor',
  },
] as const;

type Measure = (typeof measures)[number];

const liftOf = ({ comparisons }: Variant, name: Comparison['name']) =>
  comparisons.find((comparison) => comparison.name === name)?.lift ?? null;

function range({ low, high }: Interval, { less, what }: Measure): string {
  const [from = 0, to = 0] = [Math.abs(low), Math.abs(high)].sort((a, b) => a - b);
  return `${percent.format(from)} to ${percent.format(to)} ${low > 0 ? 'more' : less} ${what}`;
}

/** Null if the measure decides nothing. */
function decided(first: Variant, others: readonly Variant[], measure: Measure): string | null {
  const lifts = others.map((variant) => ({ variant, lift: liftOf(variant, measure.name) }));
  const [winner] = lifts
    .flatMap(({ variant, lift }) => (lift && lift.low > 0 ? [{ variant, lift }] : []))
    .sort((a, b) => b.lift.estimate - a.lift.estimate);
  if (winner) {
    const { variant, lift } = winner;
    const revenue = liftOf(variant, 'Revenue per visitor');
    const less = revenue && revenue.high < 0 ? ', but less revenue' : '';
    return `'${variant.arm}' ${measure.better} '${first.arm}': ${range(lift, measure)}${less}.`;
  }
  if (!lifts.every(({ lift }) => lift && lift.high < 0)) return null;
  const [only] = lifts;
  return only?.lift && lifts.length === 1
    ? `'${only.variant.arm}' ${measure.worse} '${first.arm}': ${range(only.lift, measure)}.`
    : `'${first.arm}' ${measure.better} every other variant.`;
}

/** What an experiment says, in one sentence: by purchases, else by revenue; empty without a comparison. */
export function verdictOf({ variants, isMismatched }: Results): string {
  const [first, ...others] = variants;
  const [other] = others;
  if (!first || !other) return '';
  if (isMismatched)
    return 'Do not trust this test: the numbers of visitors do not match the shares.';
  for (const measure of measures) {
    const sentence = decided(first, others, measure);
    if (sentence) return sentence;
  }
  const lifts = others.map((variant) => liftOf(variant, 'Purchases per visitor'));
  if (lifts.some((lift) => !lift)) {
    const least = variants.toSorted((a, b) => a.purchases - b.purchases)[0] ?? first;
    return `Too early to say: '${least.arm}' has ${least.purchases} of the ${minEvents} purchases that a comparison needs.`;
  }
  const [lift] = lifts;
  return lift && lifts.length === 1
    ? `No winner so far: '${other.arm}' has between ${percent.format(lift.low)} and +${percent.format(lift.high)} purchases per visitor compared with '${first.arm}'.`
    : `No winner so far: no variant differs from '${first.arm}' by more than chance.`;
}
