import type { D1Database } from '@cloudflare/workers-types';

export interface Account {
  /** Uuid, also the name of the account's purchases object. */
  id: string;
  /** As typed. */
  email: string;
  name: string;
  /** The visitor whose browser the account belongs to. */
  userUuid: string;
  landingType: string;
  /** ISO 3166 alpha-2. */
  country: string;
  /** BCP 47. */
  language: string;
  /** The experiment and arm the account was made in; null for who takes no part. */
  experiment: string | null;
  arm: string;
  /** Google's id of the user who created or verified the account; null for an account by e-mail. */
  googleSub: string | null;
}

/** What makes two e-mail addresses the same account. */
const emailKeyOf = (email: string) => email.toLowerCase();

/**
 * Keeps a new account. The unique index decides between two that come at the same moment. One that
 * Google creates has a verified mailbox from the start.
 *
 * @returns false, and nothing is kept, when the e-mail has an account
 */
export async function insertAccount(
  db: D1Database,
  account: Account,
  now: number,
): Promise<boolean> {
  const inserted = await db
    .prepare(
      `INSERT INTO accounts
        (id, email, email_key, name, user_uuid, landing_type, country, language, experiment, arm,
         created_at, google_sub, verified_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?11, ?12, CASE WHEN ?12 IS NULL THEN NULL ELSE ?11 END)
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
      now,
      account.googleSub,
    )
    .first();
  return inserted !== null;
}

/** What is read of an account. */
export interface KnownAccount
  extends Pick<Account, 'id' | 'email' | 'userUuid' | 'language' | 'googleSub'> {
  /** Sessions and codes of another epoch are over. */
  epoch: number;
  /** When the owner proved to have the mailbox, ms since 1970; null before. */
  verifiedAt: number | null;
}

/** The columns of a `KnownAccount`. */
export const knownColumns =
  'id, email, user_uuid AS userUuid, language, google_sub AS googleSub, epoch, verified_at AS verifiedAt';

const select = `SELECT ${knownColumns} FROM accounts`;

/** The account of an e-mail, upper and lower case being the same; null when there is none. */
export function accountByEmail(db: D1Database, email: string): Promise<KnownAccount | null> {
  return db.prepare(`${select} WHERE email_key = ?`).bind(emailKeyOf(email)).first();
}

/** The account that a token names; null when there is none. */
export function accountById(db: D1Database, id: string): Promise<KnownAccount | null> {
  return db.prepare(`${select} WHERE id = ?`).bind(id).first();
}

/** Which session of an account asks. */
export interface AskingSession {
  /** Id of the account. */
  account: string;
  epoch: number;
}

/** Whether a session has not ended yet. */
export async function isCurrent(
  db: D1Database,
  { account, epoch }: AskingSession,
): Promise<boolean> {
  const current = db.prepare('SELECT 1 FROM accounts WHERE id = ? AND epoch = ?');
  return (await current.bind(account, epoch).first()) !== null;
}

/**
 * Ends every session and code of an account, and the link to the Google user: where Google does not run
 * the mailbox, they may no longer be its owner.
 *
 * @returns false, and nothing ends, when the session that asks has ended itself
 */
export async function signOutEverywhere(
  db: D1Database,
  { account, epoch }: AskingSession,
): Promise<boolean> {
  const ended = db.prepare(
    `UPDATE accounts SET epoch = epoch + 1, google_sub = NULL
     WHERE id = ? AND epoch = ? RETURNING epoch`,
  );
  return (await ended.bind(account, epoch).first()) !== null;
}

/**
 * Ends every session and code of an account that still belongs to a browser, for a new session there.
 *
 * @param userUuid visitor id of the browser
 * @returns the new epoch; null when the account belongs to another browser by now
 */
export function startOver(db: D1Database, id: string, userUuid: string): Promise<number | null> {
  return db
    .prepare('UPDATE accounts SET epoch = epoch + 1 WHERE id = ? AND user_uuid = ? RETURNING epoch')
    .bind(id, userUuid)
    .first<number>('epoch');
}

/** The Google user who signs in, and the browser they use. */
interface GoogleUser {
  googleSub: string;
  name: string;
  userUuid: string;
}

/**
 * Verifies an account's mailbox by Google's word. Whoever signed up with it before is out: their
 * sessions and codes end, and neither their visitor id nor their name stays.
 *
 * @returns the new epoch; null when somebody verified it meanwhile
 */
export function verifyByGoogle(
  db: D1Database,
  id: string,
  { googleSub, name, userUuid }: GoogleUser,
  now: number,
): Promise<number | null> {
  return db
    .prepare(
      `UPDATE accounts
       SET verified_at = ?2, epoch = epoch + 1, google_sub = ?3, name = ?4, user_uuid = ?5
       WHERE id = ?1 AND verified_at IS NULL RETURNING epoch`,
    )
    .bind(id, now, googleSub, name, userUuid)
    .first<number>('epoch');
}

/**
 * Notes the Google user who may sign in to an account whose mailbox is verified, unless its sessions
 * were ended since it was read.
 */
export async function linkGoogle(
  db: D1Database,
  { account, epoch }: AskingSession,
  googleSub: string,
): Promise<void> {
  await db
    .prepare(
      `UPDATE accounts SET google_sub = ?
       WHERE id = ? AND epoch = ? AND verified_at IS NOT NULL`,
    )
    .bind(googleSub, account, epoch)
    .run();
}
