import type { D1Database } from '@cloudflare/workers-types';
import { encodeBase64Url } from 'hono/utils/encode';

const day = 24 * 60 * 60 * 1000;
/** An old code still gets the answer "expired" for this long, in ms; later it is unknown. */
const remembered = 7 * day;

export type Redeemed =
  | { state: 'redeemed'; account: string }
  | { state: 'used' | 'expired' | 'unknown' };

/** Only this is kept, so that a stolen database opens nothing. */
async function hashOf(code: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(code));
  return encodeBase64Url(digest);
}

/** 128 random bits, base64url. */
function newCode(): string {
  return encodeBase64Url(crypto.getRandomValues(new Uint8Array(16)).buffer).replace(/=+$/, '');
}

/**
 * A code that logs the account in once within 24 hours.
 *
 * @param now ms
 */
export async function createDeeplink(
  db: D1Database,
  account: string,
  now: number,
): Promise<string> {
  const code = newCode();
  const hash = await hashOf(code);
  await db.batch([
    db
      .prepare('DELETE FROM deeplinks WHERE account_id = ? AND expires_at < ?')
      .bind(account, now - remembered),
    db
      .prepare(
        'INSERT INTO deeplinks (code_hash, account_id, created_at, expires_at) VALUES (?, ?, ?, ?)',
      )
      .bind(hash, account, now, now + day),
  ]);
  return code;
}

/**
 * Uses a code up. Of two that come at the same moment one gets the account.
 *
 * @param now ms
 */
export async function redeemDeeplink(db: D1Database, code: string, now: number): Promise<Redeemed> {
  const hash = await hashOf(code);
  const account = await db
    .prepare(
      `UPDATE deeplinks SET used_at = ?2
      WHERE code_hash = ?1 AND used_at IS NULL AND expires_at > ?2
      RETURNING account_id`,
    )
    .bind(hash, now)
    .first<string>('account_id');
  if (account !== null) return { state: 'redeemed', account };
  const row = await db
    .prepare('SELECT used_at IS NOT NULL AS used FROM deeplinks WHERE code_hash = ?')
    .bind(hash)
    .first<{ used: number }>();
  if (!row) return { state: 'unknown' };
  return { state: row.used ? 'used' : 'expired' };
}
