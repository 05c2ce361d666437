import type { EventName, EventProperties } from '../../worker/funnel/events.ts';
import { here } from './here.ts';

/** An event as it is told, before the queue is there. */
export interface Told {
  name: EventName;
  properties: Record<string, unknown>;
  /** Ms since 1970. */
  at: number;
  /** Makes two tellings the same event; each is one of its own when left out. */
  once?: string;
}

let early: Told[] = [];
let take = (told: Told): void => void early.push(told);

/**
 * Tells that something happened, on the screen that is shown. Nothing about who: an event holds no
 * personal data.
 *
 * @param once what makes another telling the same event: `session` for once a visit, or an id
 */
export function track<Name extends EventName>(
  name: Name,
  properties: EventProperties<Name> = {} as EventProperties<Name>,
  once?: string,
): void {
  const { screen } = here();
  take({ name, properties: { ...properties, screen_name: screen }, at: Date.now(), once });
}

/** Hands all that was told, and will be, to the queue. */
export function deliverTo(queue: (told: Told) => void): void {
  take = queue;
  for (const told of early) queue(told);
  early = [];
}
