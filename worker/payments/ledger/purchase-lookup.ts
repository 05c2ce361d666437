import type { D1Database } from '@cloudflare/workers-types';
import type { AccountId, AttemptId, PaymentId } from '../../platform/types.ts';
import type { GatewayEvent } from '../purchase/gateway.ts';
import { movementIdOf } from '../purchase/money-movements.ts';
import type { PaidPeriod } from '../purchase/settlement.ts';
import type { GatewayName } from '../purchase/state.ts';
import type { LedgerRow } from './ledger-table.ts';

export type PaymentRef = Omit<GatewayEvent, 'id' | 'type' | 'account'>;

export async function accountOfPayment(
  db: D1Database,
  { gateway, attempt, customerId, subscriptionId, paymentId }: PaymentRef,
): Promise<AccountId | null> {
  return db
    .prepare(
      `SELECT account_id FROM attempts WHERE id = ?2
       UNION ALL SELECT account_id FROM subscriptions WHERE gateway = ?1 AND subscription_id = ?3
       UNION ALL SELECT account_id FROM subscriptions WHERE gateway = ?1 AND customer_id = ?4
       UNION ALL SELECT account_id FROM ledger WHERE gateway = ?1 AND payment_id = ?5
       LIMIT 1`,
    )
    .bind(gateway, attempt, subscriptionId, customerId, paymentId)
    .first<AccountId>('account_id');
}

export async function payerOf(db: D1Database, paymentId: PaymentId): Promise<AccountId | null> {
  return db
    .prepare(`SELECT account_id FROM ledger WHERE payment_id = ? AND kind = 'capture' LIMIT 1`)
    .bind(paymentId)
    .first<AccountId>('account_id');
}

export async function accountOfSubscription(
  db: D1Database,
  attempt: AttemptId,
): Promise<AccountId | null> {
  return db
    .prepare('SELECT account_id FROM subscriptions WHERE attempt_id = ?')
    .bind(attempt)
    .first<AccountId>('account_id');
}

/** The next accounts with an attempt, ordered by id. */
export async function buyersAfter(
  db: D1Database,
  after: string,
  limit: number,
): Promise<AccountId[]> {
  const { results } = await db
    .prepare(
      `SELECT account_id FROM (SELECT DISTINCT account_id FROM attempts
         WHERE account_id > ?1 ORDER BY account_id LIMIT ?2)
       UNION SELECT account_id FROM (SELECT DISTINCT account_id FROM ledger
         WHERE account_id > ?1 ORDER BY account_id LIMIT ?2)
       ORDER BY account_id LIMIT ?2`,
    )
    .bind(after, limit)
    .all<{ account_id: AccountId }>();
  return results.map(({ account_id }) => account_id);
}

/** Those of the accounts that have a row of their own. */
export async function knownBuyers(
  db: D1Database,
  accounts: readonly AccountId[],
): Promise<AccountId[]> {
  const { results } = await db
    .prepare(
      `SELECT value AS account FROM json_each(?)
       WHERE EXISTS (SELECT 1 FROM attempts WHERE account_id = value)
         OR EXISTS (SELECT 1 FROM ledger WHERE account_id = value)`,
    )
    .bind(JSON.stringify(accounts))
    .all<{ account: AccountId }>();
  return results.map(({ account }) => account);
}

export type PurchaseCopy = Pick<
  LedgerRow,
  'id' | 'account' | 'attempt' | 'gateway' | 'currency' | 'amount'
>;

export async function copiesOf(
  db: D1Database,
  accounts: readonly AccountId[],
): Promise<PurchaseCopy[]> {
  const { results } = await db
    .prepare(
      `SELECT id, account_id AS account, attempt_id AS attempt, gateway, currency, amount
       FROM ledger WHERE account_id IN (SELECT value FROM json_each(?))`,
    )
    .bind(JSON.stringify(accounts))
    .all<PurchaseCopy>();
  return results;
}

/** Net amounts by movement; a reversal row reduces its movement. */
export async function ledgerAmounts(
  db: D1Database,
  gateway: GatewayName,
  payments: readonly PaymentId[],
): Promise<Map<string, number>> {
  const { results } = await db
    .prepare(
      `SELECT id, amount FROM ledger
       WHERE gateway = ?1 AND payment_id IN (SELECT value FROM json_each(?2))`,
    )
    .bind(gateway, JSON.stringify(payments))
    .all<{ id: string; amount: number }>();
  const amounts = new Map<string, number>();
  for (const { id, amount } of results) {
    const movement = movementIdOf(id);
    amounts.set(movement, (amounts.get(movement) ?? 0) + amount);
  }
  return amounts;
}

type CaptureRow = Pick<LedgerRow, Exclude<keyof PurchaseCopy, 'gateway'> | 'paymentId' | 'at'>;

/** Ordered by time. @param after `[ms since 1970, id, …]` of the last one, as JSON */
export async function capturesAfter(
  db: D1Database,
  gateway: GatewayName,
  { period, after, limit }: { period: PaidPeriod; after: string; limit: number },
): Promise<CaptureRow[]> {
  const { from, to } = period;
  const [at, id]: [number, string] = after ? JSON.parse(after) : [from, ''];
  const { results } = await db
    .prepare(
      `SELECT id, attempt_id AS attempt, account_id AS account, payment_id AS paymentId, amount,
         currency, occurred_at AS at
       FROM ledger
       WHERE occurred_at >= ?2 AND occurred_at < ?3 AND (occurred_at, id) > (?2, ?4)
         AND gateway = ?1 AND kind = 'capture' AND amount > 0
       ORDER BY occurred_at, id LIMIT ?5`,
    )
    .bind(gateway, at, to, id, limit)
    .all<CaptureRow>();
  return results;
}
