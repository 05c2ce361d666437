import type { EventName, EventProperties } from '../../../worker/analytics/rules/event-schema.ts';
import { pageData } from '../hydration/page-data.ts';
import { earlyEventsKey, readItem, writeItem } from '../storage/state-storage.ts';

export const screenName = (): string => pageData().screen ?? location.pathname.slice(1);

export interface TrackedEvent {
  name: EventName;
  properties: Record<string, unknown>;
  at: number;
  once?: string;
}

type EventData<Name extends EventName> = EventProperties<Name> & { screen_name?: string };

let buffered: TrackedEvent[] = [];
let deliver = (event: TrackedEvent): void => void buffered.push(event);

/** Tracking must never break sign-up or payment. */
function deliverSafely(event: TrackedEvent): void {
  try {
    deliver(event);
  } catch {}
}

/** No personal data. Never throws. @param once deduplicates: `visit` for once per session, or an id */
export function track<Name extends EventName>(
  name: Name,
  properties: EventData<Name> = {} as EventData<Name>,
  once?: string,
): void {
  const sent = { screen_name: screenName(), ...properties };
  deliverSafely({ name, properties: sent, at: Date.now(), once });
}

function storedEvents(): TrackedEvent[] {
  try {
    return JSON.parse(readItem('sessionStorage', earlyEventsKey) ?? '[]');
  } catch {
    return [];
  }
}

export function deliverTo(queue: (event: TrackedEvent) => void): void {
  const early = [...storedEvents(), ...buffered];
  writeItem('sessionStorage', earlyEventsKey, '[]');
  deliver = queue;
  early.forEach(deliverSafely);
  buffered = [];
}

/** Stores the events that wait for the queue's code for the visit's next document. */
export function storeUndelivered(): void {
  if (buffered.length === 0 || pageData().kind === 'private') return;
  writeItem('sessionStorage', earlyEventsKey, JSON.stringify([...storedEvents(), ...buffered]));
  buffered = [];
}
