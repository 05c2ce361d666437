import type { D1Database } from '@cloudflare/workers-types';
import type { Entitlements } from '../payments/purchase/entitlements.ts';
import type { AccountId } from '../platform/types.ts';

interface Row {
  account_id: AccountId;
  version: number;
  active: string;
  changed_at: number;
}

/** A copy of the object's state at that time. */
export interface EntitlementCopy extends Entitlements {
  at: number;
}

const copyOf = (row: Row): EntitlementCopy => ({
  account: row.account_id,
  version: row.version,
  active: JSON.parse(row.active),
  at: row.changed_at,
});

const columns = 'account_id, version, active, changed_at';

export async function copiedEntitlements(
  db: D1Database,
  account: AccountId,
): Promise<EntitlementCopy | null> {
  const row = await db
    .prepare(`SELECT ${columns} FROM entitlements WHERE account_id = ?`)
    .bind(account)
    .first<Row>();
  return row && copyOf(row);
}

/** In order of time. @param after `[changed_at, account]` of the last one, as JSON */
export async function changedSince(
  db: D1Database,
  since: number,
  after: string,
  limit: number,
): Promise<EntitlementCopy[]> {
  const [at, account]: [number, string] = after ? JSON.parse(after) : [since, ''];
  const { results } = await db
    .prepare(
      `SELECT ${columns} FROM entitlements
       WHERE changed_at >= ?1 AND (changed_at, account_id) > (?1, ?2)
       ORDER BY changed_at, account_id LIMIT ?3`,
    )
    .bind(at, account, limit)
    .all<Row>();
  return results.map(copyOf);
}
