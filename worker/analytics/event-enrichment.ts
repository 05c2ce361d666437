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

const maxAgeMs = 7 * 24 * 60 * 60 * 1000;
const stepMs = 60_000;
/** The rest of the minute allows for a slow request. */
const aheadMs = 15_000;

/** Ms by our clock. `sent` shows how far the browser's is off; whole minutes keep the order of events. */
export function occurredAt(at: number | undefined, sent: number | undefined, now: number): number {
  if (at === undefined || sent === undefined) return now;
  const age = sent - at;
  if (age < 0 || age >= maxAgeMs) return now;
  const correction = Math.floor((now - sent + aheadMs) / stepMs) * stepMs;
  return Math.min(at + correction, now);
}

/** Drops unknown events and properties. @param sent by the browser's clock, ms */
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
