import type { Context } from 'hono';
import type { App } from './env.ts';
import { readProperties } from './funnel/events.ts';
import type { StoredEvent } from './storage/events.ts';

/** An event as a browser tells it. */
export interface ToldEvent {
  id: string;
  name: string;
  /** Ms since 1970, by the browser's clock. */
  at?: number;
  session?: string;
  properties?: Record<string, unknown>;
}

/** A clock that is further off than this is not believed, ms. */
const believable = 7 * 24 * 60 * 60 * 1000;

/**
 * When it happened by our clock: what the browser's clock is off by shows when it sends.
 *
 * @param at when it happened, `sent` when it was sent, both by the browser's clock, ms since 1970
 * @param now ms since 1970
 */
export function happened(at: number | undefined, sent: number | undefined, now: number): number {
  if (at === undefined || sent === undefined) return now;
  const age = sent - at;
  return age >= 0 && age < believable ? now - age : now;
}

/**
 * The events that are known, with what the edge knows of the visit: country, arm, flow, language, consent.
 *
 * @param sent when the browser sent them, by its own clock
 * @param now ms since 1970
 */
export function stamp(
  c: Context<App>,
  told: readonly ToldEvent[],
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
      at: happened(at, sent, now),
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
