import type { AccountId, AttemptId } from '../../platform/types.ts';
import type { MovementRow } from '../purchase/money-movements.ts';
import type { GatewayName } from '../purchase/state.ts';
import type { CopiedRow } from './rules/copied-rows.ts';

export interface LedgerRow extends MovementRow {
  attempt: AttemptId;
  account: AccountId;
  currency: string;
  gateway: GatewayName;
  experiment: string | null;
  arm: string;
  arms?: string;
}

export const ledgerRow = (row: LedgerRow): CopiedRow => ({
  table: 'ledger',
  row: {
    id: row.id,
    attempt_id: row.attempt,
    account_id: row.account,
    kind: row.kind,
    amount: row.amount,
    tax: row.tax ?? null,
    currency: row.currency,
    payment_id: row.paymentId,
    gateway: row.gateway,
    experiment: row.experiment,
    arm: row.arm,
    arms: row.arms ?? '',
    occurred_at: row.at,
    refund_key: row.refundKey || null,
  },
});
