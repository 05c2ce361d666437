import type { Interval } from '../../../experiments/rules/always-valid.ts';
import type { AmountText } from '../../people/rules/person.ts';
import type { Comparison, Results } from './results.ts';

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

type Variant = Results['variants'][number];

interface Compared {
  variant: Variant;
  lift: Interval;
}

const quoted = ({ arm }: Variant) => `“${arm}”`;

function comparedBy(others: readonly Variant[], name: Comparison['name']): Compared[] | null {
  const found = others.flatMap((variant): Compared[] => {
    const lift = variant.comparisons.find((comparison) => comparison.name === name)?.lift;
    return lift ? [{ variant, lift }] : [];
  });
  return found.length === others.length ? found : null;
}

const isWinner = ({ lift }: Compared) => lift.low > 0;
const isLoser = ({ lift }: Compared) => lift.high < 0;

function decidedOf(compared: readonly Compared[]): Compared | undefined {
  const [best] = compared.filter(isWinner).sort((a, b) => b.lift.estimate - a.lift.estimate);
  return best ?? (compared.length === 1 ? compared.find(isLoser) : undefined);
}

function range({ low, high }: Interval, less: string): string {
  const [from = 0, to = 0] = [Math.abs(low), Math.abs(high)].sort((a, b) => a - b);
  return `${percent.format(from)} to ${percent.format(to)} ${low > 0 ? 'more' : less}`;
}

/** By purchases alone; null if they decide nothing. */
function bySales(first: Variant, compared: readonly Compared[]): string | null {
  const decided = decidedOf(compared);
  if (decided) {
    const { variant, lift } = decided;
    const how = lift.low > 0 ? 'more often' : 'less often';
    return `${quoted(variant)} sells ${how} than ${quoted(first)}: ${range(lift, 'fewer')} purchases per visitor.`;
  }
  return compared.every(isLoser)
    ? `${quoted(first)} sells more often than every other variant.`
    : null;
}

/** By all revenue: a variant with a cheap start may earn more later, or the other way round. Null if it decides nothing. */
function byRevenue(
  first: Variant,
  compared: readonly Compared[],
  money: (variant: Variant) => string,
): string | null {
  const decided = decidedOf(compared);
  if (decided) {
    const { variant, lift } = decided;
    const how = lift.low > 0 ? 'more' : 'less';
    return `${quoted(variant)} earns ${how} than ${quoted(first)}: ${money(variant)} against ${money(first)} per visitor, ${range(lift, 'less')}.`;
  }
  return compared.every(isLoser)
    ? `${quoted(first)} earns more per visitor than every other variant.`
    : null;
}

function undecidedText(
  first: Variant,
  [only, ...more]: readonly Compared[],
  money: (variant: Variant) => string,
): string {
  if (!only || more.length > 0)
    return `No variant’s revenue differs from that of ${quoted(first)} by more than chance.`;
  const { variant, lift } = only;
  // Nobody earns less than nothing.
  const [low, high] = [percent.format(Math.min(1, -lift.low)), percent.format(lift.high)];
  return `${quoted(variant)} ${money(variant)}, ${quoted(first)} ${money(first)} per visitor: no clear difference (95% interval −${low} to +${high}).`;
}

export interface Verdict {
  /** Such as `Ended, no winner`. */
  state: string;
  text: string;
}

/** What an experiment says: by all revenue per visitor, where it has one currency; null without a comparison. */
export function experimentVerdict(
  results: Results,
  amount: AmountText,
  isOver = false,
): Verdict | null {
  const { variants, isMismatched } = results;
  const [first, ...others] = variants;
  if (!first || others.length === 0) return null;
  const running = isOver ? 'Ended' : 'Running';
  const undecided = isOver ? 'Ended, no winner' : 'Running, no winner yet';
  if (isMismatched) {
    const text = 'Do not trust this test: the numbers of visitors do not match the shares.';
    return { state: running, text };
  }
  const sales = comparedBy(others, 'Purchases per visitor');
  if (!sales) {
    const least = variants.toSorted((a, b) => a.purchases - b.purchases)[0] ?? first;
    const text = `Too few purchases: ${quoted(least)} has ${least.purchases} of the ${results.neededEvents} that a comparison needs.`;
    return { state: undecided, text };
  }
  const sold = bySales(first, sales);
  const paid = comparedBy(others, 'Revenue per visitor');
  if (!paid) {
    return sold
      ? { state: running, text: sold }
      : { state: undecided, text: `No variant sells more or less often than ${quoted(first)}.` };
  }
  const money = ({ revenuePerVisitor }: Variant) =>
    amount(revenuePerVisitor ?? 0, results.currency ?? '');
  const earned = byRevenue(first, paid, money);
  if (earned) return { state: running, text: earned };
  const open = undecidedText(first, paid, money);
  return { state: undecided, text: sold ? `${open} ${sold}` : open };
}

const hasRenewals = ({ renewals = {} }: Variant) => Object.keys(renewals).length > 0;

/** The variants that are compared without renewals to ones that have some; empty for none. */
export function renewalNote({ variants }: Results): string {
  const without = variants.filter((variant) => !hasRenewals(variant)).map(quoted);
  if (without.length === 0 || without.length === variants.length) return '';
  return `No payment of ${without.join(' or ')} has renewed so far, so only first payments count there.`;
}
