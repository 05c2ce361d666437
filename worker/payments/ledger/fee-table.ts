import type { D1Database } from '@cloudflare/workers-types';
import type { Minor } from '../../platform/types.ts';
import type { Fees, PaidPeriod } from '../purchase/settlement.ts';

/** A provider's fees of a day; storing a day again replaces it. @param day UTC, `2026-11-22` */
export async function storeFees(
  db: D1Database,
  gateway: string,
  day: string,
  fees: Fees,
): Promise<void> {
  const insert = db.prepare(
    `INSERT OR REPLACE INTO provider_fees (day, gateway, currency, amount)
     SELECT ?1, ?2, key, value FROM json_each(?3)`,
  );
  await insert.bind(day, gateway, JSON.stringify(fees)).run();
}

export interface FeeRow {
  day: string;
  gateway: string;
  currency: string;
  amount: Minor;
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

export async function feesBetween(db: D1Database, { from, to }: PaidPeriod): Promise<FeeRow[]> {
  const { results } = await db
    .prepare(
      'SELECT day, gateway, currency, amount FROM provider_fees WHERE day >= ?1 AND day <= ?2',
    )
    .bind(dayOf(from), dayOf(to - 1))
    .all<FeeRow>();
  return results;
}
