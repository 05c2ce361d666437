import type { D1Database } from '@cloudflare/workers-types';
import { dayMs } from '../platform/durations.ts';

const retentionMs = 90 * dayMs;

export async function isReported(db: D1Database, network: string, event: string): Promise<boolean> {
  const known = db.prepare('SELECT 1 FROM conversions WHERE network = ? AND event_id = ?');
  return (await known.bind(network, event).first()) !== null;
}

export async function recordConversion(
  db: D1Database,
  { network, event, state }: { network: string; event: string; state: string },
  now: number,
): Promise<void> {
  await db.batch([
    db.prepare('DELETE FROM conversions WHERE reported_at < ?').bind(now - retentionMs),
    db
      .prepare(
        `INSERT INTO conversions (network, event_id, state, reported_at) VALUES (?, ?, ?, ?)
         ON CONFLICT DO NOTHING`,
      )
      .bind(network, event, state, now),
  ]);
}
