import { env } from 'cloudflare:test';
import { beforeEach, expect, test, vi } from 'vitest';
import { requestEventErasure } from '../../../worker/analytics/erase-visitor.ts';
import { consumeEvents } from '../../../worker/analytics/event-consumer.ts';
import { type EventsMessage, messagesFor } from '../../../worker/analytics/event-messages.ts';
import type { StoredEvent } from '../../../worker/analytics/rules/stored-event.ts';
import type { Env } from '../../../worker/platform/env.ts';
import type { VisitorId } from '../../../worker/platform/types.ts';
import { deleteConsents, insertConsent } from '../../../worker/visitor/consent-table.ts';
import { type AnalyticsFake, createAnalytics } from '../../fakes/networks/conversions.ts';
import { storedEvent } from './event-fixture.ts';
import { eventsOf } from './rollups.ts';

const providers = [
  { name: 'amplitude', url: 'https://api.amplitude.com/', key: 'k' },
  { name: 'keyless', url: 'https://keyless.example/' },
];
/** Messages that the consumer itself sent. */
let sentAgain: EventsMessage[] = [];
const EVENT_QUEUE = {
  sendBatch: async (batch: { body: EventsMessage }[]) =>
    void sentAgain.push(...batch.map(({ body }) => body)),
};
const vars = {
  ...env,
  EVENT_QUEUE,
  ANALYTICS_PROVIDERS: JSON.stringify(providers),
} as never as Env;
let fake: AnalyticsFake;

beforeEach(() => {
  fake = createAnalytics();
  sentAgain = [];
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => fake.fetch(new Request(url, init)));
});
/** The bodies of the messages for a set of events. */
const messages = (events: StoredEvent[], user: EventsMessage['user'] = {}) =>
  messagesFor(events, user, vars).map(({ body }) => body);
const visitor = storedEvent().visitor;
const stored = async (of = visitor) => (await eventsOf(of)).map(({ id }) => id);

test('event consumer: one message reaches all sinks', async () => {
  const event = storedEvent();
  const user = { appsflyer_id: 'a1' };
  expect(messages([event], user)).toEqual([
    { sinks: ['store', 'amplitude', 'keyless'], user, events: [event] },
  ]);
});

test('event consumer: a repeated message is stored once, and the provider can tell by its insert_id', async () => {
  const events = [storedEvent(), storedEvent()];
  const log = vi.fn();
  const before = (await stored()).length;
  for (let i = 0; i < 3; i += 1)
    expect(await consumeEvents(messages(events), vars, log)).toEqual([]);
  expect((await stored()).length).toBe(before + 2);
  expect(new Set(fake.events.map(({ insert_id }) => insert_id)).size).toBe(2);
  const dropped = { vendor: 'keyless', reason: 'No request sent', count: 2 };
  expect(log).toHaveBeenCalledWith('warn', 'events_provider_unconfigured', dropped);
});

test('event consumer: a provider that is down delays only itself', async () => {
  fake.nextFaults.push(500, 'lost');
  const event = storedEvent();
  const log = vi.fn();
  expect(await consumeEvents(messages([event]), vars, log)).toEqual([]);
  const rest = [{ sinks: ['amplitude'], user: {}, events: [event] }];
  expect(sentAgain).toEqual(rest);
  expect(await stored()).toContain(event.id);
  expect(await consumeEvents(rest, vars, log)).toEqual(rest);
  expect(await consumeEvents(rest, vars, log)).toEqual([]);
  expect(fake.events.map(({ insert_id }) => insert_id)).toEqual([event.id]);
});

test('event consumer: with a queue that is down the whole message is retried', async () => {
  fake.nextFaults.push(500);
  const all = messages([storedEvent()]);
  const down = { ...vars, EVENT_QUEUE: { sendBatch: () => Promise.reject(new Error('down')) } };
  expect(await consumeEvents(all, down as never, vi.fn())).toEqual(all);
});

test('event consumer: events that a shard refuses are retried', async () => {
  const all = messages([storedEvent()]);
  const stub = { append: () => Promise.reject(new Error('down')) };
  const down = { ...vars, EVENT_SHARDS: { getByName: () => stub } } as never;
  const log = vi.fn();
  expect(await consumeEvents(all, down, log)).toEqual([]);
  expect(sentAgain.map(({ sinks }) => sinks)).toEqual([['store']]);
  const [left] = sentAgain;
  expect(await consumeEvents([left], down, log)).toEqual([left]);
});

