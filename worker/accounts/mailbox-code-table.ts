import type { D1Database } from '@cloudflare/workers-types';
import { hourMs } from '../platform/durations.ts';
import type { Env } from '../platform/env.ts';
import { hmacOf, verificationSecrets } from '../platform/hmac.ts';
import type { AccountId, VisitorId } from '../platform/types.ts';
import { epochByMailbox, type KnownAccount, knownColumns } from './account-table.ts';

const lifetimeMs = hourMs;
const maxTries = 5;

const hashBy = (secret: string, account: AccountId, digits: string): Promise<string> =>
  hmacOf(secret, 'mailbox-code', `${account}:${digits}`);

/** Replaces an earlier code. @param secret the one that the digits were derived with */
export async function storeMailboxCode(
  db: D1Database,
  { id, epoch }: Pick<KnownAccount, 'id' | 'epoch'>,
  digits: string,
  secret: string,
  now: number,
): Promise<void> {
  await db
    .prepare(
      `INSERT OR REPLACE INTO mailbox_codes (account_id, code_hash, epoch, expires_at)
       VALUES (?, ?, ?, ?)`,
    )
    .bind(id, await hashBy(secret, id, digits), epoch, now + lifetimeMs)
    .run();
}

/** SQL: the account's code may be tried at ?2. */
const isLive = `account_id = ?1 AND expires_at > ?2 AND tries < ${maxTries}
  AND epoch = (SELECT epoch FROM accounts WHERE id = ?1)`;

export async function hasLiveMailboxCode(
  db: D1Database,
  account: AccountId,
  now: number,
): Promise<boolean> {
  const query = db.prepare(`SELECT 1 FROM mailbox_codes WHERE ${isLive}`).bind(account, now);
  return (await query.first()) !== null;
}

/**
 * Each try is counted before the digits are compared, so that parallel tries are no way around the limit. The right
 * digits prove the mailbox and end all other sessions, like the e-mail's link. They open no session, and the caller's was
 * opened without the mailbox: whoever opens a later link there ends it.
 * @param browser the caller's, which the account belongs to from now on; null if it proved none
 * @returns the account with its new epoch; null for wrong, used or ended digits
 */
export async function redeemMailboxCode(
  env: Env,
  db: D1Database,
  { account, browser, digits }: { account: AccountId; browser: VisitorId | null; digits: string },
  now: number,
): Promise<KnownAccount | null> {
  const counted = await db
    .prepare(`UPDATE mailbox_codes SET tries = tries + 1 WHERE ${isLive} RETURNING code_hash`)
    .bind(account, now)
    .first<{ code_hash: string }>();
  const secrets = verificationSecrets(env);
  const hashes = await Promise.all(secrets.map((secret) => hashBy(secret, account, digits)));
  if (!counted || !hashes.includes(counted.code_hash)) return null;
  // Of two parallel calls with the right digits, only one raises the epoch.
  const [, , known] = await db.batch<KnownAccount>([
    db
      .prepare(
        `UPDATE accounts SET epoch = ${epochByMailbox},
           verified_at = COALESCE(verified_at, ?2), visitor_id = COALESCE(?4, visitor_id)
         WHERE id = ?1 AND epoch = (SELECT epoch FROM mailbox_codes
           WHERE account_id = ?1 AND code_hash = ?3)`,
      )
      .bind(account, now, counted.code_hash, browser),
    db.prepare('DELETE FROM mailbox_codes WHERE account_id = ?').bind(account),
    db.prepare(`SELECT ${knownColumns} FROM accounts WHERE id = ?`).bind(account),
  ]);
  return known?.results[0] ?? null;
}
