import type { D1Database } from '@cloudflare/workers-types';
import type { GatewayName } from './rules/attempt.ts';
import type { GatewayEvent } from './rules/gateway.ts';

type PaymentRef = Omit<GatewayEvent, 'id' | 'type' | 'account'>;

/** The account of a gateway's event; null when none of its ids is known here. */
export async function accountOfPayment(
  db: D1Database,
  { gateway, attempt, customerId, subscriptionId, paymentId }: PaymentRef,
): Promise<string | null> {
  return db
    .prepare(
      `SELECT account FROM purchases WHERE attempt = ?2
       UNION ALL SELECT account FROM holdings WHERE gateway = ?1 AND subscription_id = ?3
       UNION ALL SELECT account FROM holdings WHERE gateway = ?1 AND customer_id = ?4
       UNION ALL SELECT account FROM ledger WHERE gateway = ?1 AND payment_id = ?5
       LIMIT 1`,
    )
    .bind(gateway, attempt, subscriptionId, customerId, paymentId)
    .first<string>('account');
}

export async function payerOf(db: D1Database, paymentId: string): Promise<string | null> {
  return db
    .prepare(`SELECT account FROM ledger WHERE payment_id = ? AND kind = 'capture' LIMIT 1`)
    .bind(paymentId)
    .first<string>('account');
}

export async function accountOfSubscription(
  db: D1Database,
  attempt: string,
): Promise<string | null> {
  return db
    .prepare('SELECT account FROM holdings WHERE attempt = ?')
    .bind(attempt)
    .first<string>('account');
}

/** The next accounts with an attempt, in the order of their ids. */
export async function buyersAfter(db: D1Database, after: string, limit: number): Promise<string[]> {
  const { results } = await db
    .prepare(
      `SELECT account FROM
         (SELECT DISTINCT account FROM purchases WHERE account > ?1 ORDER BY account LIMIT ?2)
       UNION SELECT account FROM
         (SELECT DISTINCT account FROM ledger WHERE account > ?1 ORDER BY account LIMIT ?2)
       ORDER BY account LIMIT ?2`,
    )
    .bind(after, limit)
    .all<{ account: string }>();
  return results.map(({ account }) => account);
}

/** A ledger row in D1; minor units. */
export interface PurchaseCopy {
  id: string;
  account: string;
  attempt: string;
  gateway: GatewayName;
  currency: string;
  amount: number;
}

export async function copiesOf(
  db: D1Database,
  accounts: readonly string[],
): Promise<PurchaseCopy[]> {
  const { results } = await db
    .prepare(
      `SELECT id, account, attempt, gateway, currency, amount FROM ledger
       WHERE account IN (SELECT value FROM json_each(?))`,
    )
    .bind(JSON.stringify(accounts))
    .all<PurchaseCopy>();
  return results;
}