test('event consumer: a slow provider delays no other, and a failing one gets no further message', async () => {
  const waiting: (() => void)[] = [];
  const hang = vi.fn(
    () =>
      new Promise((_, reject) => {
        waiting.push(() => reject(new DOMException('', 'TimeoutError')));
      }),
  );
  // Ignores requests left by an earlier test file.
  vi.stubGlobal('fetch', (url: string) =>
    url.includes('amplitude') ? hang() : Promise.reject(new Error(`unexpected request: ${url}`)),
  );
  const at = Date.now();
  const events = [storedEvent({ at }), storedEvent({ at }), storedEvent({ at })];
  const all = events.flatMap((event) => messages([event]));
  const delivered = consumeEvents(all, vars, vi.fn());
  const ids = expect.arrayContaining(events.map(({ id }) => id));
  await expect.poll(() => stored(), { timeout: 20_000 }).toEqual(ids);
  await expect.poll(() => waiting, { timeout: 20_000 }).toHaveLength(1);
  waiting[0]?.();
  expect(await delivered).toEqual([]);
  expect(sentAgain.map(({ sinks }) => sinks)).toEqual(Array(3).fill(['amplitude']));
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
  expect(sent.map(({ delaySeconds }) => delaySeconds)).toEqual([undefined, 300]);
  const again = [
    load('reloaded', 'pay', 800),
    load('gone', 'declined', 800),
    load('late', 'pay', 90_100),
  ];
  await consumeEvents(messages(again), vars, vi.fn());
  const bodies = sent.map(({ body }) => body);
  expect(await consumeEvents(bodies, vars, vi.fn())).toEqual([]);
  const delivered = fake.events.filter(
    ({ event_type }) => event_type === 'subs_purchase_screen_close',
  );
  expect(delivered.map(({ insert_id }) => insert_id)).toEqual([gone?.id, late?.id]);
  expect(await stored()).not.toContain(reloaded?.id);
});

test('event consumer: events waiting at a withdrawal of consent are dropped', async () => {
  const where = { country: 'DE', language: 'de' };
  const [gone, stays] = [crypto.randomUUID() as VisitorId, crypto.randomUUID() as VisitorId];
  for (const visitor of [gone, stays])
    await insertConsent(env.DB, { visitor, choice: 'yes', ...where }, 1);
  const mixed = [gone, stays].flatMap((visitor) => messages([storedEvent({ visitor })]));
  await insertConsent(env.DB, { visitor: gone as VisitorId, choice: 'no', ...where }, 2);
  const log = vi.fn();
  // A replica that does not have the withdrawal yet must not decide.
  const behind = { prepare: () => ({ bind: () => ({ all: async () => ({ results: [] }) }) }) };
  const DB = {
    prepare: (sql: string) => env.DB.prepare(sql),
    withSession: () => behind,
  } as unknown as Env['DB'];
  expect(await consumeEvents(mixed, { ...vars, DB }, log)).toEqual([]);
  expect(fake.events.map(({ device_id }) => device_id)).toEqual([stays]);
  expect(await stored(gone)).toEqual([]);
  expect(await stored(stays)).toHaveLength(1);
  expect(log).toHaveBeenCalledWith('info', 'events_dropped_after_withdrawal', { count: 1 });
});

test('event consumer: events waiting at an erasure reach nobody, with or without an earlier choice', async () => {
  const [refused, silent] = [crypto.randomUUID() as VisitorId, crypto.randomUUID() as VisitorId];
  const choice = { visitor: refused, country: 'DE', language: 'de' };
  await insertConsent(env.DB, { ...choice, choice: 'yes' }, 1);
  const waiting = [refused, silent].flatMap((visitor) => messages([storedEvent({ visitor })]));
  for (const visitor of [refused, silent]) {
    await requestEventErasure(env, visitor);
    await deleteConsents(env.DB, visitor);
  }
  expect(await consumeEvents(waiting, vars, vi.fn())).toEqual([]);
  expect(fake.events).toEqual([]);
  for (const visitor of [refused, silent]) expect(await stored(visitor)).toEqual([]);
});

test('event consumer: a malformed message is logged and dropped', async () => {
  const log = vi.fn();
  expect(await consumeEvents([null, {}, { sinks: ['store'], events: [{}] }], vars, log)).toEqual(
    [],
  );
  expect(log).toHaveBeenCalledTimes(3);
});
