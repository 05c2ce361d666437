import type { D1Database } from '@cloudflare/workers-types';
import { encodeBase64Url } from 'hono/utils/encode';
import { dayMs } from '../platform/durations.ts';
import { codeInDatabase, codeText, numberInId } from '../platform/rules/database-number.ts';
import type { AccountId, VisitorId } from '../platform/types.ts';

export const appCodeLifetimeMs = dayMs;
/** An ended code answers `expired` for this long, then `unknown`. */
const retentionMs = 7 * dayMs;

/**
 * `sign_in` was e-mailed, and alone verifies the mailbox; `hand_over` takes a session to another
 * browser, `app` into the app; `card` opens the card page alone. Manual codes have a table of their own.
 */
export type Purpose = 'app' | 'sign_in' | 'hand_over' | 'card';

/** A code has expired also when its account's epoch has risen. */
export type CodeFailure =
  | { kind: 'used' | 'expired'; account: AccountId }
  | { kind: 'unknown'; account?: undefined };

export type FoundCode = { kind: 'ready'; account: AccountId } | CodeFailure;

export type Redeemed = { kind: 'redeemed'; account: AccountId; epoch: number } | CodeFailure;

/** Only the hash is stored, so a stolen database opens nothing. */
export async function codeHash(code: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(code));
  return encodeBase64Url(digest);
}

export const newCode = (): string => codeText(crypto.getRandomValues(new Uint8Array(16)));

interface CodeTerms {
  account: AccountId;
  /** The epoch of the session that requests the code, so that an old session makes an old code. */
  epoch: number;
  purpose: Purpose;
  lifetimeMs: number;
  /** The browser that requested the e-mail, if it proved its id. */
  requester?: VisitorId | null;
}

export async function createCode(db: D1Database, terms: CodeTerms, now: number): Promise<string> {
  const code = codeInDatabase(numberInId(terms.account), newCode());
  await storeCode(db, code, terms, now);
  return code;
}

/** Of one purpose, used and ended ones included. */
const maxCodes = 50;

/** The statement after a code was stored. Codes that end first are deleted, so mailed ones outlive those of 15 minutes. */
export const trimCodes = (db: D1Database, hash: string) =>
  db
    .prepare(
      `DELETE FROM one_time_codes WHERE code_hash IN (
         SELECT other.code_hash FROM one_time_codes AS stored
         JOIN one_time_codes AS other ON other.account_id = stored.account_id
           AND other.purpose = stored.purpose
         WHERE stored.code_hash = ?
         ORDER BY other.expires_at DESC LIMIT -1 OFFSET ${maxCodes})`,
    )
    .bind(hash);

export async function storeCode(
  db: D1Database,
  code: string,
  { account, epoch, purpose, lifetimeMs, requester = null }: CodeTerms,
  now: number,
): Promise<void> {
  const hash = await codeHash(code);
  await db.batch([
    db
      .prepare('DELETE FROM one_time_codes WHERE account_id = ? AND expires_at < ?')
      .bind(account, now - retentionMs),
    db
      .prepare(
        `INSERT INTO one_time_codes (code_hash, account_id, epoch, purpose, created_at, expires_at, visitor_id)
         VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      )
      .bind(hash, account, epoch, purpose, now, now + lifetimeMs, requester),
    trimCodes(db, hash),
  ]);
}

export async function endCodes(
  db: D1Database,
  account: AccountId,
  purpose: Purpose,
  now: number,
): Promise<void> {
  await db
    .prepare(
      `UPDATE one_time_codes SET expires_at = ?3
       WHERE account_id = ?1 AND purpose = ?2 AND used_at IS NULL AND expires_at > ?3`,
    )
    .bind(account, purpose, now)
    .run();
}

export async function findCode(
  db: D1Database,
  code: string,
  purposes: readonly Purpose[],
  now: number,
): Promise<FoundCode> {
  const row = await db
    .prepare(
      `SELECT account_id AS account, used_at IS NOT NULL AS used,
         expires_at > ?3 AND one_time_codes.epoch = accounts.epoch AS alive
       FROM one_time_codes JOIN accounts ON accounts.id = account_id
       WHERE code_hash = ?1 AND purpose IN (SELECT value FROM json_each(?2))`,
    )
    .bind(await codeHash(code), JSON.stringify(purposes), now)
    .first<{ account: AccountId; used: number; alive: number }>();
  if (!row) return { kind: 'unknown' };
  const { account } = row;
  if (row.used) return { kind: 'used', account };
  return { kind: row.alive ? 'ready' : 'expired', account };
}

export async function isStored(db: D1Database, code: string): Promise<boolean> {
  const query = db.prepare('SELECT 1 FROM one_time_codes WHERE code_hash = ?');
  return (await query.bind(await codeHash(code)).first()) !== null;
}

/** SQL condition: the code ?1 may be used at ?2. */
export const isUsable = `code_hash = ?1 AND used_at IS NULL AND expires_at > ?2
  AND epoch = (SELECT epoch FROM accounts WHERE accounts.id = account_id)`;

export async function failureOf(
  db: D1Database,
  code: string,
  purposes: readonly Purpose[],
  now: number,
): Promise<CodeFailure> {
  const found = await findCode(db, code, purposes, now);
  // Usable a moment after it was refused: clocks differ.
  return found.kind === 'ready' ? { ...found, kind: 'expired' } : found;
}

/** Consumes a code. Of two parallel calls, one gets the account. */
export async function redeemCode(
  db: D1Database,
  code: string,
  purpose: Purpose,
  now: number,
): Promise<Redeemed> {
  const redeemed = await db
    .prepare(
      `UPDATE one_time_codes SET used_at = ?2 WHERE ${isUsable} AND purpose = ?3
       RETURNING account_id AS account, epoch`,
    )
    .bind(await codeHash(code), now, purpose)
    .first<{ account: AccountId; epoch: number }>();
  if (redeemed) return { kind: 'redeemed', ...redeemed };
  return failureOf(db, code, [purpose], now);
}

export const createAppCode = (
  db: D1Database,
  { account, epoch }: Pick<CodeTerms, 'account' | 'epoch'>,
  now: number,
): Promise<string> =>
  createCode(db, { account, epoch, purpose: 'app', lifetimeMs: appCodeLifetimeMs }, now);
