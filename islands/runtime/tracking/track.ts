import type { EventName, EventProperties } from '../../../worker/analytics/rules/event-schema.ts';
import { pageData } from '../hydration/page-data.ts';
import type { Moment } from '../navigation/visit-hooks.ts';
import { earlyEventsKey, readItem, writeItem } from '../storage/state-storage.ts';

/** The moment that is tracked now, although it is over. */
let past: Moment | undefined;

export function trackPast(moment: Moment, job: () => void): void {
  past = moment;
  try {
    job();
  } finally {
    past = undefined;
  }
}

/** The data of the screen on which an event happens. */
export const eventPage = (): DOMStringMap => past?.page ?? pageData();

/** When it happens, ms of this document. */
export const eventTime = (): number =>
  past ? past.at - performance.timeOrigin : performance.now();

export const screenName = (): string => eventPage().screen ?? location.pathname.slice(1);

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
  deliverSafely({ name, properties: sent, at: past?.at ?? Date.now(), once });
}

function storedEvents(): TrackedEvent[] {
  try {
    return JSON.parse(readItem('sessionStorage', earlyEventsKey) ?? '[]');
  } catch {
    return [];
  }
}

export function deliverTo(queue: (event: TrackedEvent) => void): void {
  const early = [...storedEvents(), ...buffered].sort((a, b) => a.at - b.at);
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
