import type { ArmDay, ArmFacts } from '../../../experiments/results-table.ts';
import {
  amountSample,
  type Interval,
  liftInterval,
  meanInterval,
  minEvents,
  minEventsFor,
  type Sample,
  shareSample,
  visitorGrowth,
} from '../../../experiments/rules/always-valid.ts';
import { guardrails, noFacts } from '../../../experiments/rules/guardrails.ts';
import { commonCurrency, type Reporting } from '../../../experiments/rules/reporting.ts';
import type { Variant } from '../../../experiments/rules/split.ts';
import { fitsWeights } from '../../../experiments/rules/statistics.ts';
import { typedKeys } from '../../../platform/keys.ts';

/** A rate that must not rise together with purchases. */
export interface Guardrail {
  name: string;
  share: number | null;
  part: number;
  whole: number;
  /** Compared with the first variant; null while it cannot be calculated. */
  lift: Interval | null;
}

export const metricNames = {
  sign_ups: 'Sign-ups per visitor',
  purchases: 'Purchases per visitor',
  revenue: 'Revenue per visitor',
} as const;

export type Metric = keyof typeof metricNames;

export const metricIn = (name: string): Metric =>
  typedKeys(metricNames).find((each) => each === name) ?? 'purchases';

/** Within a sentence. */
export const bare = (metric: Metric): string => metricNames[metric].toLowerCase();

export interface Comparison {
  metric: Metric;
  name: (typeof metricNames)[Metric];
  /** Compared with the first variant; null while it cannot be calculated, and for the first variant itself. */
  lift: Interval | null;
  /** Whether the error is not divided for it, so that it decides nothing. */
  isExploratory: boolean;
  /** How many times as many visitors show a change of a tenth; 1 if these do. Null without `lift`. */
  growth: number | null;
}

interface Measure {
  metric: Metric;
  events: number;
  sample: Sample;
}

interface VariantResult extends ArmFacts {
  guardrails: Guardrail[];
  comparisons: Comparison[];
  /** With renewals, less refunds and lost disputes. Minor units of `currency`; null without visitors or without a rate. */
  revenuePerVisitor: number | null;
}

export interface Results {
  variants: VariantResult[];
  neededEvents: number;
  /** Currency of the revenue per visitor; null without revenue, or where a rate is missing. */
  currency: string | null;
  currencies: string[];
  /** Whether the visitors' shares contradict the weights, so that no figure can be trusted. */
  isMismatched: boolean;
}

/** Below this probability the shares differ from the weights by more than chance. */
const mismatchBelow = 0.001;

const sharesOf = (part: number, whole: number) => shareSample(Math.min(part, whole), whole);

/**
 * Revenue per visitor. A person who paid in two currencies counts as two buyers. First payments (a) and renewals (b) of
 * one buyer are stored apart: the sum of (a + b)² is at most (√Σa² + √Σb²)², so the interval is never too narrow.
 */
export function revenueSample(
  {
    revenue,
    squares,
    renewals = {},
    renewalSquares = {},
    visitors,
  }: Pick<ArmFacts, 'revenue' | 'squares' | 'renewals' | 'renewalSquares' | 'visitors'>,
  factors: Factors,
) {
  let [sum, sumOfSquares] = [0, 0];
  for (const [currency, factor] of Object.entries(factors)) {
    const roots = [squares, renewalSquares].map((all) =>
      Math.sqrt(Math.max(0, all[currency] ?? 0)),
    );
    sum += ((revenue[currency] ?? 0) + (renewals[currency] ?? 0)) * factor;
    sumOfSquares += (roots.reduce((total, root) => total + root, 0) * factor) ** 2;
  }
  return amountSample(sum, sumOfSquares, visitors);
}

const allMetrics = typedKeys(metricNames);

const soughtLift = 0.1;

type Factors = Record<string, number>;

/** Revenue only where it can be added up. */
function measuresOf(row: ArmFacts, factors: Factors | undefined): Measure[] {
  const { signUps, purchases, visitors } = row;
  const money = factors && revenueSample(row, factors);
  return [
    { metric: 'sign_ups', events: signUps, sample: sharesOf(signUps, visitors) },
    { metric: 'purchases', events: purchases, sample: sharesOf(purchases, visitors) },
    ...(money ? [{ metric: 'revenue', events: purchases, sample: money } as const] : []),
  ];
}

/** @param alpha the error for all judged metrics @param neededEvents of both variants; Infinity for no comparison */
function comparisonWith(
  models: readonly Measure[],
  { metric, events, sample }: Measure,
  {
    alpha,
    judged,
    neededEvents,
  }: { alpha: number; judged: readonly Metric[]; neededEvents: number },
): Comparison {
  const model = models.find((each) => each.metric === metric);
  const isEnough = model && Math.min(events, model.events) >= neededEvents;
  const isExploratory = !judged.includes(metric);
  const settings = { alpha: isExploratory ? alpha : alpha / judged.length };
  const lift = isEnough ? liftInterval(model.sample, sample, settings) : null;
  const sought = Math.max(soughtLift, Math.abs(lift?.estimate ?? 0));
  const growth = lift && model ? visitorGrowth(model.sample, sample, sought, settings) : null;
  return { metric, name: metricNames[metric], lift, isExploratory, growth };
}

