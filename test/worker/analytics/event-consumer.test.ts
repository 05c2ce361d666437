import { env } from 'cloudflare:test';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  byteSize,
  consumeEvents,
  type EventMessage,
  messagesFor,
  sendBatches,
  splitBySize,
} from '../../../worker/analytics/event-consumer.ts';
import {
  insertEvents,
  markDelivered,
  type StoredEvent,
  undelivered,
} from '../../../worker/analytics/event-table.ts';
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
  const waiting: (() => void)[] = [];
  const hang = vi.fn(
    () =>
      new Promise((_, reject) => {
        waiting.push(() => reject(new DOMException('', 'TimeoutError')));
      }),
  );
  // Requests that an earlier file left behind are none of the provider's.
  vi.stubGlobal('fetch', (url: string) =>
    url.includes('amplitude') ? hang() : Promise.reject(new Error(`not asked: ${url}`)),
  );
  const at = Date.now();
  const events = [storedEvent({ at }), storedEvent({ at }), storedEvent({ at })];
  const all = events.flatMap((event) => messages([event]));
  const told = consumeEvents(all, vars, vi.fn());
  const ids = expect.arrayContaining(events.map(({ id }) => id));
  await expect.poll(stored, { timeout: 20_000 }).toEqual(ids);
  await expect.poll(() => waiting, { timeout: 20_000 }).toHaveLength(1);
  waiting[0]?.();
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

const all = async (column: string) =>
  (await env.DB.prepare(`SELECT ${column} FROM events ORDER BY occurred_at`).raw()).flat();
const day = 24 * 60 * 60 * 1000;

test('event table: an event is stored once for 90 days', async () => {
  await env.DB.prepare('DELETE FROM events').run();
  const now = 1_700_000_000_000;
  const event = storedEvent({ at: now });
  await insertEvents(env.DB, [event, event], now);
  await insertEvents(env.DB, [{ ...event, name: 'load' }], now);
  expect(await all('name')).toEqual(['click']);
  expect(JSON.parse(String((await all('properties'))[0]))).toEqual(event.properties);
  await insertEvents(env.DB, [], now + 90 * day);
  expect(await all('id')).toEqual([event.id]);
  await insertEvents(env.DB, [], now + 90 * day + 1);
  expect(await all('id')).toEqual([]);
});

test('event table: each sink gets an event once', async () => {
  const [one, two] = [storedEvent(), storedEvent()];
  expect(await undelivered(env.DB, 'a', [one, two, one])).toEqual([one, two]);
  await markDelivered(env.DB, 'a', [one], 1);
  await markDelivered(env.DB, 'a', [one], 2);
  expect(await undelivered(env.DB, 'a', [one, two])).toEqual([two]);
  expect(await undelivered(env.DB, 'b', [one])).toEqual([one]);
});

const big = (bytes: number) => ({ body: 'ü'.repeat(bytes / 2) });

test('queue batching: a call has at most 100 messages and 256 KB, in order', () => {
  const many = Array.from({ length: 250 }, (_, at) => ({ body: at }));
  expect(sendBatches(many).map(({ length }) => length)).toEqual([100, 100, 50]);
  expect(sendBatches(many).flat()).toEqual(many);
  const large = Array.from({ length: 8 }, () => big(100_000));
  const sent = sendBatches(large);
  expect(sent.map(({ length }) => length)).toEqual([2, 2, 2, 2]);
  for (const one of sent) expect(byteSize(one)).toBeLessThan(256 * 1000);
  expect(sendBatches([])).toEqual([]);
});

test('queue batching: parts leave room for the overhead, a too large event goes alone', () => {
  const events = Array.from({ length: 10 }, () => big(30_000));
  expect(splitBySize(events, 0).map(({ length }) => length)).toEqual([3, 3, 3, 1]);
  expect(splitBySize(events, 50_000).map(({ length }) => length)).toEqual([2, 2, 2, 2, 2]);
  for (const one of splitBySize(events, 20_000))
    expect(byteSize(one) + 20_000).toBeLessThan(128 * 1000);
  expect(splitBySize([big(20), big(300_000), big(20)], 0).map(({ length }) => length)).toEqual([
    1, 1, 1,
  ]);
});
