import type { Context } from 'hono';
import type { App } from '../env.ts';
import type { StoredEvent } from './event-table.ts';
import { readProperties } from './rules/event-schema.ts';

export interface ReceivedEvent {
  id: string;
  name: string;
  /** Ms since 1970, by the browser's clock. */
  at?: number;
  session?: string;
  properties?: Record<string, unknown>;
}

/** Events older than this are stamped with the current time. */
const maxAgeMs = 7 * 24 * 60 * 60 * 1000;
/** The browser's clock is corrected in whole minutes. */
const stepMs = 60_000;
/** A clock may be this far ahead without correction; the rest of the minute allows for a slow request. */
const aheadMs = 15_000;

/**
 * When an event happened by our clock. The time of sending shows how far the browser's clock is off.
 * The correction is in whole minutes, so a slow request does not reorder events.
 * @param at when it happened, by the browser's clock, ms since 1970
 * @param sent when the browser sent it, by the same clock
 * @param now ms since 1970
 */
export function occurredAt(at: number | undefined, sent: number | undefined, now: number): number {
  if (at === undefined || sent === undefined) return now;
  const age = sent - at;
  if (age < 0 || age >= maxAgeMs) return now;
  const correction = Math.floor((now - sent + aheadMs) / stepMs) * stepMs;
  return Math.min(at + correction, now);
}

/**
 * Adds country, arm, flow, language and consent. Drops unknown events and properties.
 * @param sent when the browser sent them, by its own clock
 * @param now ms since 1970
 */
export function enrichEvents(
  c: Context<App>,
  received: readonly ReceivedEvent[],
  sent: number | undefined,
  now: number,
): StoredEvent[] {
  const { visitor, assignment } = c.var;
  const { uuid, country, language, permissions } = visitor;
  return received.flatMap(({ id, name, at, session = '', properties = {} }) => {
    const known = readProperties(name, properties);
    if (!known) return [];
    const { screen_name: screen = '', ...rest } = known;
    return {
      id,
      name,
      at: occurredAt(at, sent, now),
      visitor: uuid,
      session,
      screen: String(screen),
      flow: assignment.flowName,
      arm: assignment.arm,
      country,
      language,
      consent: permissions.ads ? 'ads' : 'measuring',
      properties: rest,
    };
  });
}
