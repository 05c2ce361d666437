import type { EventName, EventProperties } from '../../../worker/analytics/rules/event-schema.ts';
import { pageData } from '../hydration/page-data.ts';

/** The screen that is shown: its id, or the path without its leading slash. */
export const screenName = (): string => pageData().screen ?? location.pathname.slice(1);

/** An event as it is told, before the queue is there. */
export interface Told {
  name: EventName;
  properties: Record<string, unknown>;
  /** Ms since 1970. */
  at: number;
  /** Makes two tellings the same event; each is one of its own when left out. */
  once?: string;
}

/** What an event says, and its screen where that is not the one that is shown. */
type Saying<Name extends EventName> = EventProperties<Name> & { screen_name?: string };

let early: Told[] = [];
let take = (told: Told): void => void early.push(told);

/** Whatever can not be told, it must keep nobody from signing up or paying. */
function tell(told: Told): void {
  try {
    take(told);
  } catch {}
}

/**
 * Tells that something happened, on the screen that is shown unless it names another. Nothing about
 * who: an event holds no personal data. Never throws.
 *
 * @param once what makes another telling the same event: `visit` for once a visit, or an id
 */
export function track<Name extends EventName>(
  name: Name,
  properties: Saying<Name> = {} as Saying<Name>,
  once?: string,
): void {
  const said = { screen_name: screenName(), ...properties };
  tell({ name, properties: said, at: Date.now(), once });
}

/** Hands all that was told, and will be, to the queue. */
export function deliverTo(queue: (told: Told) => void): void {
  take = queue;
  early.forEach(tell);
  early = [];
}
