import type { D1Database } from '@cloudflare/workers-types';
import { dayMs, hourMs } from '../platform/durations.ts';
import type { AccountId } from '../platform/types.ts';

const lifetimeMs = dayMs;
const minRemainingMs = hourMs;

/** A code is valid only in the account's epoch that it was created in. */
const current = 'epoch = (SELECT epoch FROM accounts WHERE accounts.id = account_id)';

/** @param epoch of the session. @returns null when the account's epoch has risen since */
export async function manualCodeSeed(
  db: D1Database,
  account: AccountId,
  epoch: number,
  now: number,
): Promise<string | null> {
  const [, stored] = await db.batch<{ seed: string }>([
    db
      .prepare(
        `INSERT INTO manual_codes (account_id, seed, expires_at, epoch) VALUES (?1, ?2, ?3, ?5)
         ON CONFLICT (account_id) DO UPDATE
           SET seed = excluded.seed, expires_at = excluded.expires_at, used_at = NULL,
             epoch = excluded.epoch
           WHERE used_at IS NOT NULL OR manual_codes.expires_at <= ?4 OR manual_codes.epoch < ?5`,
      )
      .bind(account, crypto.randomUUID(), now + lifetimeMs, now + minRemainingMs, epoch),
    db
      .prepare(`SELECT seed FROM manual_codes WHERE account_id = ? AND epoch = ? AND ${current}`)
      .bind(account, epoch),
  ]);
  return stored?.results[0]?.seed ?? null;
}

/** @returns null for a used or ended code */
export function currentSeed(
  db: D1Database,
  account: AccountId,
  now: number,
): Promise<string | null> {
  return db
    .prepare(
      `SELECT seed FROM manual_codes
       WHERE account_id = ? AND used_at IS NULL AND expires_at > ? AND ${current}`,
    )
    .bind(account, now)
    .first<string>('seed');
}

export function markManualCodeUsed(
  db: D1Database,
  account: AccountId,
  seed: string,
  now: number,
): Promise<number | null> {
  return db
    .prepare(
      `UPDATE manual_codes SET used_at = ?3
       WHERE account_id = ?1 AND seed = ?2 AND used_at IS NULL AND ${current} RETURNING epoch`,
    )
    .bind(account, seed, now)
    .first<number>('epoch');
}

export async function endManualCode(db: D1Database, account: AccountId): Promise<void> {
  await db.prepare('DELETE FROM manual_codes WHERE account_id = ?').bind(account).run();
}
