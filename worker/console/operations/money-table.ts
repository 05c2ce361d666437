import type { D1Database } from '@cloudflare/workers-types';
import type { Minor } from '../../platform/types.ts';
import { daysIn, type ReportPeriod } from '../parts/rules/period.ts';

export interface MoneyCount {
  /** In the period's zone, such as 2026-11-22. */
  day: string;
  provider: string;
  currency: string;
  step: 'capture' | 'refund' | 'dispute';
  count: number;
  /** Minor units. */
  amount: Minor;
}

/** Money that moved on the days of a period, from rollups. */
export async function moneyCounts(
  analytics: Pick<D1Database, 'prepare'>,
  period: ReportPeriod,
): Promise<MoneyCount[]> {
  const { results } = await analytics
    .prepare(
      `SELECT value ->> 'day' AS day, provider, currency, step,
         sum(count) AS count, sum(amount) AS amount
       FROM json_each(?1) CROSS JOIN payments
         ON hour >= value ->> 'from' AND hour < value ->> 'to'
         AND step IN ('capture', 'refund', 'dispute')
       GROUP BY value ->> 'day', provider, currency, step`,
    )
    .bind(JSON.stringify(daysIn(period)))
    .all<MoneyCount>();
  return results;
}
