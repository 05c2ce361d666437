import type { D1Database } from '@cloudflare/workers-types';

const day = 24 * 60 * 60 * 1000;
/** How long an id is remembered, in ms; a queue gives its messages up much sooner. */
const remembered = 90 * day;

/** Whether a mail went out, or was refused for good. */
export async function isSent(db: D1Database, id: string): Promise<boolean> {
  return (await db.prepare('SELECT 1 FROM mails WHERE id = ?').bind(id).first()) !== null;
}

/**
 * Notes that a mail is done.
 *
 * @param now ms since 1970
 */
export async function markSent(db: D1Database, id: string, now: number): Promise<void> {
  await db.batch([
    db.prepare('DELETE FROM mails WHERE at < ?').bind(now - remembered),
    db.prepare('INSERT INTO mails (id, at) VALUES (?, ?) ON CONFLICT DO NOTHING').bind(id, now),
  ]);
}
