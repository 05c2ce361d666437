import { type Share, sameShare } from '../../worker/experiments/rules/statistics.ts';

/** What the visitors of one version did since the stage of the rollout began. */
export interface Figures {
  /** Requests that ended in an error of ours, of all requests. */
  errors: Share;
  /** By web vital: measurements that were not good. */
  vitals: Record<string, Share>;
  /** By step of the funnel: visitors who took it, of those who reached it. */
  steps: Record<string, Share>;
}

/** By accident a rollout is rolled back about once in a hundred: it looks at dozens of figures, and often. */
const significance = 0.00005;
const leastTrials = 100;
/** Cases that must have happened; the test of shares is wrong for fewer. */
const leastCases = 10;
/** What a difference must be worth: errors and slow pages a fifth more, steps a tenth fewer. */
const leastRise = 1.2;
const leastDrop = 0.9;

const none: Share = { successes: 0, trials: 0 };
const rate = ({ successes, trials }: Share) => successes / trials;

function differ(newer: Share, older: Share): boolean {
  const trials = Math.min(newer.trials, older.trials);
  const cases = newer.successes + older.successes;
  return trials >= leastTrials && cases >= leastCases && sameShare(newer, older) < significance;
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

/** One line for each figure in which the newer version is worse than the older one at the same time. */
export function reasonsToRollBack(newer: Figures, older: Figures): string[] {
  const rose = (now: number, before: number) => now > before * leastRise;
  const dropped = (now: number, before: number) => now < before * leastDrop;
  return [
    ...compare({ errors: newer.errors }, { errors: older.errors }, rose),
    ...compare(newer.vitals, older.vitals, rose),
    ...compare(newer.steps, older.steps, dropped),
  ];
}
