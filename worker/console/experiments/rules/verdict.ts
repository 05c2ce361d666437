import { bare, type Metric, type Results } from './results.ts';

type Variant = Results['variants'][number];
type Compared = Variant['comparisons'][number] & { variant: Variant };

export interface Verdict {
  state: string;
  text: string;
}

export interface Plan {
  metric: Metric;
  secondary: readonly Metric[];
}

export interface Progress {
  visitorsPerDay: number;
  isOver: boolean;
}

const sayings: Record<Metric, readonly [more: string, less: string]> = {
  sign_ups: ['gets more sign-ups', 'gets fewer sign-ups'],
  purchases: ['sells more plans', 'sells fewer plans'],
  revenue: ['earns more per visitor', 'earns less per visitor'],
};

const events: Record<Metric, readonly [name: string, key: 'signUps' | 'purchases']> = {
  sign_ups: ['sign-ups', 'signUps'],
  purchases: ['purchases', 'purchases'],
  revenue: ['purchases', 'purchases'],
};

export const judgedMetrics = ({ metric, secondary }: Plan): Metric[] => [
  ...new Set([metric, ...secondary]),
];

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const quoted = (name: string | undefined) => `“${name ?? ''}”`;

const numbers = 'no one two three four five six seven eight nine ten eleven twelve'.split(' ');

export function weeksText(days: number): string {
  const weeks = Math.round(days / 7);
  if (!(weeks <= 52)) return 'more than a year';
  if (weeks < 1) return 'less than a week';
  return `about ${numbers[weeks] ?? weeks} ${weeks === 1 ? 'week' : 'weeks'}`;
}

export const timeLeft = (days: number): string => `${weeksText(days)} left`;

const comparedBy = (variant: Variant, metric: Metric): Compared[] =>
  variant.comparisons.flatMap((one) =>
    one.metric === metric && one.lift ? [{ ...one, variant }] : [],
  );

const estimateOf = ({ lift }: Compared) => lift?.estimate ?? 0;
const isWinner = ({ lift }: Compared) => (lift?.low ?? 0) > 0;
const isLoser = ({ lift }: Compared) => (lift?.high ?? 0) < 0;

const leader = (all: readonly Compared[]) =>
  all.toSorted(
    (a, b) => Number(isWinner(b)) - Number(isWinner(a)) || estimateOf(b) - estimateOf(a),
  )[0];

function comparison({ variant, lift }: Compared, plan: Plan, control: Variant): string {
  const isMore = (lift?.estimate ?? 0) >= 0;
  const said = (metric: Metric, more: boolean) => sayings[metric][more ? 0 : 1];
  const others = judgedMetrics(plan)
    .slice(1)
    .flatMap((metric) =>
      comparedBy(variant, metric).map((one) => ({ metric, isMore: estimateOf(one) > 0 })),
    );
  const other = others.find((one) => one.isMore !== isMore) ?? others[0];
  const own = said(plan.metric, isMore);
  const link = other?.isMore === isMore ? 'and' : 'but';
  const clauses = other ? `${said(other.metric, other.isMore)} ${link} ${own}` : own;
  return `${quoted(variant.arm)} ${clauses} than ${quoted(control.arm)}`;
}

function decided({ lift }: Compared, metric: Metric): string {
  const { low = 0, high = 0 } = lift ?? {};
  const [from = 0, to = 0] = [Math.abs(low), Math.abs(high)].sort((a, b) => a - b);
  const range = `${percent.format(from)} to ${percent.format(Math.min(to, low > 0 ? to : 1))}`;
  return `decided by ${bare(metric)}, ${range} ${low > 0 ? 'more' : 'less'}`;
}

const all = (variants: readonly Variant[]) =>
  variants.reduce((sum, { visitors }) => sum + visitors, 0);

function undecided(
  compared: readonly Compared[],
  variants: readonly Variant[],
  metric: Metric,
  { visitorsPerDay, isOver }: Progress,
): string {
  const text = `undecided by ${bare(metric)}`;
  if (isOver) return `it ended ${text}`;
  const growth = Math.max(...compared.map((one) => one.growth ?? Number.POSITIVE_INFINITY));
  if (growth === 1) return `${text}, and no difference of a tenth is left to be found`;
  if (visitorsPerDay === 0) return `${text}, and nobody visited it in the last week`;
  return `${text}, ${timeLeft(((growth - 1) * all(variants)) / visitorsPerDay)}`;
}

function tooFew({ variants, neededEvents }: Results, metric: Metric, progress: Progress): string {
  const [name, key] = events[metric];
  const [least] = variants.toSorted((a, b) => a[key] - b[key]);
  const count = least?.[key] ?? 0;
  const text = `Too few ${name} to compare ${bare(metric)}: ${quoted(least?.arm)} has ${count} of the ${neededEvents} that a comparison needs`;
  if (progress.isOver || count === 0 || progress.visitorsPerDay === 0) return `${text}.`;
  const days = ((neededEvents / count - 1) * all(variants)) / progress.visitorsPerDay;
  return `${text}, ${timeLeft(days)}.`;
}

/** What an experiment says, in one sentence; null without a comparison. */
export function experimentVerdict(
  results: Results,
  plan: Plan,
  progress: Progress,
): Verdict | null {
  const { variants, isMismatched } = results;
  const [control, ...others] = variants;
  if (!control || others.length === 0) return null;
  const { metric } = plan;
  const found = progress.isOver ? 'Ended' : 'Running';
  const none = progress.isOver ? 'Ended, no winner' : 'Running, no winner yet';
  if (isMismatched) {
    const text = `Do not trust ${bare(metric)} of this test: the numbers of visitors do not match the shares.`;
    return { state: found, text };
  }
  const compared = others.flatMap((variant) => comparedBy(variant, metric));
  const best = leader(compared);
  if (
    !best &&
    metric === 'revenue' &&
    Math.min(...variants.map((one) => one.purchases)) >= results.neededEvents
  )
    return { state: none, text: 'Revenue per visitor cannot be compared without exchange rates.' };
  if (!best || compared.length < others.length)
    return { state: none, text: tooFew(results, metric, progress) };
  const text = comparison(best, plan, control);
  if (isWinner(best) || compared.every(isLoser))
    return { state: found, text: `${text}; ${decided(best, metric)}.` };
  return {
    state: none,
    text: `${text}${progress.isOver ? '' : ' so far'}; ${undecided(compared, variants, metric, progress)}.`,
  };
}

const hasRenewals = ({ renewals = {} }: Variant) => Object.keys(renewals).length > 0;

/** The variants that are compared without renewals to ones that have some; empty for none. */
export function renewalNote({ variants }: Results): string {
  const without = variants.filter((variant) => !hasRenewals(variant)).map(({ arm }) => quoted(arm));
  if (without.length === 0 || without.length === variants.length) return '';
  return `No payment of ${without.join(' or ')} has renewed so far, so only first payments count there.`;
}
