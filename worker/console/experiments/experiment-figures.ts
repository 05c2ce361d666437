import type { D1Database } from '@cloudflare/workers-types';
import type { Documents } from '../../documents/document-set.ts';
import {
  type ArmDay,
  type ArmFacts,
  type CohortFacts,
  cohortFacts,
  experimentDays,
  experimentFacts,
  type SegmentDimension,
  segmentDimensions,
  segmentFacts,
} from '../../experiments/results-table.ts';
import { minEventsFor } from '../../experiments/rules/always-valid.ts';
import { type Reporting, rateText } from '../../experiments/rules/reporting.ts';
import type { Variant } from '../../experiments/rules/split.ts';
import { dayMs } from '../../platform/durations.ts';
import { type Log, reasonOf } from '../../platform/log.ts';
import { amountText, percentText, wholeText } from '../parts/figure-text.ts';
import { estimatesFor } from './estimate-lines.ts';
import type { ResultsEnd } from './results-end.ts';
import { cohortRows } from './rules/cohort-rows.ts';
import type { Draft } from './rules/experiment-draft.ts';
import {
  endedNote,
  type Guardrail,
  guardrailVerdict,
  liftText,
  type Results,
  resultsOf,
  shareByDay,
} from './rules/results.ts';
import { experimentVerdict, judgedMetrics, type Plan, renewalNote } from './rules/verdict.ts';
import type { ResultsView } from './screens/results.tsx';

/** `../../analytics/event-shard-object.ts` */
const maxRollupAgeMs = 2 * 60_000;

const dayText = (day: number) => new Date(day).toISOString().slice(0, 10);

const amountsText = (amounts: Record<string, number> = {}) =>
  Object.entries(amounts)
    .map(([currency, minor]) => amountText(minor, currency))
    .join('\n') || '–';

/** One row for each measure, so that the variants stand side by side on a phone too. */
function measureRows(
  { variants, currency }: Results,
  known: readonly Variant[],
): ResultsView['rows'] {
  const all = variants.reduce((sum, { visitors }) => sum + visitors, 0);
  const weights = known.reduce((sum, { weight }) => sum + weight, 0);
  const row = (name: string, cellOf: (variant: Results['variants'][number]) => string) => ({
    name,
    cells: variants.map(cellOf),
  });
  if (variants.length === 0) return [];
  return [
    ...(known.length > 0
      ? [
          row('Flow', ({ arm }) => known.find(({ key }) => key === arm)?.flow ?? ''),
          row('Share of visitors', ({ arm, visitors }) => {
            const weight = known.find(({ key }) => key === arm)?.weight ?? 0;
            return `${percentText(visitors, all)}\nplanned ${percentText(weight, weights)}`;
          }),
        ]
      : []),
    row('Visitors', ({ visitors }) => wholeText(visitors)),
    row('Sign-ups', ({ signUps }) => wholeText(signUps)),
    row('Purchases', ({ purchases }) => wholeText(purchases)),
    row('Bought', ({ purchases, visitors }) => percentText(purchases, visitors)),
    row('First payments', ({ revenue }) => amountsText(revenue)),
    row('Renewals', ({ renewals }) => amountsText(renewals)),
    row('Revenue per visitor of the test', ({ revenuePerVisitor }) =>
      currency && revenuePerVisitor !== null ? amountText(revenuePerVisitor, currency) : '–',
    ),
  ];
}

/** Of visitors who came so long ago, because later ones could not pay yet. */
const firstDayRows = (
  cohorts: readonly CohortFacts[],
  { variants }: Results,
  reporting: Reporting | null,
): ResultsView['rows'] =>
  cohortRows(
    cohorts,
    variants.map(({ arm }) => arm),
    reporting,
  ).map(({ days, currency, cells }) => ({
    name: `Revenue per visitor in the first ${days} days after the sign-up`,
    cells: cells.map((cell) =>
      cell
        ? `${amountText(cell.perVisitor, currency)}\nof ${wholeText(cell.visitors)} who came ${days} days ago or earlier`
        : '–',
    ),
  }));

const comparisonsOf = ({ variants, neededEvents }: Results): ResultsView['comparisons'] =>
  variants.slice(1).map(({ arm, comparisons }) => ({
    variant: arm,
    metrics: comparisons.map(({ name, lift, isExploratory }) => ({
      name,
      lift,
      verdict: isExploratory
        ? `Exploratory. ${liftText(lift, neededEvents)}`
        : liftText(lift, neededEvents),
    })),
  }));

/** A rate that is half as high again is worth a look before its difference is certain. */
function watched(own: Guardrail, first: Guardrail): { verdict: string; isRaised: boolean } {
  const isHigh = own.lift === null && own.part >= 5 && (own.share ?? 0) > 1.5 * (first.share ?? 0);
  const verdict = isHigh ? 'Higher, but too few to judge.' : guardrailVerdict(own);
  return { verdict, isRaised: isHigh || verdict.startsWith('Worse') };
}

const guardrailRows = ({ variants: [first, ...others] }: Results): ResultsView['guardrails'] =>
  (others.length > 0 && first ? first.guardrails : []).map((model, at) => ({
    name: model.name,
    variants: [first, ...others].flatMap((variant, column) => {
      const own = variant?.guardrails[at];
      if (!own) return [];
      return {
        share: percentText(own.part, own.whole),
        counts: `${wholeText(own.part)} of ${wholeText(own.whole)}`,
        ...(column === 0 ? { verdict: '', isRaised: false } : watched(own, model)),
      };
    }),
  }));

const maxSegments = 15;

