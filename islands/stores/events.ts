import { map } from 'nanostores';
import { persist } from '../runtime/storage/persist.ts';

interface Events {
  /** What events tell again, such as the purchase. */
  eventsData: Record<string, unknown>;
  /** What is known of the ad that led here. */
  analyticsData: Record<string, unknown>;
}

export const $events = map<Events>({ eventsData: {}, analyticsData: {} });
persist('events', $events);

/** Adds to the data that events carry. */
export function mergeEventsData(data: Record<string, unknown>): void {
  $events.setKey('eventsData', { ...$events.get().eventsData, ...data });
}

/** Adds to what is known of the visitor's way here. */
export function mergeAnalyticsData(data: Record<string, unknown>): void {
  $events.setKey('analyticsData', { ...$events.get().analyticsData, ...data });
}
