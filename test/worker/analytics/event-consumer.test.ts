import { env } from 'cloudflare:test';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  consumeEvents,
  type EventMessage,
  messagesFor,
} from '../../../worker/analytics/event-consumer.ts';
import type { StoredEvent } from '../../../worker/analytics/event-table.ts';
import type { VisitorId } from '../../../worker/types.ts';
import { insertConsent } from '../../../worker/visitor/consent-table.ts';
import { type AnalyticsFake, createAnalytics } from '../../fakes/networks/conversions.ts';
import { storedEvent } from './event-fixture.ts';

const providers = [
  { name: 'amplitude', url: 'https://api.amplitude.com/', key: 'k' },
  { name: 'keyless', url: 'https://keyless.example/' },
];
const vars = { ...env, ANALYTICS_PROVIDERS: JSON.stringify(providers) };
let fake: AnalyticsFake;

beforeEach(() => {
  fake = createAnalytics();
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => fake.fetch(new Request(url, init)));
});
afterEach(() => void vi.unstubAllGlobals());

/** The bodies of the messages for a set of events. */
const messages = (events: StoredEvent[], user: EventMessage['user'] = {}) =>
  messagesFor(events, user, vars).map(({ body }) => body);
const stored = async () => (await env.DB.prepare('SELECT id FROM events').raw()).flat();

test('event consumer: each sink has its own message, our table gets no attribution', async () => {
  const event = storedEvent();
  const user = { appsflyer_id: 'a1' };
  expect(messages([event], user)).toEqual([
    { sink: 'store', user: {}, events: [event] },
    { sink: 'amplitude', user, events: [event] },
    { sink: 'keyless', user, events: [event] },
  ]);
});

test('event consumer: a repeated message changes nothing', async () => {
  const both = messages([storedEvent(), storedEvent()]);
  const log = vi.fn();
  for (let i = 0; i < 3; i += 1) expect(await consumeEvents(both, vars, log)).toEqual([]);
  expect((await stored()).length).toBe(2);
  expect(fake.bodies).toHaveLength(1);
  const dropped = { vendor: 'keyless', reason: 'No request sent', count: 2 };
  expect(log).toHaveBeenCalledWith('warn', 'events_dropped', dropped);
});

test('event consumer: a provider that is down delays only its own messages', async () => {
  fake.trouble.push(500, 'lost');
  const event = storedEvent();
  const all = messages([event]);
  const log = vi.fn();
  const waiting = await consumeEvents(all, vars, log);
  expect(waiting).toEqual([all[1]]);
  expect(await stored()).toContain(event.id);
  expect(await consumeEvents(waiting, vars, log)).toEqual(waiting);
  expect(await consumeEvents(waiting, vars, log)).toEqual([]);
  expect(fake.events.map(({ insert_id }) => insert_id)).toEqual([event.id]);
});

test('event consumer: a slow provider delays no other, and a failing one gets no further message', async () => {
  let giveUp: (() => void) | undefined;
  const hang = vi.fn(
    () =>
      new Promise((_, reject) => {
        giveUp = () => reject(new DOMException('', 'TimeoutError'));
      }),
  );
  vi.stubGlobal('fetch', hang);
  const at = Date.now();
  const events = [storedEvent({ at }), storedEvent({ at }), storedEvent({ at })];
  const all = events.flatMap((event) => messages([event]));
  const told = consumeEvents(all, vars, vi.fn());
  const ids = expect.arrayContaining(events.map(({ id }) => id));
  await expect.poll(stored, { timeout: 20_000 }).toEqual(ids);
  await expect.poll(() => giveUp, { timeout: 20_000 }).toBeDefined();
  giveUp?.();
  expect(await told).toEqual(all.filter(({ sink }) => sink === 'amplitude'));
  expect(hang).toHaveBeenCalledOnce();
});

test('event consumer: an abandoned checkout is delayed and dropped after a reload', async () => {
  const at = Date.now() - 200_000;
  const leave = (session: string) =>
    storedEvent({ name: 'subs_purchase_screen_close', screen: 'pay', at, session });
  const load = (session: string, screen: string, later: number) =>
    storedEvent({ name: 'screen__load', screen, at: at + later, session });
  const [reloaded, gone, late] = ['reloaded', 'gone', 'late'].map(leave);
  const sent = messagesFor([load('x', 'pay', 0), reloaded, gone, late] as StoredEvent[], {}, vars);
  const waits = sent.map(({ delaySeconds }) => delaySeconds);
  expect(waits).toEqual([undefined, undefined, undefined, ...Array(3).fill(300)]);
  const again = [
    load('reloaded', 'pay', 800),
    load('gone', 'declined', 800),
    load('late', 'pay', 90_001),
  ];
  await consumeEvents(messages(again), vars, vi.fn());
  const bodies = sent.map(({ body }) => body);
  expect(await consumeEvents(bodies, vars, vi.fn())).toEqual([]);
  const told = fake.events.filter(({ event_type }) => event_type === 'subs_purchase_screen_close');
  expect(told.map(({ insert_id }) => insert_id)).toEqual([gone?.id, late?.id]);
  expect(await stored()).not.toContain(reloaded?.id);
});

test('event consumer: events waiting at a withdrawal of consent are dropped', async () => {
  const where = { country: 'DE', language: 'de' };
  const [gone, stays] = [crypto.randomUUID() as VisitorId, crypto.randomUUID() as VisitorId];
  for (const visitor of [gone, stays]) {
    await insertConsent(env.DB, { visitor, choice: 'yes', ...where }, 1);
  }
  const mixed = messages([
    storedEvent({ visitor: gone as VisitorId }),
    storedEvent({ visitor: stays as VisitorId }),
  ]);
  await insertConsent(env.DB, { visitor: gone as VisitorId, choice: 'no', ...where }, 2);
  const log = vi.fn();
  expect(await consumeEvents(mixed, vars, log)).toEqual([]);
  expect(fake.events.map(({ device_id }) => device_id)).toEqual([stays]);
  const kept = env.DB.prepare(
    'SELECT visitor_id AS visitor FROM events WHERE visitor_id IN (?, ?)',
  );
  expect((await kept.bind(gone, stays).all()).results).toEqual([{ visitor: stays }]);
  expect(log).toHaveBeenCalledWith('info', 'events_withdrawn', { vendor: 'store', count: 1 });
});

test('event consumer: a malformed message is logged and dropped', async () => {
  const log = vi.fn();
  expect(await consumeEvents([null, {}, { sink: 'store', events: [{}] }], vars, log)).toEqual([]);
  expect(log).toHaveBeenCalledTimes(3);
});
