import type { Finding } from './alarm-kinds.ts';
import type { SeriesCounts } from './counts.ts';

/** The rollups of the last hours, by hour since 1970. */
export type RollupTotals = Record<number, SeriesCounts>;

/** The growth of each series between two readings, including past hours, because events may be late. */
export function rollupGrowth(before: RollupTotals, after: RollupTotals): SeriesCounts {
  const growth: SeriesCounts = {};
  for (const [hour, tally] of Object.entries(after)) {
    for (const [series, count] of Object.entries(tally)) {
      const more = count - (before[Number(hour)]?.[series] ?? 0);
      if (more > 0) growth[series] = (growth[series] ?? 0) + more;
    }
  }
  return growth;
}

const blindMinutes = 3;

/** @param readAt when the rollups were last read; minutes since 1970 */
export function blindnessFindings(minute: number, readAt: number): Finding[] {
  const minutes = minute - readAt;
  if (minutes < blindMinutes) return [];
  const certain = { segment: '', zScore: Number.POSITIVE_INFINITY };
  const detail = `no rollup could be read for ${minutes} minutes`;
  return [{ ...certain, kind: 'watch_blind', area: 'watch', detail, since: readAt }];
}
