import { type Counts, median } from './counts.ts';

/** Visitors come in bursts: counts vary by this factor more than independent ones. */
const dispersion = 1.3;
/** Rates drift by this much from week to week without a fault. */
const usualDrift = 0.07;
/** Window lengths in minutes; shorter ones detect a break sooner, longer ones a small or quiet one. */
const windows = [5, 10, 30, 60] as const;
/** For a series without past weeks: the preceding hours, in minutes before now. */
const withoutPast = { from: 180, to: 65 };

export interface Observation {
  /** Standard deviations above (or, if negative, below) the expected value. */
  zScore: number;
  count: number;
  of: number;
  expected: number;
  windowMinutes: number;
}

/** The signed root of the likelihood ratio, which is accurate for small counts too. */
export function zScoreOf(count: number, expected: number, drift = usualDrift): number {
  const ratio = count === 0 ? 0 : count * Math.log(count / expected);
  const root = Math.sqrt(Math.max(0, 2 * (ratio - (count - expected))));
  const size = root / Math.sqrt(dispersion + expected * drift ** 2);
  return count < expected ? -size : size;
}

interface Baseline {
  rate: number;
  drift: number;
}

/** The median of the past weeks, so that last week's fault does not become the baseline. */
function baselineOf(counts: Counts, part: string, whole: string, minute: number): Baseline | null {
  const wholes = counts.past(whole, minute);
  const rates = counts.past(part, minute).flatMap((count, week) => {
    const all = wholes[week];
    return all ? [count / all] : [];
  });
  if (rates.length === 0) {
    const [from, to] = [minute - withoutPast.from, minute - withoutPast.to];
    const all = counts.sum(whole, from, to);
    return all > 0 ? { rate: counts.sum(part, from, to) / all, drift: 2 * usualDrift } : null;
  }
  const rate = median(rates);
  if (rate === 0) return { rate, drift: usualDrift };
  const apart = median(rates.map((each) => Math.abs(each - rate) / rate));
  return { rate, drift: Math.max(usualDrift, apart) };
}

/** The least expected count, so that a rise of events that never happened before can be measured. */
const minExpected = 0.5;

const clearest = (found: readonly Observation[], direction: 'drop' | 'rise') =>
  found.toSorted((a, b) => (direction === 'rise' ? b.zScore - a.zScore : a.zScore - b.zScore))[0];

/**
 * How far a share is from the same hour of past weeks, in the window with the clearest result.
 * @param lagMinutes the delay of the part behind the whole: the smaller of both counts is expected to convert, so
 * that a wave of visitors who have not come that far yet is no drop
 */
export function shareObserved(
  counts: Counts,
  { part, whole, lagMinutes }: { part: string; whole: string; lagMinutes: number },
  minute: number,
  direction: 'drop' | 'rise',
): Observation | undefined {
  const baseline = baselineOf(counts, part, whole, minute);
  if (!baseline) return undefined;
  const observations = windows.map((windowMinutes) => {
    const from = minute - windowMinutes;
    const count = counts.sum(part, from, minute);
    const now = counts.sum(whole, from, minute);
    const before = counts.sum(whole, from - lagMinutes, minute - lagMinutes);
    const of = direction === 'drop' ? Math.min(now, before) : Math.max(now, before);
    const floor = direction === 'rise' ? minExpected : Number.MIN_VALUE;
    const expected = Math.max(floor, baseline.rate * of);
    // A payment has several webhooks: then chance varies the number of payments, too, not only of webhooks.
    const drift =
      baseline.rate > 1 && of > 0 ? Math.hypot(baseline.drift, of ** -0.5) : baseline.drift;
    return {
      zScore: zScoreOf(count, expected, drift),
      count,
      of,
      expected,
      windowMinutes,
    };
  });
  return clearest(observations, direction);
}

/** Today's visitors compared with past weeks, in the two hours before the window. */
function levelOf(counts: Counts, series: string, minute: number): number {
  const [from, to] = [minute - 150, minute - 30];
  const expected = median(counts.past(series, minute - 90)) * (to - from);
  return expected > 0 ? Math.min(1, counts.sum(series, from, to) / expected) : 1;
}

/** How far a count is below the same hour of past weeks, scaled to today's level. */
export function countObserved(
  counts: Counts,
  series: string,
  minute: number,
): Observation | undefined {
  const past = counts.past(series, minute);
  if (past.length === 0) return undefined;
  const level = levelOf(counts, series, minute);
  const observations = windows.map((windowMinutes) => {
    const count = counts.sum(series, minute - windowMinutes, minute);
    const expected = Math.max(Number.MIN_VALUE, median(past) * level * windowMinutes);
    return {
      zScore: zScoreOf(count, expected, 3 * usualDrift),
      count,
      of: expected,
      expected,
      windowMinutes,
    };
  });
  return clearest(observations, 'drop');
}
