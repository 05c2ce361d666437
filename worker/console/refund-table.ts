import type { D1Database } from '@cloudflare/workers-types';
import type { ErrorCode } from '../errors.ts';
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
const minuteMs = 60_000;
/** A provider that did not answer is asked again, and may date a refund later than its command. */
const hourMs = 60 * minuteMs;
/** Results of commands that refunded nothing. */
const refusals = ['payment_unknown', 'refund_too_large', 'refund_refused'] satisfies ErrorCode[];

/** The newest first. */
export async function refundsBetween(
  db: D1Database,
  { from, to }: Pick<Period, 'from' | 'to'>,
): Promise<RefundRow[]> {
  const { results } = await db
    .prepare(
      `SELECT occurred_at, amount, currency, gateway, payment_id, account_id,
         (SELECT reason FROM audit WHERE target = payment_id AND action = 'refund'
            AND result NOT IN (${refusals.map((code) => `'${code}'`).join(', ')})
            AND started_at BETWEEN occurred_at - ${hourMs} AND occurred_at + ${minuteMs}
          ORDER BY abs(started_at - occurred_at) LIMIT 1) AS reason
       FROM ledger WHERE occurred_at >= ?1 AND occurred_at < ?2 AND kind = 'refund' AND amount > 0
       ORDER BY occurred_at DESC LIMIT ?3`,
    )
    .bind(from, to, maxListed)
    .all<RefundRow>();
  return results;
}
