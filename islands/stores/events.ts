import { map } from 'nanostores';
import { persist } from '../runtime/storage/persist.ts';
import { readSlice } from '../runtime/storage/state-storage.ts';

interface Events {
  eventsData: Record<string, unknown>;
  analyticsData: Record<string, unknown>;
}

export const $events = map<Events>({ eventsData: {}, analyticsData: {} });
persist('events', $events);

/** Another tab may have added data meanwhile. */
function merge(field: keyof Events, data: Record<string, unknown>): void {
  const stored = readSlice('events')[field] as object | undefined;
  $events.setKey(field, { ...$events.get()[field], ...stored, ...data });
}

export const mergeEventsData = (data: Record<string, unknown>): void => merge('eventsData', data);

export const mergeAnalyticsData = (data: Record<string, unknown>): void =>
  merge('analyticsData', data);
