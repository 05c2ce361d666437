import type { D1Database } from '@cloudflare/workers-types';
import type { AccountId, Minor, PaymentId } from '../types.ts';
import type { Period } from './rules/period.ts';

interface RefundRow {
  occurred_at: number;
  amount: Minor;
  currency: string;
  gateway: string;
  payment_id: PaymentId;
  account_id: AccountId;
  /** What an operator wrote; null for a refund that was not made here by a person. */
  reason: string | null;
}

const maxListed = 50;

/** The newest first. */
export async function refundsBetween(
  db: D1Database,
  { from, to }: Pick<Period, 'from' | 'to'>,
): Promise<RefundRow[]> {
  const { results } = await db
    .prepare(
      `SELECT occurred_at, amount, currency, gateway, payment_id, account_id,
         (SELECT reason FROM audit WHERE target = payment_id AND action = 'refund'
          ORDER BY started_at DESC LIMIT 1) AS reason
       FROM ledger WHERE occurred_at >= ?1 AND occurred_at < ?2 AND kind = 'refund' AND amount > 0
       ORDER BY occurred_at DESC LIMIT ?3`,
    )
    .bind(from, to, maxListed)
    .all<RefundRow>();
  return results;
}
