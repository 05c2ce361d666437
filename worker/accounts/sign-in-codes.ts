import type { D1Database } from '@cloudflare/workers-types';
import { hourMs } from '../durations.ts';
import { codeIn, numberInCode } from '../storage/rules/database-number.ts';
import type { VisitorId } from '../types.ts';
import { type KnownAccount, knownColumns } from './account-table.ts';
import {
  appCodeLifetimeMs,
  type CodeFailure,
  codeHash,
  failureOf,
  isStored,
  isUsable,
  newCode,
  type Purpose,
  storeCode,
} from './one-time-codes.ts';

/** A buyer may read the receipt days later; the code ends when the mailbox is confirmed in another way. */
const confirmationLifetimeMs = 72 * hourMs;

export const signInPurposes: readonly Purpose[] = ['sign_in', 'hand_over'];

const purposes = signInPurposes.map((purpose) => `'${purpose}'`).join(', ');

/** SQL: the code that this batch has just used. */
const justUsed = 'FROM one_time_codes WHERE code_hash = ?1 AND used_at = ?2';

type SignedIn = { kind: 'signed_in'; account: KnownAccount; deeplink: string };

/** An unverified account moves to this browser, and its epoch rises. An e-mailed code also verifies the mailbox. */
export async function signInByCode(
  db: D1Database,
  code: string,
  userUuid: VisitorId,
  now: number,
): Promise<SignedIn | CodeFailure> {
  const hash = await codeHash(code);
  // In the database of the code that was used, because both belong to one account.
  const deeplink = codeIn(numberInCode(code), newCode());
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
           epoch = epoch + 1,
           visitor_id = ?3,
           name = CASE WHEN visitor_id = ?3 THEN name ELSE email END,
           verified_at =
             (SELECT CASE purpose WHEN 'sign_in' THEN ?2 END FROM one_time_codes WHERE code_hash = ?1)
         WHERE verified_at IS NULL AND id = (SELECT account_id ${justUsed})
           AND epoch = (SELECT epoch ${justUsed})`,
      )
      .bind(hash, now, userUuid),
    db
      .prepare(
        `INSERT INTO one_time_codes (code_hash, account_id, epoch, purpose, created_at, expires_at)
         SELECT ?3, id, epoch, 'app', ?2, ?4 FROM accounts
         WHERE id = (SELECT account_id ${justUsed})`,
      )
      .bind(hash, now, await codeHash(deeplink), now + appCodeLifetimeMs),
    db
      .prepare(
        `SELECT ${knownColumns} FROM accounts
         WHERE id = (SELECT account_id FROM one_time_codes WHERE code_hash = ?1)`,
      )
      .bind(hash),
  ]);
  const account = known?.results[0];
  if (redeemed?.results.length && account) return { kind: 'signed_in', account, deeplink };
  return failureOf(db, code, signInPurposes, now);
}

/** Null for a confirmed mailbox. A retry gets the same code. @param codes by the current and the previous secret */
export async function confirmationCode(
  db: D1Database,
  { id: account, epoch, verifiedAt }: KnownAccount,
  codes: readonly string[],
  now: number,
): Promise<string | null> {
  for (const code of codes) if (await isStored(db, code)) return code;
  const [code = null] = codes;
  if (verifiedAt !== null || code === null) return null;
  const terms = { account, epoch, purpose: 'sign_in', lifetimeMs: confirmationLifetimeMs } as const;
  await storeCode(db, code, terms, now);
  return code;
}
