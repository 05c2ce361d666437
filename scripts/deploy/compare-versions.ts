import { type Share, sameShare } from '../../worker/experiments/rules/statistics.ts';

/** Figures of one version's visitors since the current stage of the rollout began. */
export interface Figures {
  /** Share of requests that the Worker answered with status 500 or above. */
  errors: Share;
  /** By web vital: share of measurements that were not good. */
  vitals: Record<string, Share>;
  /** By step of the funnel: share of visitors who completed it after reaching it. */
  steps: Record<string, Share>;
}

/** Rolls back about one harmless rollout in a hundred, because dozens of figures are tested, and often. */
const significance = 0.00005;
const minTrials = 100;
/** The least number of cases; the test of shares is invalid for fewer. */
const minCases = 10;
/** Smaller differences are ignored: errors and slow pages must rise by a fifth, steps fall by a tenth. */
const minRise = 1.2;
const maxRemaining = 0.9;

const none: Share = { successes: 0, trials: 0 };
const rate = ({ successes, trials }: Share) => successes / trials;

function differ(newer: Share, older: Share): boolean {
  const trials = Math.min(newer.trials, older.trials);
  const cases = newer.successes + older.successes;
  return trials >= minTrials && cases >= minCases && sameShare(newer, older) < significance;
}

const percent = (share: Share) => `${(100 * rate(share)).toFixed(1)} %`;

function compare(
  newer: Record<string, Share>,
  older: Record<string, Share>,
  isWorse: (newer: number, older: number) => boolean,
): string[] {
  return Object.entries(newer).flatMap(([name, share]) => {
    const before = older[name] ?? none;
    if (!differ(share, before) || !isWorse(rate(share), rate(before))) return [];
    const [now, then] = [percent(share), percent(before)];
    return [`${name}: ${now} of ${share.trials}; the old version ${then} of ${before.trials}`];
  });
}

/** One line for each figure in which the newer version is worse than the older one in the same period. */
export function reasonsToRollBack(newer: Figures, older: Figures): string[] {
  const rose = (now: number, before: number) => now > before * minRise;
  const dropped = (now: number, before: number) => now < before * maxRemaining;
  return [
    ...compare({ errors: newer.errors }, { errors: older.errors }, rose),
    ...compare(newer.vitals, older.vitals, rose),
    ...compare(newer.steps, older.steps, dropped),
  ];
}
