import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { EventsMessage as EventMessage } from '../../../worker/analytics/event-messages.ts';
import { occurredAt } from '../../../worker/analytics/events-api.ts';
import { browserCookies } from '../accounts/browser.ts';
import { attributes, open } from '../open-page.ts';
import { recordingQueue } from '../queue.ts';
import { post, request } from '../request.ts';

const browser = { 'accept-language': 'en', 'user-agent': 'Mozilla/5.0' };
const event = (name: string, properties?: object) => ({
  id: crypto.randomUUID(),
  name,
  properties,
});
const send = (events: unknown) => post('/events', { events });

test('events API: accepts a beacon of plain text', async () => {
  const headers = { 'content-type': 'text/plain;charset=UTF-8' };
  const body = JSON.stringify({ events: [event('load')] });
  expect((await request('/api/v1/events', { method: 'POST', headers, body })).status).toBe(204);
});

test('events API: a failed chunk is logged with type, screen and chunk only', async () => {
  const log = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const properties = {
    type: 'timeout',
    screen_name: 'one_pager',
    message: 'Loading chunk phone-form failed',
    phone: '+4915123456789',
  };
  await send([event('chunk_failed', properties), event('load')]);
  expect(log).toHaveBeenCalledOnce();
  expect(JSON.parse(log.mock.calls[0]?.[0])).toMatchObject({
    event: 'chunk_failed',
    type: 'timeout',
    screen: 'one_pager',
    chunk: 'phone-form',
  });
  expect(log.mock.calls[0]?.[0]).not.toContain('4915123456789');
});

test('events API: free text never reaches the log', async () => {
  const log = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const payload = {
    type: 'grace@example.com',
    screen_name: 'grace@example.com',
    message: 'for grace@x',
  };
  await send([event('island_failed', payload)]);
  expect(log).toHaveBeenCalledOnce();
  expect(log.mock.calls[0]?.[0]).not.toMatch(/grace|@/);
});

test('events API: log lines per request are limited', async () => {
  const log = vi.spyOn(console, 'warn').mockImplementation(() => {});
  await send(Array.from({ length: 100 }, () => event('island_failed', { type: 'TypeError' })));
  expect(log).toHaveBeenCalledTimes(10);
});

test.each([
  [undefined],
  ['load'],
  [[{ name: 'load' }]],
  [[{ id: '1', name: 'no spaces' }]],
  [[{ id: '', name: 'load' }]],
  [[{ id: '1', name: 'load', properties: 'text' }]],
  [Array.from({ length: 101 }, () => event('load'))],
])('events API: another shape is refused', async (events) => {
  expect((await send(events)).status).toBe(400);
});

test('events API: a malformed event is listed and the others are accepted', async () => {
  const { sent, queue: EVENT_QUEUE } = recordingQueue<EventMessage>();
  const [first, last] = [event('load'), event('click')];
  const log = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const payload = { events: [first, { ...event('load'), id: 'a@b.co' }, null, last], sent: 'late' };
  const response = await post('/events', payload, browser, { EVENT_QUEUE });
  expect([response.status, await response.json()]).toEqual([200, { data: { refused: [1, 2] } }]);
  expect(sent.flatMap(({ events }) => events.map(({ id }) => id))).toEqual([first.id, last.id]);
  expect(JSON.parse(log.mock.calls[0]?.[0])).toMatchObject({ event: 'events_refused', count: 2 });
});

