import { map } from 'nanostores';
import { persist } from './persist.ts';

interface Events {
  eventsData: Record<string, unknown>;
  analyticsData: Record<string, unknown>;
}

export const $events = map<Events>({ eventsData: {}, analyticsData: {} });
persist('events', $events);

/** Notes that something happened now, by the name of its event; the latest time counts. */
export function noteEvent(name: string, now = Date.now()): void {
  mergeEventsData({ [name]: now });
}

/** Adds to the data that events carry. */
export function mergeEventsData(data: Record<string, unknown>): void {
  $events.setKey('eventsData', { ...$events.get().eventsData, ...data });
}
