import type { D1Database } from '@cloudflare/workers-types';
import { encodeBase64Url } from 'hono/utils/encode';

const day = 24 * 60 * 60 * 1000;
/** An old code still gets the answer "expired" for this long, in ms; later it is unknown. */
const remembered = 7 * day;

/** What a code opens: the app, or this site for who comes back by mail. */
export type Opens = 'app' | 'site';

/** A code that opens nothing any more. */
export type Spent =
  | { state: 'used' | 'expired'; account: string }
  | { state: 'unknown'; account?: undefined };

/** A code as it stands. */
export type Found = { state: 'ready'; account: string } | Spent;

/** A code that somebody tried to use. */
export type Redeemed = { state: 'redeemed'; account: string } | Spent;

/** Only this is kept, so that a stolen database opens nothing. */
export async function hashOf(code: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(code));
  return encodeBase64Url(digest);
}

/** 128 random bits, base64url. */
export function newCode(): string {
  return encodeBase64Url(crypto.getRandomValues(new Uint8Array(16)).buffer).replace(/=+$/, '');
}

/** What is kept of a code: whose it is, what it opens, and for how many ms. */
interface Codes {
  account: string;
  opens: Opens;
  lives: number;
}

/** A code that opens an account once. @param now ms since 1970 */
export async function createCode(db: D1Database, about: Codes, now: number): Promise<string> {
  const code = newCode();
  await keepCode(db, code, about, now);
  return code;
}

/** Has a code open an account once. @param now ms since 1970 */
export async function keepCode(
  db: D1Database,
  code: string,
  { account, opens, lives }: Codes,
  now: number,
): Promise<void> {
  const hash = await hashOf(code);
  await db.batch([
    db
      .prepare('DELETE FROM deeplinks WHERE account_id = ? AND expires_at < ?')
      .bind(account, now - remembered),
    db
      .prepare(
        `INSERT INTO deeplinks (code_hash, account_id, opens, created_at, expires_at)
         VALUES (?, ?, ?, ?, ?)`,
      )
      .bind(hash, account, opens, now, now + lives),
  ]);
}

/** Ends every code of an account that was not used yet. */
export async function endCodes(
  db: D1Database,
  account: string,
  opens: Opens,
  now: number,
): Promise<void> {
  await db
    .prepare(
      `UPDATE deeplinks SET expires_at = ?3
       WHERE account_id = ?1 AND opens = ?2 AND used_at IS NULL AND expires_at > ?3`,
    )
    .bind(account, opens, now)
    .run();
}

/** Looks at a code without using it. */
export async function findCode(
  db: D1Database,
  code: string,
  opens: Opens,
  now: number,
): Promise<Found> {
  const row = await db
    .prepare(
      `SELECT account_id AS account, used_at IS NOT NULL AS used, expires_at > ?3 AS alive
       FROM deeplinks WHERE code_hash = ?1 AND opens = ?2`,
    )
    .bind(await hashOf(code), opens, now)
    .first<{ account: string; used: number; alive: number }>();
  if (!row) return { state: 'unknown' };
  const { account } = row;
  if (row.used) return { state: 'used', account };
  return { state: row.alive ? 'ready' : 'expired', account };
}

/** Uses a code up. Of two that come at the same moment one gets the account. */
export async function redeemCode(
  db: D1Database,
  code: string,
  opens: Opens,
  now: number,
): Promise<Redeemed> {
  const account = await db
    .prepare(
      `UPDATE deeplinks SET used_at = ?3
       WHERE code_hash = ?1 AND opens = ?2 AND used_at IS NULL AND expires_at > ?3
       RETURNING account_id`,
    )
    .bind(await hashOf(code), opens, now)
    .first<string>('account_id');
  if (account !== null) return { state: 'redeemed', account };
  const found = await findCode(db, code, opens, now);
  // Ready a moment after it was refused: it can only be another's clock.
  return found.state === 'ready' ? { ...found, state: 'expired' } : found;
}
