import type { D1Database } from '@cloudflare/workers-types';
import { encodeBase64Url } from 'hono/utils/encode';

const day = 24 * 60 * 60 * 1000;
/** An old code still gets the answer "expired" for this long, in ms; later it is unknown. */
const remembered = 7 * day;

/**
 * What a code is for. `sign_in` was sent to the mailbox and is the only one that verifies it;
 * `hand_over` takes a session to another browser, `app` into the app. A code by hand has its own
 * table; a located person's code opens no account (`invitations.ts`).
 */
export type Purpose = 'app' | 'sign_in' | 'hand_over';

/** A code that opens nothing any more: it was used, its time is over, or its account's epoch is. */
export type CodeFailure =
  | { state: 'used' | 'expired'; account: string }
  | { state: 'unknown'; account?: undefined };

/** A code as it stands. */
export type Found = { state: 'ready'; account: string } | CodeFailure;

/** A code that somebody tried to use. */
export type Redeemed = { state: 'redeemed'; account: string; epoch: number } | CodeFailure;

/** Only this is kept, so that a stolen database opens nothing. */
export async function codeHash(code: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(code));
  return encodeBase64Url(digest);
}

/** 128 random bits, base64url. */
export function newCode(): string {
  return encodeBase64Url(crypto.getRandomValues(new Uint8Array(16)).buffer).replace(/=+$/, '');
}

/** What is kept of a code. */
interface Codes {
  account: string;
  /** The account's epoch, as whoever asks for the code knows it: an old session makes an old code. */
  epoch: number;
  purpose: Purpose;
  /** Ms. */
  lives: number;
}

/** A code that opens an account once. @param now ms since 1970 */
export async function createCode(db: D1Database, about: Codes, now: number): Promise<string> {
  const code = newCode();
  await storeCode(db, code, about, now);
  return code;
}

/** Has a code open an account once. @param now ms since 1970 */
export async function storeCode(
  db: D1Database,
  code: string,
  { account, epoch, purpose, lives }: Codes,
  now: number,
): Promise<void> {
  const hash = await codeHash(code);
  await db.batch([
    db
      .prepare('DELETE FROM deeplinks WHERE account_id = ? AND expires_at < ?')
      .bind(account, now - remembered),
    db
      .prepare(
        `INSERT INTO deeplinks (code_hash, account_id, epoch, opens, created_at, expires_at)
         VALUES (?, ?, ?, ?, ?, ?)`,
      )
      .bind(hash, account, epoch, purpose, now, now + lives),
  ]);
}

/** Ends every code of an account that was not used yet. */
export async function endCodes(
  db: D1Database,
  account: string,
  purpose: Purpose,
  now: number,
): Promise<void> {
  await db
    .prepare(
      `UPDATE deeplinks SET expires_at = ?3
       WHERE account_id = ?1 AND opens = ?2 AND used_at IS NULL AND expires_at > ?3`,
    )
    .bind(account, purpose, now)
    .run();
}

/** Looks at a code without using it. */
export async function findCode(
  db: D1Database,
  code: string,
  purposes: readonly Purpose[],
  now: number,
): Promise<Found> {
  const row = await db
    .prepare(
      `SELECT account_id AS account, used_at IS NOT NULL AS used,
         expires_at > ?3 AND deeplinks.epoch = accounts.epoch AS alive
       FROM deeplinks JOIN accounts ON accounts.id = account_id
       WHERE code_hash = ?1 AND opens IN (SELECT value FROM json_each(?2))`,
    )
    .bind(await codeHash(code), JSON.stringify(purposes), now)
    .first<{ account: string; used: number; alive: number }>();
  if (!row) return { state: 'unknown' };
  const { account } = row;
  if (row.used) return { state: 'used', account };
  return { state: row.alive ? 'ready' : 'expired', account };
}

/** Whether a code of this hash was ever kept. */
export async function isStored(db: D1Database, code: string): Promise<boolean> {
  const query = db.prepare('SELECT 1 FROM deeplinks WHERE code_hash = ?');
  return (await query.bind(await codeHash(code)).first()) !== null;
}

/** The condition under which a code, ?1, may be used now, ?2. */
export const isUsable = `code_hash = ?1 AND used_at IS NULL AND expires_at > ?2
  AND epoch = (SELECT epoch FROM accounts WHERE accounts.id = account_id)`;

/** Why a code was refused that nobody could use. */
export async function failureOf(
  db: D1Database,
  code: string,
  purposes: readonly Purpose[],
  now: number,
): Promise<CodeFailure> {
  const found = await findCode(db, code, purposes, now);
  // Ready a moment after it was refused: it can only be another's clock.
  return found.state === 'ready' ? { ...found, state: 'expired' } : found;
}

/** Uses a code into the app up. Of two that come at the same moment one gets the account. */
export async function redeemCode(
  db: D1Database,
  code: string,
  purpose: Purpose,
  now: number,
): Promise<Redeemed> {
  const redeemed = await db
    .prepare(
      `UPDATE deeplinks SET used_at = ?2 WHERE ${isUsable} AND opens = ?3
       RETURNING account_id AS account, epoch`,
    )
    .bind(await codeHash(code), now, purpose)
    .first<{ account: string; epoch: number }>();
  if (redeemed) return { state: 'redeemed', ...redeemed };
  return failureOf(db, code, [purpose], now);
}
