import type { Context } from 'hono';
import type { App } from '../env.ts';
import type { StoredEvent } from './event-table.ts';
import { readProperties } from './rules/event-schema.ts';

/** An event as a browser tells it. */
export interface ReceivedEvent {
  id: string;
  name: string;
  /** Ms since 1970, by the browser's clock. */
  at?: number;
  session?: string;
  properties?: Record<string, unknown>;
}

/** What happened longer ago is not believed, ms. */
const believable = 7 * 24 * 60 * 60 * 1000;
/** A browser's clock is corrected by whole minutes. */
const minute = 60_000;
/** It may be ahead so far; the rest of the minute is for the way here, which is never negative. */
const ahead = 15_000;

/**
 * When it happened by our clock: what the browser's clock is off by shows when it sends, and is taken
 * in whole minutes, so that one slow request does not tell of a moment before another's.
 *
 * @param at when it happened, `sent` when it was sent, both by the browser's clock, ms since 1970
 * @param now ms since 1970
 */
export function occurredAt(at: number | undefined, sent: number | undefined, now: number): number {
  if (at === undefined || sent === undefined) return now;
  const age = sent - at;
  if (age < 0 || age >= believable) return now;
  const off = Math.floor((now - sent + ahead) / minute) * minute;
  return Math.min(at + off, now);
}

/**
 * The events that are known, with what the edge knows of the visit: country, arm, flow, language, consent.
 *
 * @param sent when the browser sent them, by its own clock
 * @param now ms since 1970
 */
export function enrichEvents(
  c: Context<App>,
  told: readonly ReceivedEvent[],
  sent: number | undefined,
  now: number,
): StoredEvent[] {
  const { visitor, assignment } = c.var;
  const { uuid, country, language, permissions } = visitor;
  return told.flatMap(({ id, name, at, session = '', properties = {} }) => {
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
