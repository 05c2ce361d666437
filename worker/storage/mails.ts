import type { D1Database } from '@cloudflare/workers-types';

const day = 24 * 60 * 60 * 1000;
/** How long an id is remembered, in ms; a queue gives its messages up much sooner. */
const remembered = 90 * day;

/** How many mails a visitor may ask for, for one account, within so many ms. */
const askable = 3;
const span = 15 * 60 * 1000;

/** Whether a mail went out, or was refused for good. */
export async function isMailed(db: D1Database, id: string): Promise<boolean> {
  return (await db.prepare('SELECT 1 FROM mails WHERE id = ?').bind(id).first()) !== null;
}

/**
 * Notes that a mail is done.
 *
 * @param now ms since 1970
 */
export async function noteMailed(db: D1Database, id: string, now: number): Promise<void> {
  await db.batch([
    db.prepare('DELETE FROM mails WHERE at < ?').bind(now - remembered),
    db.prepare('INSERT INTO mails (id, at) VALUES (?, ?) ON CONFLICT DO NOTHING').bind(id, now),
  ]);
}

/**
 * Counts that a mail is asked for.
 *
 * @param now ms since 1970
 * @returns false when the account had three within 15 minutes
 */
export async function mayMail(db: D1Database, account: string, now: number): Promise<boolean> {
  const [, counted] = await db.batch([
    db
      .prepare('DELETE FROM mail_requests WHERE account_id = ? AND at <= ?')
      .bind(account, now - span),
    db
      .prepare(
        `INSERT INTO mail_requests (account_id, at)
         SELECT ?1, ?2 WHERE (SELECT COUNT(*) FROM mail_requests WHERE account_id = ?1) < ?3
         RETURNING at`,
      )
      .bind(account, now, askable),
  ]);
  return counted?.results.length === 1;
}
