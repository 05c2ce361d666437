import type { D1Database } from '@cloudflare/workers-types';
import type { FailureOutcome } from '../purchase/renewal-state.ts';
import type { PaidPeriod } from '../purchase/settlement.ts';
import type { GatewayName } from '../purchase/state.ts';

/** Renewals that failed in a period and ended in one way. */
export interface FailedRenewals {
  gateway: GatewayName;
  currency: string;
  outcome: FailureOutcome;
  count: number;
  amount: number;
  /** Average time from the failure to its end; null while they are open. */
  days: number | null;
}

export async function failedRenewals(
  db: Pick<D1Database, 'prepare'>,
  { from, to }: PaidPeriod,
): Promise<FailedRenewals[]> {
  const { results } = await db
    .prepare(
      `SELECT gateway, currency, outcome, COUNT(*) AS count, SUM(amount) AS amount,
         AVG(ended_at - failed_at) / 86400000.0 AS days
       FROM failed_renewals WHERE failed_at >= ?1 AND failed_at < ?2
       GROUP BY gateway, currency, outcome ORDER BY gateway, currency, outcome`,
    )
    .bind(from, to)
    .all<FailedRenewals>();
  return results;
}

/** Adds up several databases. */
export function sumOfRenewals(rows: readonly FailedRenewals[]): FailedRenewals[] {
  const groups = Map.groupBy(rows, ({ gateway, currency, outcome }) =>
    [gateway, currency, outcome].join(' '),
  );
  return [...groups.values()].map((group) =>
    group.reduce((one, other) => {
      const count = one.count + other.count;
      const days =
        one.days === null || other.days === null
          ? null
          : (one.days * one.count + other.days * other.count) / count;
      const { gateway, currency, outcome } = one;
      return { gateway, currency, outcome, count, amount: one.amount + other.amount, days };
    }),
  );
}
