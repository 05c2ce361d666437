import type { D1Database } from '@cloudflare/workers-types';
import { everyAccountDatabase } from '../../platform/account-databases.ts';
import type { Env } from '../../platform/env.ts';
import type { AccountId, Minor, PaymentId } from '../../platform/types.ts';
import type { ReportPeriod } from '../parts/rules/period.ts';
import { decisionOf, otherReason } from './rules/refund-reason.ts';

interface RefundRow {
  id: string;
  occurred_at: number;
  amount: Minor;
  currency: string;
  gateway: string;
  payment_id: PaymentId;
  account_id: AccountId;
  refund_key: string | null;
  /** The buyer's; null for a deleted account. */
  email: string | null;
}

interface AuditRow {
  action: string;
  target: string;
  details: string;
  reason: string;
  result: string;
}

/** Enough for the reasons of a usual period; the page lists fewer. */
const maxListed = 500;

export type Refund = RefundRow & { reason: string };

/** From all databases. */
export async function allRefundsBetween(env: Env, period: Pick<ReportPeriod, 'from' | 'to'>) {
  const found = await Promise.all(
    everyAccountDatabase(env).map((db) => refundsBetween(db, period, env.DB)),
  );
  return found
    .flat()
    .sort((a, b) => b.occurred_at - a.occurred_at)
    .slice(0, maxListed);
}

/** Newest first, each with its reason. @param auditIn the database of the audit */
export async function refundsBetween(
  db: D1Database,
  { from, to }: Pick<ReportPeriod, 'from' | 'to'>,
  auditIn: D1Database = db,
): Promise<Refund[]> {
  const { results: refunds } = await db
    .prepare(
      `SELECT ledger.id, occurred_at, amount, currency, gateway, payment_id, account_id, refund_key, email
       FROM ledger LEFT JOIN accounts ON accounts.id = account_id
       WHERE occurred_at >= ?1 AND occurred_at < ?2 AND kind = 'refund' AND amount > 0
       ORDER BY occurred_at DESC LIMIT ?3`,
    )
    .bind(from, to, maxListed)
    .all<RefundRow>();
  const { results: audit } = await auditIn
    .prepare(
      `SELECT action, target, details, reason, result FROM audit
       WHERE target IN (SELECT value FROM json_each(?)) AND action = 'refund'`,
    )
    .bind(JSON.stringify(refunds.map(({ payment_id }) => payment_id)))
    .all<AuditRow>();
  return refunds.map((refund) => ({
    ...refund,
    reason: decisionOf(refund, audit)?.reason ?? otherReason(refund.refund_key),
  }));
}
