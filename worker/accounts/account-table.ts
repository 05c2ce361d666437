import type { D1Database } from '@cloudflare/workers-types';
import type { AccountId, VisitorId } from '../platform/types.ts';

interface Account {
  /** A uuid, which is also the name of the account's purchases object. */
  id: AccountId;
  email: string;
  name: string;
  /** Proven by the browser's key, so its events and consents belong to the account. */
  userUuid: VisitorId;
  landingType: string;
  country: string;
  language: string;
  /** The experiment and arm at sign-up; null for a visitor who is not assigned. */
  experiment: string | null;
  arm: string;
  /** In the experiments beside the split, `headline:b,price:control`; empty for none. */
  arms: string;
  /** Google's id of the user who created the account or proved its mailbox; null for an account by e-mail. */
  googleSub: string | null;
}

export interface NewAccount extends Account {
  /** Whether Google proved the mailbox at sign-up. */
  isVerified: boolean;
}

export const emailKeyOf = (email: string) => email.toLowerCase();

/** @returns false when the e-mail has an account */
export async function insertAccount(
  db: D1Database,
  account: NewAccount,
  now: number,
): Promise<boolean> {
  const inserted = await db
    .prepare(
      `INSERT INTO accounts
        (id, email, email_key, name, visitor_id, landing_type, country, language, experiment, arm,
         arms, created_at, google_sub, verified_at, entered_without_mailbox)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?12, ?13, CASE WHEN ?14 THEN ?12 END, NOT ?14)
      ON CONFLICT (email_key) DO NOTHING
      RETURNING id`,
    )
    .bind(
      account.id,
      account.email,
      emailKeyOf(account.email),
      account.name,
      account.userUuid,
      account.landingType,
      account.country,
      account.language,
      account.experiment,
      account.arm,
      account.arms,
      now,
      account.googleSub,
      account.isVerified ? 1 : 0,
    )
    .first();
  return inserted !== null;
}

export interface KnownAccount
  extends Pick<
    Account,
    'id' | 'email' | 'userUuid' | 'country' | 'language' | 'googleSub' | 'arms'
  > {
  /** Sessions and codes of an earlier epoch are invalid. */
  epoch: number;
  /** When the mailbox was verified, epoch ms; null before. */
  verifiedAt: number | null;
  /** When a page first held a price for it, epoch ms. */
  offerStartedAt: number | null;
  /** Epoch ms. */
  signedUpAt: number;
}

export const knownColumns =
  'id, email, visitor_id AS userUuid, country, language, google_sub AS googleSub, arms, epoch, verified_at AS verifiedAt, offer_started_at AS offerStartedAt, created_at AS signedUpAt';

const select = `SELECT ${knownColumns} FROM accounts`;

export function accountByEmail(db: D1Database, email: string): Promise<KnownAccount | null> {
  return db.prepare(`${select} WHERE email_key = ?`).bind(emailKeyOf(email)).first();
}

export function accountById(db: D1Database, id: AccountId): Promise<KnownAccount | null> {
  return db.prepare(`${select} WHERE id = ?`).bind(id).first();
}

/** Neither a reload nor another browser starts an offer again. @returns its start, ms since 1970 */
export async function startOffer(
  db: D1Database,
  { id, offerStartedAt }: KnownAccount,
  now: number,
): Promise<number> {
  if (offerStartedAt !== null) return offerStartedAt;
  await db
    .prepare('UPDATE accounts SET offer_started_at = COALESCE(offer_started_at, ?) WHERE id = ?')
    .bind(now, id)
    .run();
  return now;
}

export interface SessionKey {
  account: AccountId;
  epoch: number;
}

export async function isCurrent(db: D1Database, { account, epoch }: SessionKey): Promise<boolean> {
  const current = db.prepare('SELECT 1 FROM accounts WHERE id = ? AND epoch = ?');
  return (await current.bind(account, epoch).first()) !== null;
}

/** Also unlinks the Google user, who may no longer own the mailbox. @returns false when the session has ended */
export async function signOutEverywhere(
  db: D1Database,
  { account, epoch }: SessionKey,
): Promise<boolean> {
  const ended = db.prepare(
    `UPDATE accounts SET epoch = epoch + 1, google_sub = NULL
     WHERE id = ? AND epoch = ? RETURNING epoch`,
  );
  return (await ended.bind(account, epoch).first()) !== null;
}

/** Ends all sessions and codes. @returns the new epoch; null when the account belongs to a mailbox or another browser */
export function startOver(
  db: D1Database,
  id: AccountId,
  userUuid: VisitorId,
): Promise<number | null> {
  return db
    .prepare(
      `UPDATE accounts SET epoch = epoch + 1
       WHERE id = ? AND visitor_id = ? AND verified_at IS NULL RETURNING epoch`,
    )
    .bind(id, userUuid)
    .first<number>('epoch');
}

interface GoogleUser {
  googleSub: string;
  name: string;
  userUuid: VisitorId;
}

/** SQL: the epoch after an entrance by the mailbox, which ends all sessions if one was opened without it. */
export const epochByMailbox = 'epoch + (verified_at IS NULL OR entered_without_mailbox)';

/** An unverified account moves to this browser. @returns the epoch; null when the account was deleted */
export function enterByGoogleMailbox(
  db: D1Database,
  id: AccountId,
  { googleSub, name, userUuid }: GoogleUser,
  now: number,
): Promise<number | null> {
  return db
    .prepare(
      `UPDATE accounts SET
         epoch = ${epochByMailbox},
         entered_without_mailbox = 0,
         google_sub = ?3,
         name = CASE WHEN verified_at IS NULL THEN ?4 ELSE name END,
         offer_started_at = CASE WHEN verified_at IS NULL AND visitor_id <> ?5 THEN NULL ELSE offer_started_at END,
         visitor_id = CASE WHEN verified_at IS NULL THEN ?5 ELSE visitor_id END,
         verified_at = COALESCE(verified_at, ?2)
       WHERE id = ?1 RETURNING epoch`,
    )
    .bind(id, now, googleSub, name, userUuid)
    .first<number>('epoch');
}

/** @returns the epoch; null when the Google user is no longer linked */
export function enterByGoogleUser(
  db: D1Database,
  id: AccountId,
  googleSub: string,
): Promise<number | null> {
  return db
    .prepare(
      `UPDATE accounts SET entered_without_mailbox = 1
       WHERE id = ? AND google_sub = ? RETURNING epoch`,
    )
    .bind(id, googleSub)
    .first<number>('epoch');
}
