import type { D1Database } from '@cloudflare/workers-types';
import type { AccountId, AttemptId, EpochMs, Minor, PaymentId } from '../../types.ts';
import type { GatewayName } from '../rules/attempt.ts';

export interface LedgerRow {
  id: string;
  attempt: AttemptId;
  account: AccountId;
  kind: 'capture' | 'refund' | 'dispute';
  amount: Minor;
  tax?: Minor | undefined;
  currency: string;
  paymentId: PaymentId;
  refundKey?: string | undefined;
  gateway: GatewayName;
  experiment: string | null;
  arm: string;
  at: EpochMs;
}

export const insertRow = (db: D1Database, row: LedgerRow) =>
  db
    .prepare(
      `INSERT INTO ledger
         (id, attempt_id, account_id, kind, amount, tax, currency, payment_id, gateway, experiment,
          arm, occurred_at, refund_key)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
    )
    .bind(
      row.id,
      row.attempt,
      row.account,
      row.kind,
      row.amount,
      row.tax ?? null,
      row.currency,
      row.paymentId,
      row.gateway,
      row.experiment,
      row.arm,
      row.at,
      row.refundKey || null,
    );