/** The error of 5 % is divided among the compared variants and the judged metrics (Bonferroni), and holds at every look. */
export function resultsOf(
  variants: readonly Pick<Variant, 'key' | 'weight'>[],
  facts: readonly ArmFacts[],
  reporting: Reporting | null = null,
  judged: readonly Metric[] = allMetrics,
): Results {
  const rows = variants.map(
    ({ key }): ArmFacts => facts.find(({ arm }) => arm === key) ?? noFacts(key),
  );
  const [first] = rows;
  const compared = Math.max(1, rows.length - 1);
  const alpha = 0.05 / compared;
  const neededEvents = minEventsFor(compared);
  const currencies = [
    ...new Set(rows.flatMap(({ revenue, renewals }) => Object.keys({ ...revenue, ...renewals }))),
  ].sort();
  const common = commonCurrency(currencies, reporting);
  const models = first ? measuresOf(first, common?.factors) : [];
  return {
    variants: rows.map((row) => ({
      ...row,
      guardrails: first
        ? guardrailsOf(row, first, 0.05 / (rows.length - 1) / guardrails.length)
        : [],
      comparisons: measuresOf(row, common?.factors).map((measure) =>
        comparisonWith(models, measure, {
          ...{ alpha, judged },
          neededEvents: row === first ? Number.POSITIVE_INFINITY : neededEvents,
        }),
      ),
      revenuePerVisitor:
        common && row.visitors > 0 ? revenueSample(row, common.factors).mean : null,
    })),
    neededEvents,
    currency: common?.currency ?? null,
    currencies,
    isMismatched:
      fitsWeights(
        rows.map(({ visitors }) => visitors),
        variants.map(({ weight }) => weight),
      ) < mismatchBelow,
  };
}

const change = new Intl.NumberFormat('en', {
  style: 'percent',
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});

const rangeText = ({ estimate, low, high }: Interval) =>
  `${change.format(estimate)}, between ${change.format(low)} and ${change.format(high)}`.replaceAll(
    '-',
    '−',
  );

function guardrailsOf(row: ArmFacts, first: ArmFacts, alpha: number): Guardrail[] {
  return guardrails.map(({ name, part, whole }) => {
    const sampleOf = (facts: ArmFacts) => sharesOf(facts[part], facts[whole]);
    const [sample, model] = [sampleOf(row), sampleOf(first)];
    const share = sample.count > 0 ? sample.mean : null;
    // A rate of few events has too little variance where it happens to be low, so its interval looked like a fall.
    const isEnough = Math.min(row[part], first[part]) >= minEvents && row !== first;
    const counts = { part: row[part], whole: row[whole] };
    return {
      name,
      share,
      ...counts,
      lift: isEnough ? liftInterval(model, sample, { alpha }) : null,
    };
  });
}

export function guardrailVerdict({ lift }: Pick<Guardrail, 'lift'>): string {
  if (!lift) return 'Too few to judge.';
  const isVague = lift.high - lift.low > 2;
  const range = rangeText(lift);
  if (lift.low > 0) return `Worse: ${range}.`;
  return isVague
    ? 'Too few to judge: even a doubling could not be detected.'
    : `Not worse so far: ${range}.`;
}

interface ShareLine {
  arm: string;
  values: number[];
  /** Always-valid 95% intervals; the whole scale while there is none. */
  band: { low: number; high: number }[];
}

export function shareByDay(
  days: readonly ArmDay[],
  arms: readonly string[],
): { days: number[]; shares: ShareLine[] } {
  const all = [...new Set(days.map(({ day }) => day))].sort((a, b) => a - b);
  const shares = arms.map((arm): ShareLine => {
    let [visitors, purchases] = [0, 0];
    const samples = all.map((day) => {
      for (const row of days) {
        if (row.day !== day || row.arm !== arm) continue;
        visitors += row.visitors;
        purchases += row.purchases;
      }
      return sharesOf(purchases, visitors);
    });
    return {
      arm,
      values: samples.map(({ mean }) => mean),
      band: samples.map((sample) => {
        const { low, high } = meanInterval(sample) ?? { low: 0, high: 1 };
        return { low: Math.max(0, low), high: Math.min(1, high) };
      }),
    };
  });
  return { days: all, shares };
}

/** Empty while the test runs. @param variants of the live split; empty for another experiment */
export function endedNote(variants: readonly Variant[], isCut: boolean): string {
  const [only, ...others] = variants.filter(({ weight }) => weight > 0);
  if (!only || others.length > 0 || variants.length < 2) return '';
  return isCut
    ? `The test has ended: every new visitor gets “${only.key}”. Later visits and payments are not counted.`
    : `The test has ended. Visitors since then count for “${only.key}” only, so the comparison is no longer fair.`;
}

export function liftText(lift: Interval | null, neededEvents = minEvents): string {
  if (!lift) return `Too few to judge: under ${neededEvents} events in a variant.`;
  const range = rangeText(lift);
  if (lift.low > 0) return `Better: ${range}.`;
  if (lift.high < 0) return `Worse: ${range}.`;
  return `Undecided: ${range}.`;
}
