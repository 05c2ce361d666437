import type { Tally } from './counts.ts';

/** What the rollups say of the last hours, by hour since 1970. */
export type RollupTotals = Record<number, Tally>;

/** How much each series grew between two readings, also in an hour that is over: events may be late. */
export function rollupGrowth(before: RollupTotals, after: RollupTotals): Tally {
  const growth: Tally = {};
  for (const [hour, tally] of Object.entries(after)) {
    for (const [series, count] of Object.entries(tally)) {
      const more = count - (before[Number(hour)]?.[series] ?? 0);
      if (more > 0) growth[series] = (growth[series] ?? 0) + more;
    }
  }
  return growth;
}
