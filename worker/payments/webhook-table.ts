import type { D1Database } from '@cloudflare/workers-types';

const day = 24 * 60 * 60 * 1000;
/** How long an id is remembered, in ms; gateways send an event again for a few days at most. */
const retentionMs = 30 * day;
/** After this long, in ms, an event that was begun and never queued may be taken up again. */
const claimLeaseMs = 10_000;

interface EventRef {
  gateway: string;
  id: string;
  type: string;
}

const keyOf = ({ gateway, id }: EventRef) => `${gateway}:${id}`;

/**
 * Takes an event up. Of two that come at the same moment one gets it.
 *
 * @param now ms since 1970
 * @returns false when it was taken up before
 */
export async function claimEvent(db: D1Database, event: EventRef, now: number): Promise<boolean> {
  const [, taken] = await db.batch([
    db.prepare('DELETE FROM webhook_events WHERE at < ?').bind(now - retentionMs),
    db
      .prepare(
        `INSERT INTO webhook_events (id, type, at) VALUES (?1, ?2, ?3)
         ON CONFLICT (id) DO UPDATE SET at = excluded.at
           WHERE queued_at IS NULL AND at <= excluded.at - ?4
         RETURNING id`,
      )
      .bind(keyOf(event), event.type, now, claimLeaseMs),
  ]);
  return taken?.results.length === 1;
}

/** Notes that an event lies in the queue. */
export async function markQueued(db: D1Database, event: EventRef, now: number): Promise<void> {
  await db
    .prepare('UPDATE webhook_events SET queued_at = ?2 WHERE id = ?1')
    .bind(keyOf(event), now)
    .run();
}

/** Gives an event back that the queue did not take: when it comes again, it is a new one. */
export async function releaseEvent(db: D1Database, event: EventRef): Promise<void> {
  await db
    .prepare('DELETE FROM webhook_events WHERE id = ? AND queued_at IS NULL')
    .bind(keyOf(event))
    .run();
}
