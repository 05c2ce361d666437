import type { D1Database } from '@cloudflare/workers-types';

const day = 24 * 60 * 60_000;
/** A code is looked up for so long, in ms; by then everything that it may open is long over. */
const lives = 60 * day;
/** A list shows at least so many, and all that can still change: asked this long ago, in ms. */
const shown = 20;
const changing = 38 * day;

/** Where an invitation is kept: the object of the person who was asked, by its name. */
export interface InvitationEntry {
  id: string;
  person: string;
}

/** A code that opens a person's page. */
interface NewCode {
  hash: string;
  person: string;
  account: string;
  /** Id of the browser that it was made for; null for a reminder. */
  browser: string | null;
}

/** Notes a code that opens a person's page. @param now ms since 1970 */
export async function insertCode(
  db: D1Database,
  { hash, person, account, browser }: NewCode,
  now: number,
): Promise<void> {
  await db.batch([
    db.prepare('DELETE FROM invitation_codes WHERE expires_at < ?').bind(now),
    db
      .prepare(
        `INSERT INTO invitation_codes (code_hash, person, account_id, browser, expires_at)
         VALUES (?, ?, ?, ?, ?)`,
      )
      .bind(hash, person, account, browser, now + lives),
  ]);
}

/** Notes where an account's invitation is kept. */
export async function insertInvitation(
  db: D1Database,
  { id, account, person }: InvitationEntry & { account: string },
  now: number,
): Promise<void> {
  await db
    .prepare('INSERT INTO invitations (id, account_id, person, at) VALUES (?, ?, ?, ?)')
    .bind(id, account, person, now)
    .run();
}

/** An account's invitations, newest first; without those that are long over. */
export async function invitationsOf(
  db: D1Database,
  account: string,
  now: number,
): Promise<InvitationEntry[]> {
  const { results } = await db
    .prepare(
      `SELECT id, person FROM invitations WHERE account_id = ?1 AND at >= MIN(?2, COALESCE((
         SELECT at FROM invitations WHERE account_id = ?1 ORDER BY at DESC LIMIT 1 OFFSET ?3
       ), 0)) ORDER BY at DESC`,
    )
    .bind(account, now - changing, shown - 1)
    .all<InvitationEntry>();
  return results;
}

/** Where an account's invitation is kept, however old; null when it has no such. */
export function invitationOf(
  db: D1Database,
  account: string,
  id: string,
): Promise<InvitationEntry | null> {
  return db
    .prepare('SELECT id, person FROM invitations WHERE account_id = ? AND id = ?')
    .bind(account, id)
    .first<InvitationEntry>();
}

/** Everybody whom an account ever asked. */
export async function askedBy(db: D1Database, account: string): Promise<string[]> {
  const { results } = await db
    .prepare('SELECT DISTINCT person FROM invitations WHERE account_id = ?')
    .bind(account)
    .all<{ person: string }>();
  return results.map(({ person }) => person);
}

/**
 * Whose page a code opens; null for none.
 *
 * @param hash of the code
 * @param browser who asks to open it
 * @returns the person's object, and whether that browser is one of who asked the person
 */
export async function personOf(
  db: D1Database,
  hash: string,
  browser: string,
  now: number,
): Promise<{ person: string; own: boolean } | null> {
  const found = await db
    .prepare(
      `SELECT person, browser = ?2 OR user_uuid = ?2 AS own
       FROM invitation_codes LEFT JOIN accounts ON accounts.id = account_id
       WHERE code_hash = ?1 AND expires_at > ?3`,
    )
    .bind(hash, browser, now)
    .first<{ person: string; own: number | null }>();
  return found && { person: found.person, own: found.own === 1 };
}