test('events API: large events stay within the queue’s limits', async () => {
  const sizes: [messages: number, largest: number, bytes: number][] = [];
  const sent: string[] = [];
  const EVENT_QUEUE = {
    sendBatch: async (batch: { body: EventMessage }[]) => {
      const bytes = batch.map((one) => JSON.stringify(one).length);
      sizes.push([batch.length, Math.max(...bytes), bytes.reduce((all, one) => all + one)]);
      sent.push(...batch.flatMap(({ body }) => body.events.map(({ id }) => id)));
    },
  } as never;
  const providers = Array.from({ length: 6 }, (_, at) => ({
    name: `p${'abcdef'[at]}`,
    url: 'https://a.example/',
    key: 'k',
  }));
  const word = 'x'.repeat(128);
  const utm = ['source', 'medium', 'campaign', 'term', 'content'].map((name) => [
    `utm_${name}`,
    word,
  ]);
  const events = Array.from({ length: 60 }, () => event('session_start', Object.fromEntries(utm)));
  const user_data = { fbc: `a${'b'.repeat(500)}`, ttp: `a${'b'.repeat(500)}` };
  const vars = { EVENT_QUEUE, ANALYTICS_PROVIDERS: JSON.stringify(providers) };
  expect((await post('/events', { events, user_data }, browser, vars)).status).toBe(204);
  expect(sizes.length).toBeGreaterThan(0);
  for (const [messages, largest, bytes] of sizes)
    expect([messages <= 100, largest <= 128_000, bytes <= 256_000]).toEqual([true, true, true]);
  expect(sent).toEqual(events.map(({ id }) => id));
});

/** Sends events like a browser, and returns the queue's messages. */
async function queuedEvents(events: object[], headers: Record<string, string> = {}, payload = {}) {
  const { sent, queue: EVENT_QUEUE } = recordingQueue<EventMessage>();
  const sender = { ...browser, ...headers };
  const response = await post('/events', { events, ...payload }, sender, { EVENT_QUEUE });
  expect(response.status).toBe(204);
  return sent;
}

test('events API: known events are enriched and queued', async () => {
  const at = Date.now() - 5000;
  const click = {
    ...event('click', { screen_name: 'signup', target: 'a@b.co' }),
    at,
    session: 's',
  };
  const cookie = 'userUuid=5d6c3c5e-8a0e-4b6f-9d5f-0a1b2c3d4e5f';
  const headers = { cookie, referer: 'http://localhost/signup?utm_source=Facebook-Ads' };
  const [message] = await queuedEvents([click, event('nonsense')], headers, { sent: at + 5000 });
  const { html } = await open('/signup', { cookie });
  const { 'data-flow': flow, 'data-arm': arm } = attributes(html, 'main');
  expect(message).toMatchObject({ sinks: ['store'], user: {} });
  expect(message?.events).toEqual([
    expect.objectContaining({
      id: click.id,
      name: 'click',
      session: 's',
      screen: 'signup',
      flow,
      arm,
      country: 'US',
      language: 'en',
      device: 'other',
      source: 'meta',
      version: expect.stringMatching(/./),
      consent: 'ads',
      properties: {},
    }),
  ]);
  expect(Math.abs((message?.events[0]?.at ?? 0) - at)).toBeLessThan(60_000);
});

test.each([
  ['where consent is asked and not given', { 'cf-ipcountry': 'DE' }],
  ['after a no', { cookie: 'consent=3.no' }],
  ['of a program', { 'user-agent': 'Googlebot' }],
])('events API: nothing is stored %s', async (_, headers) => {
  expect(await queuedEvents([event('load')], headers)).toEqual([]);
});

test('events API: consent allows everything, Global Privacy Control removes ad ids', async () => {
  const consenting = { 'cf-ipcountry': 'DE', cookie: 'consent=3.yes' };
  expect(await queuedEvents([event('load')], consenting)).toHaveLength(1);
  const ANALYTICS_PROVIDERS = JSON.stringify([{ name: 'a', url: 'https://a.example/', key: 'k' }]);
  const { sent, queue: EVENT_QUEUE } = recordingQueue<EventMessage>();
  const user = { user_data: { fbc: 'fb.1.1.a' } };
  const vars = { EVENT_QUEUE, ANALYTICS_PROVIDERS, META_PIXEL_ID: '1', TIKTOK_PIXEL_ID: 'T' };
  const payload = { events: [event('load')], user_id: 'u1', fb_pixel_id: 'theirs', ...user };
  for (const gpc of ['0', '1'])
    await post('/events', payload, { ...browser, 'sec-gpc': gpc }, vars);
  const provided = sent.filter(({ sinks }) => sinks.includes('a'));
  const pixels = { fb_pixel_id: '1', tt_pixel_id: 'T' };
  expect(provided.map((message) => message.user)).toEqual([
    { user_id: 'u1', ...pixels, ...user },
    { user_id: 'u1' },
  ]);
});

