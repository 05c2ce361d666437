import type { D1Database } from '@cloudflare/workers-types';
import type { AccountId, AttemptId, Minor, PaymentId } from '../../platform/types.ts';
import type { GatewayName } from '../purchase/state.ts';

export const operatorCaseQueue = 'purchases';

const suffixes = {
  'price notice not delivered': ':price',
  'price not raised': ':price',
  'renewal notice not delivered': ':renewal',
} as const;

export interface OperatorCase {
  attempt: AttemptId;
  account: AccountId;
  gateway: GatewayName;
  since: number;
  isOpen: boolean;
  at: number;
  /** Of a case about a price or a renewal; without it, the outcome of an attempt is unknown. */
  reason?: keyof typeof suffixes;
}

export interface UnspentMoney {
  attempt: AttemptId;
  account: AccountId;
  gateway: GatewayName;
  payment: PaymentId;
  amount: Minor;
  currency: string;
  at: number;
  /** `money kept`: nothing was sold for it. Missing in entries of an older build. */
  reason?: 'money kept' | 'not announced';
}

export function putCase(db: D1Database, { isOpen, at, reason, ...body }: OperatorCase) {
  const id = `${operatorCaseQueue}:${body.attempt}${reason ? suffixes[reason] : ''}`;
  if (!isOpen) {
    return db
      .prepare("UPDATE dead_letters SET replay_key = 'resolved', replayed_at = ? WHERE id = ?")
      .bind(at, id);
  }
  return db
    .prepare(
      `INSERT INTO dead_letters (id, queue, message_id, body, reason, stored_at)
       VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET stored_at = excluded.stored_at, reason = excluded.reason, replay_key = NULL, replayed_at = NULL`,
    )
    .bind(
      id,
      operatorCaseQueue,
      body.attempt,
      JSON.stringify(body),
      reason ?? 'outcome unknown',
      at,
    );
}

export const recordUnspentMoney = (
  db: D1Database,
  { at, reason = 'money kept', ...body }: UnspentMoney,
) =>
  db
    .prepare(
      `INSERT INTO dead_letters (id, queue, message_id, body, reason, stored_at)
       VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
    )
    .bind(
      `${operatorCaseQueue}:${body.attempt}:${body.payment}`,
      operatorCaseQueue,
      body.attempt,
      JSON.stringify(body),
      reason,
      at,
    );
