import type { D1Database } from '@cloudflare/workers-types';
import type { Period } from './rules/period.ts';

export interface MoneyCount {
  /** Start of the day, ms since 1970. */
  day: number;
  provider: string;
  currency: string;
  step: 'capture' | 'refund' | 'dispute';
  count: number;
  /** Minor units. */
  amount: number;
}

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

/** Money that moved in a period, from rollups. */
export async function moneyCounts(
  analytics: Pick<D1Database, 'prepare'>,
  { from, to }: Pick<Period, 'from' | 'to'>,
): Promise<MoneyCount[]> {
  const { results } = await analytics
    .prepare(
      `WITH RECURSIVE every_hour (time) AS (
         SELECT ?1 UNION ALL SELECT time + ${hourMs} FROM every_hour WHERE time + ${hourMs} < ?2)
       SELECT hour - hour % ${dayMs} AS day, provider, currency, step,
         sum(count) AS count, sum(amount) AS amount
       FROM every_hour CROSS JOIN payments
         ON hour = time AND step IN ('capture', 'refund', 'dispute')
       GROUP BY hour - hour % ${dayMs}, provider, currency, step`,
    )
    .bind(from, to)
    .all<MoneyCount>();
  return results;
}
