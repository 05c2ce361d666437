import type { D1Database } from '@cloudflare/workers-types';
import * as v from 'valibot';

const word = v.pipe(v.string(), v.maxLength(160));
export const eventSchema = v.object({
  id: word,
  name: word,
  /** Ms since 1970. */
  at: v.pipe(v.number(), v.safeInteger()),
  /** The visitor's uuid. */
  visitor: word,
  /** Id of the visit. */
  session: word,
  screen: word,
  flow: word,
  arm: word,
  country: word,
  language: word,
  /** What the visitor allows beyond our own figures: `ads`, or `measuring` alone. */
  consent: v.picklist(['ads', 'measuring']),
  properties: v.record(v.string(), v.union([v.string(), v.number()])),
});

/** An event as the edge has it. */
export type StoredEvent = v.InferOutput<typeof eventSchema>;

/** Ms that events are kept. */
const kept = 90 * 24 * 60 * 60 * 1000;
/** Ms for which a repeated message is known again; longer than a queue tries. */
const remembered = 7 * 24 * 60 * 60 * 1000;

/**
 * Keeps events, each id once; all of them or, on an error, none.
 *
 * @param now ms since 1970
 */
export async function insertEvents(
  db: D1Database,
  events: readonly StoredEvent[],
  now: number,
): Promise<void> {
  await db.batch([
    db.prepare('DELETE FROM events WHERE at < ?').bind(now - kept),
    db
      .prepare(
        `INSERT INTO events (id, name, at, visitor, session, screen, flow, arm, country, language, consent, properties)
         SELECT value ->> 'id', value ->> 'name', value ->> 'at', value ->> 'visitor',
           value ->> 'session', value ->> 'screen', value ->> 'flow', value ->> 'arm',
           value ->> 'country', value ->> 'language', value ->> 'consent', value -> 'properties'
         FROM json_each(?) WHERE true
         ON CONFLICT (id) DO NOTHING`,
      )
      .bind(JSON.stringify(events)),
  ]);
}

/**
 * Whether the visit of an event showed its screen again, or began to pay there in another tab.
 *
 * @param within ms after the event
 */
export async function returnedToScreen(
  db: D1Database,
  { at, session, screen }: StoredEvent,
  within: number,
): Promise<boolean> {
  const found = await db
    .prepare(
      `SELECT 1 FROM events WHERE at > ? AND at <= ? AND session = ? AND screen = ?
       AND name IN ('screen__load', 'subs_purchase_started') LIMIT 1`,
    )
    .bind(at, at + within, session, screen)
    .first();
  return found !== null;
}

/** Those of these events that a sink has not been told. */
export async function undelivered(
  db: D1Database,
  sink: string,
  events: readonly StoredEvent[],
): Promise<StoredEvent[]> {
  const { results } = await db
    .prepare(
      `SELECT id FROM event_deliveries WHERE sink = ?1 AND id IN (SELECT value FROM json_each(?2))`,
    )
    .bind(sink, JSON.stringify(events.map(({ id }) => id)))
    .all<{ id: string }>();
  const told = new Set(results.map(({ id }) => id));
  return events.filter(
    ({ id }, at) => !told.has(id) && events.findIndex((e) => e.id === id) === at,
  );
}

/** Notes that a sink has been told of events. @param now ms since 1970 */
export async function markDelivered(
  db: D1Database,
  sink: string,
  events: readonly StoredEvent[],
  now: number,
): Promise<void> {
  await db.batch([
    db.prepare('DELETE FROM event_deliveries WHERE at < ?').bind(now - remembered),
    db
      .prepare(
        `INSERT INTO event_deliveries (sink, id, at) SELECT ?1, value, ?3 FROM json_each(?2) WHERE true
         ON CONFLICT DO NOTHING`,
      )
      .bind(sink, JSON.stringify(events.map(({ id }) => id)), now),
  ]);
}
