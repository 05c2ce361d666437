import { $checkout } from '../../stores/checkout.ts';
import { $consent, chosenIn } from '../../stores/consent.ts';
import { $signup } from '../../stores/signup.ts';
import { pageData } from '../hydration/page-data.ts';
import { eventsKey, readItem, storageAllowed, writeItem } from '../storage/state-storage.ts';
import { attribution, campaign, recordAttribution } from './attribution.ts';
import { trackClicks } from './click-events.ts';
import { EventQueue, type QueuedEvent } from './event-queue.ts';
import { trackScreen } from './screen-events.ts';
import { sessionAt } from './session.ts';
import { deliverTo, type Told, track } from './track.ts';

const address = '/api/v1/events';
const type = 'application/json';
/** After this many ms no answer is one. */
const patience = 30_000;

/** The last moment that was told of, ms since 1970. */
let last = 0;

/** The moment of an event: never that of another, so that their order is known. */
function momentOf(at: number): number {
  last = Math.max(at, last + 1);
  return last;
}

const write = (events: readonly QueuedEvent[]) =>
  JSON.stringify({
    events,
    sent: Math.max(Date.now(), last),
    user_id: $signup.get().userId || undefined,
    ...attribution(),
  });

function kept(): QueuedEvent[] {
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
      body: write(events),
      signal: AbortSignal.timeout(patience),
    }).then(
      ({ status }) => status,
      () => 0,
    ),
  beacon: (events) => navigator.sendBeacon(address, new Blob([write(events)], { type })),
  load: kept,
  save: (events) => writeItem('sessionStorage', eventsKey, JSON.stringify(events)),
  later(job, ms) {
    const timer = setTimeout(job, ms);
    return () => clearTimeout(timer);
  },
});

/** What makes two tellings the same event: the visit, an id, or nothing. */
function idOf({ name, once }: Told, visit: string): string {
  if (once === undefined) return crypto.randomUUID();
  return `${once === 'visit' ? visit : once}.${name}`;
}

/** Sends events where the visitor allows it; holds them while that is being asked, in any tab. */
function obey(): boolean {
  const refused = chosenIn(document.cookie) === 'no';
  if (refused) queue.close();
  else if (storageAllowed()) queue.open();
  return !refused;
}

function take(told: Told): void {
  if (!obey()) return;
  const { name, properties } = told;
  const { id: session, begins } = sessionAt(told.at);
  if (begins) {
    const { screen_name } = properties;
    const first = { screen_name, ...campaign(location.search) };
    const id = `${session}.session_start`;
    const at = momentOf(told.at);
    queue.push({ id, name: 'session_start', at, session, properties: first });
  }
  const at = momentOf(told.at);
  queue.push({ id: idOf(told, session), name, at, session, properties });
}

function flush(): void {
  if (obey()) queue.flush();
}

/** A checkout is left without a purchase, or loaded anew: the Worker waits to see which. */
function leave(): void {
  const { screen, checkout } = pageData();
  if (`/${screen}` === checkout && !$checkout.get().isSuccess) {
    track('subs_purchase_screen_close');
  }
  flush();
}

/** Begins to tell what happens here. */
export function startTracking(): void {
  recordAttribution(location.search);
  obey();
  $consent.listen(() => void obey());
  deliverTo(take);
  track('load');
  trackScreen();
  trackClicks();
  addEventListener('pagehide', leave);
  addEventListener('online', () => queue.retry());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') flush();
  });
}
