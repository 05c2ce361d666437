import type { D1Database } from '@cloudflare/workers-types';
import { dayMs } from '../../durations.ts';
import type { Env } from '../../env.ts';
import { shortTermDatabase } from '../../storage/account-databases.ts';

/** Gateways repeat an event for a few days at most. */
const retentionMs = 30 * dayMs;
const claimLeaseMs = 10_000;

interface EventRef {
  gateway: string;
  id: string;
  type: string;
}

const keyOf = ({ gateway, id }: EventRef) => `${gateway}:${id}`;

/** The database in which an event is claimed. */
export const eventDatabase = (env: Env, event: EventRef): Promise<D1Database> =>
  shortTermDatabase(env, `event:${keyOf(event)}`);

/** Succeeds for one of several concurrent deliveries. @returns false when it was claimed before */
export async function claimEvent(db: D1Database, event: EventRef, now: number): Promise<boolean> {
  const [, claimed] = await db.batch([
    db.prepare('DELETE FROM webhook_events WHERE claimed_at < ?').bind(now - retentionMs),
    db
      .prepare(
        `INSERT INTO webhook_events (id, type, claimed_at) VALUES (?1, ?2, ?3)
         ON CONFLICT (id) DO UPDATE SET claimed_at = excluded.claimed_at
           WHERE queued_at IS NULL AND claimed_at <= excluded.claimed_at - ?4
         RETURNING id`,
      )
      .bind(keyOf(event), event.type, now, claimLeaseMs),
  ]);
  return claimed?.results.length === 1;
}

export async function markQueued(db: D1Database, event: EventRef, now: number): Promise<void> {
  await db
    .prepare('UPDATE webhook_events SET queued_at = ?2 WHERE id = ?1')
    .bind(keyOf(event), now)
    .run();
}

export async function releaseEvent(db: D1Database, event: EventRef): Promise<void> {
  await db
    .prepare('DELETE FROM webhook_events WHERE id = ? AND queued_at IS NULL')
    .bind(keyOf(event))
    .run();
}
