import type { ArmFacts } from '../../experiments/results-table.ts';
import { type Interval, liftInterval, shareSample } from '../../experiments/rules/always-valid.ts';
import type { Variant } from '../../experiments/rules/split.ts';
import { fitsWeights } from '../../experiments/rules/statistics.ts';

interface VariantResult extends ArmFacts {
  /** Lift of the share of buyers over the first variant; null while it cannot be said. */
  lift: Interval | null;
}

export interface Results {
  variants: VariantResult[];
  /** Whether the visitors' shares contradict the weights, so that no figure can be trusted. */
  isMismatched: boolean;
}

/** Below this the shares do not follow the weights by chance. */
const mismatchBelow = 0.001;

const nothing = { visitors: 0, signUps: 0, purchases: 0, revenue: {} };

/**
 * Each variant against the first. The error of 5 % is divided among the comparisons (Bonferroni), and holds
 * at every look.
 */
export function resultsOf(variants: readonly Variant[], facts: readonly ArmFacts[]): Results {
  const rows = variants.map(
    ({ key }): ArmFacts => facts.find(({ arm }) => arm === key) ?? { arm: key, ...nothing },
  );
  const [first] = rows;
  const alpha = 0.05 / Math.max(1, rows.length - 1);
  const sampleOf = ({ purchases, visitors }: ArmFacts) =>
    shareSample(Math.min(purchases, visitors), visitors);
  return {
    variants: rows.map((row) => ({
      ...row,
      lift: first && row !== first ? liftInterval(sampleOf(first), sampleOf(row), { alpha }) : null,
    })),
    isMismatched:
      fitsWeights(
        rows.map(({ visitors }) => visitors),
        variants.map(({ weight }) => weight),
      ) < mismatchBelow,
  };
}

const percent = new Intl.NumberFormat('en', {
  style: 'percent',
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});

/** What a lift says today, in words. */
export function verdictOf(lift: Interval | null): string {
  if (!lift) return 'Too early: nothing to compare yet.';
  const range = `between ${percent.format(lift.low)} and ${percent.format(lift.high)}`;
  if (lift.low > 0) return `Better: ${range}.`;
  if (lift.high < 0) return `Worse: ${range}.`;
  return `Undecided: ${range}.`;
}
