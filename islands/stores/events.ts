import { map } from 'nanostores';
import { persist } from './persist.ts';

interface Events {
  eventsData: Record<string, unknown>;
  analyticsData: Record<string, unknown>;
}

export const $events = map<Events>({ eventsData: {}, analyticsData: {} });
persist('events', $events);

/** Adds to the data that events carry. */
export function mergeEventsData(data: Record<string, unknown>): void {
  $events.setKey('eventsData', { ...$events.get().eventsData, ...data });
}
