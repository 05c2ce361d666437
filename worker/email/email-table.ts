import type { D1Database } from '@cloudflare/workers-types';
import { dayMs } from '../platform/durations.ts';

/** Far longer than a queue retries a message. */
const retentionMs = 90 * dayMs;

export async function isEmailDone(db: D1Database, id: string): Promise<boolean> {
  return (await db.prepare('SELECT 1 FROM sent_emails WHERE id = ?').bind(id).first()) !== null;
}

export async function markEmailDone(db: D1Database, id: string, now: number): Promise<void> {
  await db.batch([
    db.prepare('DELETE FROM sent_emails WHERE sent_at < ?').bind(now - retentionMs),
    db
      .prepare('INSERT INTO sent_emails (id, sent_at) VALUES (?, ?) ON CONFLICT DO NOTHING')
      .bind(id, now),
  ]);
}
