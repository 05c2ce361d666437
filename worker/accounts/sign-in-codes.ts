import type { D1Database } from '@cloudflare/workers-types';
import { codeInDatabase, numberInCode } from '../platform/rules/database-number.ts';
import type { VisitorId } from '../platform/types.ts';
import { epochByMailbox, type KnownAccount, knownColumns } from './account-table.ts';
import {
  appCodeLifetimeMs,
  type CodeFailure,
  codeHash,
  failureOf,
  isUsable,
  newCode,
  type Purpose,
  trimCodes,
} from './one-time-codes.ts';

export const signInPurposes: readonly Purpose[] = ['sign_in', 'hand_over'];

const purposes = signInPurposes.map((purpose) => `'${purpose}'`).join(', ');

/** SQL: the code that this batch has just used. */
const justUsed = 'FROM one_time_codes WHERE code_hash = ?1 AND used_at = ?2';

type SignedIn = { kind: 'signed_in'; account: KnownAccount; deeplink: string };

/**
 * An e-mailed code verifies the mailbox, and ends every session that was opened without it. An unverified account moves
 * to this browser, and what another browser entered or started, its name, Google user and offer, is forgotten. The account takes the
 * browser's id only if that browser signed up or requested the e-mail: somebody may have sent their own link to another.
 * @param browser `own` is its id, `other` the account's id otherwise
 */
export async function signInByCode(
  db: D1Database,
  code: string,
  { own, other = own }: { own: VisitorId; other?: VisitorId },
  now: number,
): Promise<SignedIn | CodeFailure> {
  const hash = await codeHash(code);
  // In the database of the code that was used, because both belong to one account.
  const deeplink = codeInDatabase(numberInCode(code), newCode());
  const deeplinkHash = await codeHash(deeplink);
  const [redeemed, , , known] = await db.batch<KnownAccount>([
    db
      .prepare(
        `UPDATE one_time_codes SET used_at = ?2 WHERE ${isUsable} AND purpose IN (${purposes})
         RETURNING account_id`,
      )
      .bind(hash, now),
    db
      .prepare(
        `UPDATE accounts SET
           epoch = ${epochByMailbox},
           visitor_id = CASE WHEN verified_at IS NOT NULL OR visitor_id = ?3 THEN visitor_id
             WHEN requester = ?3 THEN ?3 ELSE ?4 END,
           name = CASE WHEN verified_at IS NULL AND visitor_id <> ?3 THEN email ELSE name END,
           google_sub = CASE WHEN verified_at IS NULL AND visitor_id <> ?3 THEN NULL ELSE google_sub END,
           offer_started_at = CASE WHEN verified_at IS NULL AND visitor_id <> ?3 THEN NULL ELSE offer_started_at END,
           entered_without_mailbox = purpose <> 'sign_in',
           verified_at = COALESCE(verified_at, CASE purpose WHEN 'sign_in' THEN ?2 END)
         FROM (SELECT account_id, purpose, epoch AS code_epoch, visitor_id AS requester ${justUsed})
         WHERE id = account_id AND epoch = code_epoch
           AND (verified_at IS NULL OR purpose = 'sign_in')`,
      )
      .bind(hash, now, own, other),
    db
      .prepare(
        `INSERT INTO one_time_codes (code_hash, account_id, epoch, purpose, created_at, expires_at)
         SELECT ?3, id, epoch, 'app', ?2, ?4 FROM accounts
         WHERE id = (SELECT account_id ${justUsed})`,
      )
      .bind(hash, now, deeplinkHash, now + appCodeLifetimeMs),
    db
      .prepare(
        `SELECT ${knownColumns} FROM accounts
         WHERE id = (SELECT account_id FROM one_time_codes WHERE code_hash = ?1)`,
      )
      .bind(hash),
    trimCodes(db, deeplinkHash),
  ]);
  const account = known?.results[0];
  if (redeemed?.results.length && account) return { kind: 'signed_in', account, deeplink };
  return failureOf(db, code, signInPurposes, now);
}