/** A limiter that allows this many calls. */
const limiter = (limit: number) => {
  const keys: string[] = [];
  return {
    keys,
    limit: async ({ key }: { key: string }) => ({ success: keys.push(key) <= limit }),
  };
};

test('events API: a visitor and an IP address are limited by number of events and by bytes', async () => {
  const { sent, queue: EVENT_QUEUE } = recordingQueue();
  const { uuid, cookie } = browserCookies();
  const from = { ...browser, cookie, 'cf-connecting-ip': '192.0.2.1' };
  const postEvents = (events: object[], limits: object) =>
    post('/events', { events }, from, { EVENT_QUEUE, ...limits });
  const many = (count: number) => Array.from({ length: count }, () => event('load'));
  const [visitor, address] = [limiter(4), limiter(100)];
  const limits = { VISITOR_EVENT_RATE_LIMIT: visitor, EVENT_RATE_LIMIT: address };
  expect((await postEvents(many(100), limits)).status).toBe(204);
  expect(new Set(visitor.keys)).toEqual(new Set([uuid]));
  expect([visitor.keys.length, address.keys.length]).toEqual([4, 4]);
  const before = sent.length;
  expect((await postEvents(many(1), limits)).status).toBe(429);
  const one = [
    event('session_start', { utm_campaign: 'x'.repeat(128), filler: 'y'.repeat(40_000) }),
  ];
  const headers = { ...from, 'content-length': '40100' };
  const full = { EVENT_QUEUE, EVENT_RATE_LIMIT: limiter(2) };
  expect((await post('/events', { events: one }, headers, full)).status).toBe(429);
  expect(sent.length).toBe(before);
});

test('events API: responds with 503 while the queue is down', async () => {
  const EVENT_QUEUE = { sendBatch: async () => Promise.reject(new Error('down')) } as never;
  const response = await post('/events', { events: [event('load')] }, browser, { EVENT_QUEUE });
  expect(response.status).toBe(503);
});

test.each([{ id: 'a@b.co' }, { session: '+4915123' }, { at: 1.5 }, { name: 'a b' }])(
  'events API: an event with %j is refused by its field',
  async (wrong) => {
    const response = await send([{ ...event('load'), ...wrong }]);
    const field = `events.0.${Object.keys(wrong)[0]}`;
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errors: { code: 'malformed_body', field } });
  },
);

test('events API: an item that is not an event is refused with its index', async () => {
  const { errors } = (await (await send(['load'])).json()) as { errors: unknown };
  expect(errors).toMatchObject({ code: 'malformed_body', field: 'events.0' });
});

const now = 1_700_000_000_000;
const day = 24 * 60 * 60 * 1000;

const minute = 60_000;

test.each([
  ['a right clock', 0],
  ['a clock 10 seconds ahead', 10_000],
  ['a clock half a minute behind', -30_000],
  ['a clock an hour ahead', 60 * minute],
  ['a clock an hour behind', -60 * minute],
  ['a clock a year behind', -365 * day],
])('event time: %s moves an event by at most a minute', (_, off) => {
  const time = occurredAt(now - 2 * minute + off, now + off, now);
  expect(Math.abs(time - (now - 2 * minute))).toBeLessThan(minute);
});

test('event time: slow requests keep the order of events', () => {
  const way = fc.nat(40_000);
  const off = fc.integer({ min: -3_600_000, max: 3_600_000 }).map((ms) => Math.round(ms / minute));
  fc.assert(
    fc.property(
      way,
      way,
      off,
      fc.integer({ min: 1, max: 5000 }),
      (slow, quick, minutes, between) => {
        const clock = now + minutes * minute;
        const first = occurredAt(clock, clock, now + slow);
        return first < occurredAt(clock + between, clock + between, now + between + quick);
      },
    ),
  );
});

test('event time: an implausible time is replaced by the current time', () => {
  for (const [at, sent] of [
    [undefined, now],
    [now, undefined],
    [now + 1, now],
    [now - 7 * day, now],
  ])
    expect(occurredAt(at, sent, now)).toBe(now);
});

test('event time: is never in the future or over a week ago', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer(), (at, sent) => {
      const when = occurredAt(at, sent, now);
      return when <= now && when > now - 7 * day - minute;
    }),
  );
});
