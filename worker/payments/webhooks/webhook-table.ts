import type { D1Database } from '@cloudflare/workers-types';
import { shortTermDatabase } from '../../platform/account-databases.ts';
import { dayMs } from '../../platform/durations.ts';
import type { Env } from '../../platform/env.ts';

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

const keysOf = (events: readonly EventRef[]) => JSON.stringify(events.map(keyOf));

/** Each succeeds for one of several concurrent deliveries. @returns those that were not claimed before */
export async function claimEvents<Event extends EventRef>(
  db: D1Database,
  events: readonly Event[],
  now: number,
): Promise<Event[]> {
  const rows = events.map((event) => [keyOf(event), event.type]);
  const [, claimed] = await db.batch<{ id: string }>([
    db.prepare('DELETE FROM webhook_events WHERE claimed_at < ?').bind(now - retentionMs),
    db
      .prepare(
        `INSERT INTO webhook_events (id, type, claimed_at)
         SELECT value ->> 0, value ->> 1, ?2 FROM json_each(?1) WHERE true
         ON CONFLICT (id) DO UPDATE SET claimed_at = excluded.claimed_at
           WHERE queued_at IS NULL AND claimed_at <= excluded.claimed_at - ?3
         RETURNING id`,
      )
      .bind(JSON.stringify(rows), now, claimLeaseMs),
  ]);
  const ids = new Set(claimed?.results.map(({ id }) => id));
  return events.filter((event) => ids.has(keyOf(event)));
}

export async function markQueued(
  db: D1Database,
  events: readonly EventRef[],
  now: number,
): Promise<void> {
  await db
    .prepare(
      'UPDATE webhook_events SET queued_at = ?2 WHERE id IN (SELECT value FROM json_each(?1))',
    )
    .bind(keysOf(events), now)
    .run();
}

export async function releaseEvents(db: D1Database, events: readonly EventRef[]): Promise<void> {
  await db
    .prepare(
      `DELETE FROM webhook_events
       WHERE id IN (SELECT value FROM json_each(?)) AND queued_at IS NULL`,
    )
    .bind(keysOf(events))
    .run();
}
