import type { D1Database } from '@cloudflare/workers-types';
import type { Attempt } from '../funnel/purchase.ts';

/** One row of the ledger: money that moved, in minor units. */
export interface LedgerRow {
  id: string;
  attempt: string;
  account: string;
  kind: 'capture' | 'refund';
  amount: number;
  currency: string;
  paymentId: string;
  experiment: string | null;
  arm: string;
  at: number;
}

/** A change that D1 has not seen yet. */
export type Change = { attempt: Attempt; account: string } | { ledger: LedgerRow };

/** What an earlier version of this Worker queued holds no experiment, and money no arm. */
const statement = (db: D1Database, change: Change) => {
  if ('ledger' in change) {
    const { id, attempt, account, kind, amount, currency, paymentId, experiment, arm, at } =
      change.ledger;
    return db
      .prepare(
        `INSERT INTO ledger (id, attempt, account, kind, amount, currency, payment_id, experiment, arm,
           at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
      )
      .bind(
        id,
        attempt,
        account,
        kind,
        amount,
        currency,
        paymentId,
        experiment ?? null,
        arm ?? null,
        at,
      );
  }
  const { id, slot, plan, experiment, arm, state, charge, openedAt, version } = change.attempt;
  return db
    .prepare(
      `INSERT INTO purchases
         (attempt, account, slot, plan, experiment, arm, state, subscription_id, opened_at,
          version)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (attempt) DO UPDATE
         SET state = excluded.state, subscription_id = excluded.subscription_id,
             version = excluded.version
         WHERE excluded.version > purchases.version`,
    )
    .bind(
      id,
      change.account,
      slot,
      plan,
      experiment ?? null,
      arm,
      state,
      charge?.subscriptionId ?? null,
      openedAt,
      version,
    );
};

/** Writes changes into D1; may be repeated, in any order. */
export async function project(db: D1Database, changes: readonly Change[]): Promise<void> {
  await db.batch(changes.map((change) => statement(db, change)));
}
