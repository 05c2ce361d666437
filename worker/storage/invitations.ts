import type { D1Database } from '@cloudflare/workers-types';

const day = 24 * 60 * 60_000;
/** A code is looked up for so long, in ms; by then everything that it may open is long over. */
const lives = 60 * day;
/** How many invitations a list shows. */
const shown = 20;

/** Where an invitation is kept: the object of the person who was asked, by its name. */
export interface Kept {
  id: string;
  person: string;
}

/** Notes a code that opens a person's page. @param now ms since 1970 */
export async function noteCode(
  db: D1Database,
  { hash, person, account }: { hash: string; person: string; account: string },
  now: number,
): Promise<void> {
  await db.batch([
    db.prepare('DELETE FROM invitation_codes WHERE expires_at < ?').bind(now),
    db
      .prepare(
        `INSERT INTO invitation_codes (code_hash, person, account_id, expires_at)
         VALUES (?, ?, ?, ?)`,
      )
      .bind(hash, person, account, now + lives),
  ]);
}

/** Notes where an account's invitation is kept. */
export async function noteInvitation(
  db: D1Database,
  { id, account, person }: Kept & { account: string },
  now: number,
): Promise<void> {
  await db
    .prepare('INSERT INTO invitations (id, account_id, person, at) VALUES (?, ?, ?, ?)')
    .bind(id, account, person, now)
    .run();
}

/** An account's invitations, newest first. */
export async function invitationsOf(db: D1Database, account: string): Promise<Kept[]> {
  const { results } = await db
    .prepare('SELECT id, person FROM invitations WHERE account_id = ? ORDER BY at DESC LIMIT ?')
    .bind(account, shown)
    .all<Kept>();
  return results;
}

/** Everybody whom an account ever asked. */
export async function askedBy(db: D1Database, account: string): Promise<string[]> {
  const { results } = await db
    .prepare('SELECT DISTINCT person FROM invitations WHERE account_id = ?')
    .bind(account)
    .all<{ person: string }>();
  return results.map(({ person }) => person);
}

/** Whose page a code opens; null for none. @param hash of the code */
export function personOf(db: D1Database, hash: string, now: number): Promise<string | null> {
  return db
    .prepare('SELECT person FROM invitation_codes WHERE code_hash = ? AND expires_at > ?')
    .bind(hash, now)
    .first<string>('person');
}
