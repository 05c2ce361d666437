import type { D1Database } from '@cloudflare/workers-types';
import * as v from 'valibot';

const text = v.pipe(v.string(), v.maxLength(160));
export const eventSchema = v.object({
  id: text,
  name: text,
  /** Ms since 1970. */
  at: v.pipe(v.number(), v.safeInteger()),
  visitor: v.pipe(text, v.brand('VisitorId')),
  session: text,
  screen: text,
  flow: text,
  arm: text,
  country: text,
  language: text,
  /** `ads` includes `measuring`. */
  consent: v.picklist(['ads', 'measuring']),
  properties: v.record(v.string(), v.union([v.string(), v.number()])),
});

export type StoredEvent = v.InferOutput<typeof eventSchema>;

const eventRetentionMs = 90 * 24 * 60 * 60 * 1000;
/** Longer than the queue retries a message. */
const deliveryRetentionMs = 7 * 24 * 60 * 60 * 1000;

/** Each id once; on an error nothing is written. @param now ms since 1970 */
export async function insertEvents(
  db: D1Database,
  events: readonly StoredEvent[],
  now: number,
): Promise<void> {
  await db.batch([
    db.prepare('DELETE FROM events WHERE occurred_at < ?').bind(now - eventRetentionMs),
    db
      .prepare(
        `INSERT INTO events (id, name, occurred_at, visitor_id, session_id, screen, flow, arm,
           country, language, consent, properties)
         SELECT value ->> 'id', value ->> 'name', value ->> 'at', value ->> 'visitor',
           value ->> 'session', value ->> 'screen', value ->> 'flow', value ->> 'arm',
           value ->> 'country', value ->> 'language', value ->> 'consent', value -> 'properties'
         FROM json_each(?) WHERE true
         ON CONFLICT (id) DO NOTHING`,
      )
      .bind(JSON.stringify(events)),
  ]);
}

/** Whether the visit showed the event's screen again, or started to pay there in another tab. */
export async function returnedToScreen(
  db: D1Database,
  { at, session, screen }: StoredEvent,
  withinMs: number,
): Promise<boolean> {
  const found = await db
    .prepare(
      `SELECT 1 FROM events
       WHERE occurred_at > ? AND occurred_at <= ? AND session_id = ? AND screen = ?
         AND name IN ('screen__load', 'subs_purchase_started') LIMIT 1`,
    )
    .bind(at, at + withinMs, session, screen)
    .first();
  return found !== null;
}

export async function undelivered(
  db: D1Database,
  sink: string,
  events: readonly StoredEvent[],
): Promise<StoredEvent[]> {
  const { results } = await db
    .prepare(
      `SELECT event_id AS id FROM event_deliveries
       WHERE sink = ?1 AND event_id IN (SELECT value FROM json_each(?2))`,
    )
    .bind(sink, JSON.stringify(events.map(({ id }) => id)))
    .all<{ id: string }>();
  const delivered = new Set(results.map(({ id }) => id));
  return events.filter(
    ({ id }, at) => !delivered.has(id) && events.findIndex((e) => e.id === id) === at,
  );
}

export async function markDelivered(
  db: D1Database,
  sink: string,
  events: readonly StoredEvent[],
  now: number,
): Promise<void> {
  await db.batch([
    db
      .prepare('DELETE FROM event_deliveries WHERE delivered_at < ?')
      .bind(now - deliveryRetentionMs),
    db
      .prepare(
        `INSERT INTO event_deliveries (sink, event_id, delivered_at)
         SELECT ?1, value, ?3 FROM json_each(?2) WHERE true
         ON CONFLICT DO NOTHING`,
      )
      .bind(sink, JSON.stringify(events.map(({ id }) => id)), now),
  ]);
}
