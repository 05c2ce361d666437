import { map } from 'nanostores';
import { persist } from '../runtime/storage/persist.ts';

interface Events {
  eventsData: Record<string, unknown>;
  analyticsData: Record<string, unknown>;
}

export const $events = map<Events>({ eventsData: {}, analyticsData: {} });
persist('events', $events);

export function mergeEventsData(data: Record<string, unknown>): void {
  $events.setKey('eventsData', { ...$events.get().eventsData, ...data });
}

export function mergeAnalyticsData(data: Record<string, unknown>): void {
  $events.setKey('analyticsData', { ...$events.get().analyticsData, ...data });
}
