import type { SentEvent } from '../../../worker/analytics/rules/sent-event.ts';
import { $checkout } from '../../stores/checkout.ts';
import { $consent, chosenIn } from '../../stores/consent.ts';
import { $signup } from '../../stores/signup.ts';
import { randomId } from '../../stores/visitor-uuid.ts';
import { pageData } from '../hydration/page-data.ts';
import {
  eventsKey,
  readItem,
  storageAllowed,
  writeItem,
  writeSlice,
} from '../storage/state-storage.ts';
import { sliceOf } from '../storage/update-slice.ts';
import { attribution, campaign, recordAttribution } from './attribution.ts';
import { EventQueue } from './event-queue.ts';
import { deliverTo, type TrackedEvent, track } from './track.ts';

/** Inactivity that ends a session (specification, section 9). */
const sessionTimeoutMs = 30 * 60 * 1000;

interface Session {
  id: string;
  begins: boolean;
}

/** The session at `now` (ms since 1970): the last one, or a new one after 30 min of inactivity. */
export function sessionAt(now: number): Session {
  const { id, last } = sliceOf('visit');
  const continues = id !== undefined && last !== undefined && now - last < sessionTimeoutMs;
  // Providers number a session by the ms at which it began.
  const visit = { id: continues ? id : `${now}-${randomId()}`, begins: !continues };
  writeSlice('visit', { id: visit.id, last: Math.max(now, continues ? last : 0) });
  return visit;
}

const address = '/api/v1/events';
const type = 'application/json';
const timeoutMs = 30_000;

/** Time of the last event, ms since 1970. */
let lastEventAt = 0;

/** A unique, increasing timestamp, so that the order of events is known. */
function uniqueTimestamp(at: number): number {
  lastEventAt = Math.max(at, lastEventAt + 1);
  return lastEventAt;
}

const serialize = (events: readonly SentEvent[]) =>
  JSON.stringify({
    events,
    sent: Math.max(Date.now(), lastEventAt),
    user_id: $signup.get().userId || undefined,
    ...attribution(),
  });

function storedEvents(): SentEvent[] {
  try {
    return JSON.parse(readItem('sessionStorage', eventsKey) ?? '[]');
  } catch {
    return [];
  }
}

const queue = new EventQueue({
  post: (events) =>
    fetch(address, {
      method: 'POST',
      headers: { 'content-type': type },
      body: serialize(events),
      signal: globalThis.AbortSignal?.timeout?.(timeoutMs),
    }).then(
      ({ status }) => status,
      () => 0,
    ),
  beacon: (events) =>
    navigator.sendBeacon?.(address, new Blob([serialize(events)], { type })) ?? false,
  load: storedEvents,
  save: (events) => writeItem('sessionStorage', eventsKey, JSON.stringify(events)),
  later(job, ms) {
    const timer = setTimeout(job, ms);
    return () => clearTimeout(timer);
  },
});

function idOf({ name, once }: TrackedEvent, visit: string): string {
  if (once === undefined) return randomId();
  return `${once === 'visit' ? visit : once}.${name}`;
}

function applyConsent(): boolean {
  const refused = chosenIn(document.cookie) === 'no';
  if (refused) queue.close();
  else if (storageAllowed()) queue.open();
  return !refused;
}

function enqueue(event: TrackedEvent): void {
  if (!applyConsent()) return;
  const { name, properties } = event;
  const { id: session, begins } = sessionAt(event.at);
  if (begins) {
    const { screen_name } = properties;
    const first = { screen_name, ...campaign(location.search) };
    const id = `${session}.session_start`;
    const at = uniqueTimestamp(event.at);
    queue.push({ id, name: 'session_start', at, session, properties: first });
  }
  const at = uniqueTimestamp(event.at);
  queue.push({ id: idOf(event, session), name, at, session, properties });
}

function flush(): void {
  if (applyConsent()) queue.flush();
}

function onPageHide(): void {
  const { screen, checkout } = pageData();
  if (`/${screen}` === checkout && !$checkout.get().isSuccess) {
    track('subs_purchase_screen_close');
  }
  flush();
}

export function startTracking(): void {
  recordAttribution(location.search);
  applyConsent();
  $consent.listen(() => void applyConsent());
  deliverTo(enqueue);
  addEventListener('pagehide', onPageHide);
  addEventListener('online', () => queue.retry());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') flush();
  });
}
