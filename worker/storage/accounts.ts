import type { D1Database } from '@cloudflare/workers-types';

export interface Account {
  /** Uuid, also the name of the account's purchases object. */
  id: string;
  /** As typed. */
  email: string;
  name: string;
  /** The visitor who signed up. */
  userUuid: string;
  landingType: string;
  /** ISO 3166 alpha-2. */
  country: string;
  /** BCP 47. */
  language: string;
  /** The experiment and arm the account was made in; null for who takes no part. */
  experiment: string | null;
  arm: string;
}

/** What makes two e-mail addresses the same account. */
const keyOf = (email: string) => email.toLowerCase();

/**
 * Keeps a new account. The unique index decides between two that come at the same moment.
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
         created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (email_key) DO NOTHING
      RETURNING id`,
    )
    .bind(
      account.id,
      account.email,
      keyOf(account.email),
      account.name,
      account.userUuid,
      account.landingType,
      account.country,
      account.language,
      account.experiment,
      account.arm,
      now,
    )
    .first();
  return inserted !== null;
}

/** What is read of an account. */
export type KnownAccount = Pick<Account, 'id' | 'email' | 'userUuid' | 'language'>;

const select = 'SELECT id, email, user_uuid AS userUuid, language FROM accounts';

/** The account of an e-mail, upper and lower case being the same; null when there is none. */
export function accountByEmail(db: D1Database, email: string): Promise<KnownAccount | null> {
  return db.prepare(`${select} WHERE email_key = ?`).bind(keyOf(email)).first();
}

/** The account that a token names; null when there is none. */
export function accountById(db: D1Database, id: string): Promise<KnownAccount | null> {
  return db.prepare(`${select} WHERE id = ?`).bind(id).first();
}

/** Notes that an account's owner has the mailbox that it names. @param now ms since 1970 */
export async function noteVerified(db: D1Database, id: string, now: number): Promise<void> {
  await db
    .prepare('UPDATE accounts SET verified_at = ? WHERE id = ? AND verified_at IS NULL')
    .bind(now, id)
    .run();
}

/** Whether an account's owner has the mailbox that it names. */
export async function isVerified(db: D1Database, id: string): Promise<boolean> {
  const at = await db
    .prepare('SELECT verified_at FROM accounts WHERE id = ?')
    .bind(id)
    .first<number>('verified_at');
  return at !== null;
}