const dimensionTabs = (experiment: string, chosen?: SegmentDimension) =>
  segmentDimensions.map((name) => ({
    name: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    href: `/console/experiments?experiment=${encodeURIComponent(experiment)}&by=${name}`,
    isChosen: name === chosen,
  }));

/** By purchases. The error is divided among the variants only, not among the segments. */
const segmentRows = (
  known: readonly Variant[],
  segments: ReadonlyMap<string, readonly ArmFacts[]> | null,
): ResultsView['segments'] =>
  [...(segments ?? [])].slice(0, maxSegments).map(([name, facts]) => ({
    name: name || 'unknown',
    cells: resultsOf(known, facts, null, []).variants.map((row, at) => {
      const lift = row.comparisons.find(({ metric }) => metric === 'purchases')?.lift ?? null;
      const share = `${percentText(row.purchases, row.visitors)} of ${wholeText(row.visitors)}`;
      return at === 0 ? share : `${share}\n${liftText(lift, minEventsFor(known.length - 1))}`;
    }),
  }));

interface Shown {
  experiment: string;
  /** Empty for a past experiment: only its arms with visitors are known. */
  variants: readonly Variant[];
  reporting: Reporting | null;
  end: ResultsEnd | null;
  plan?: Plan & { isOver: boolean; isUneven: boolean; stops: string };
  by?: SegmentDimension | undefined;
}

function visitorsPerDay(days: readonly ArmDay[], now: number): number {
  const today = now - (now % dayMs);
  const recent = days.filter(({ day }) => day >= today - 7 * dayMs && day < today);
  const first = Math.min(...days.map(({ day }) => day));
  const count = Math.min(7, (today - first) / dayMs);
  return count > 0 ? recent.reduce((sum, { visitors }) => sum + visitors, 0) / count : 0;
}

async function readResults(
  analytics: D1Database,
  { experiment, variants, reporting, end, plan, by }: Shown,
): Promise<ResultsView> {
  const [facts, byDay, segments] = await Promise.all([
    experimentFacts(analytics, experiment, end?.at),
    experimentDays(analytics, experiment, end?.at),
    by ? segmentFacts(analytics, experiment, by, end?.at) : null,
  ]);
  const split = end?.variants ?? variants;
  const known = split.length > 0 ? split : facts.map(({ arm }) => equalShare(arm));
  const results = resultsOf(known, facts, reporting, plan && judgedMetrics(plan));
  const hasRevenue = facts.some(({ revenue }) => Object.keys(revenue).length > 0);
  const cohorts = hasRevenue
    ? firstDayRows(
        await cohortFacts(analytics, experiment, Date.now(), end?.at),
        results,
        reporting,
      )
    : [];
  const arms = results.variants.map(({ arm }) => arm);
  const { days, shares } = shareByDay(byDay, arms);
  const countedUntil = Math.min(end?.at ?? Number.POSITIVE_INFINITY, Date.now() - maxRollupAgeMs);
  const isMismatched = split.length > 0 && !plan?.isUneven && results.isMismatched;
  const ended = plan ? plan.stops : endedNote(variants, end !== null);
  // Of another experiment than the live one no variant is known.
  const isOver = plan?.isOver ?? (ended !== '' || variants.length === 0);
  const judged = { ...results, isMismatched };
  return {
    experiment,
    verdict: experimentVerdict(
      judged,
      plan ?? { metric: results.currency ? 'revenue' : 'purchases', secondary: ['purchases'] },
      { visitorsPerDay: visitorsPerDay(byDay, Date.now()), isOver },
    ),
    isByRevenue: results.currency !== null && (!plan || plan.metric === 'revenue'),
    renewals: renewalNote(results),
    days: [...new Set([days[0], days.at(-1)])].map((day) => day && dayText(day)).join(' to '),
    variants: arms,
    rows: [...measureRows(results, split), ...cohorts],
    comparisons: comparisonsOf(results),
    money: moneyNote(results, reporting),
    ended,
    countedUntil: new Date(countedUntil).toISOString(),
    guardrails: guardrailRows(results),
    dimensions: dimensionTabs(experiment, by),
    segments: segmentRows(known, segments),
    development: {
      times: days.map((day) => dayText(day).slice(5)),
      lines: shares.map(({ arm, ...line }) => ({ name: arm, ...line })),
    },
    isMismatched,
  };
}

/** Null without rollups: the form is shown without results. */
export async function resultsView(
  analytics: D1Database,
  shown: Shown,
  log: Log,
): Promise<ResultsView | null> {
  const { experiment } = shown;
  if (!/^[\w-]{1,64}$/.test(experiment)) return null;
  try {
    return await readResults(analytics, shown);
  } catch (error) {
    log('error', 'results_failed', { name: experiment, reason: reasonOf(error) });
    return null;
  }
}

/** The currency of revenue per visitor, or why it is missing. */
function moneyNote({ currency, currencies }: Results, reporting: Reporting | null): string {
  if (currencies.length === 0) return '';
  if (!currency) {
    return `Revenue per visitor needs one currency: add exchange rates for ${currencies.join(', ')} to the settings as text, as “reporting”.`;
  }
  return `Revenue per visitor is in ${[currency, rateText(currencies, reporting)].join(' ').trim()}.`;
}

const equalShare = (key: string): Variant => ({ key, weight: 1, flow: '' });

export async function estimateLines(
  analytics: D1Database,
  documents: Documents,
  log: Log,
  draft?: Draft,
): Promise<string[]> {
  try {
    return await estimatesFor(analytics, documents, draft);
  } catch (error) {
    log('error', 'results_failed', { reason: reasonOf(error) });
    return [];
  }
}
