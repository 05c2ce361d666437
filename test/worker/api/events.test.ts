import { afterEach, expect, test, vi } from 'vitest';
import type { EventMessage } from '../../../worker/event-sinks.ts';
import { ask, post } from '../ask.ts';

const event = (name: string, properties?: object) => ({
  id: crypto.randomUUID(),
  name,
  properties,
});
const send = (events: unknown) => post('/events', { events });

afterEach(() => void vi.restoreAllMocks());

test('events are taken', async () => {
  const response = await send([
    event('load', { screen_name: 'one_pager' }),
    event('signup__click'),
  ]);
  expect(response.status).toBe(204);
  expect(await response.text()).toBe('');
});

test('a beacon of plain text is taken too', async () => {
  const headers = { 'content-type': 'text/plain;charset=UTF-8' };
  const body = JSON.stringify({ events: [event('load')] });
  const response = await ask('/api/v1/events', { method: 'POST', headers, body });
  expect(response.status).toBe(204);
});

test('a failed chunk is logged with its type, screen and chunk, and nothing more', async () => {
  const log = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const message = 'Loading chunk phone-form failed';
  const properties = {
    type: 'timeout',
    screen_name: 'one_pager',
    message,
    phone: '+4915123456789',
  };
  await send([event('chunk_failed', properties), event('load')]);
  expect(log).toHaveBeenCalledOnce();
  expect(JSON.parse(log.mock.calls[0]?.[0])).toMatchObject({
    event: 'chunk_failed',
    type: 'timeout',
    screen: 'one_pager',
    key: 'phone-form',
  });
  expect(log.mock.calls[0]?.[0]).not.toContain('4915123456789');
});

test('free text never reaches the log', async () => {
  const log = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const told = { type: 'ada@example.com', screen_name: 'ada@example.com', message: 'for ada@x' };
  await send([event('island_failed', told)]);
  expect(log).toHaveBeenCalledOnce();
  expect(log.mock.calls[0]?.[0]).not.toMatch(/ada|@/);
});

test('one page cannot fill the log', async () => {
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
])('another shape is refused', async (events) => {
  expect((await send(events)).status).toBe(400);
});

const browser = { 'accept-language': 'en', 'user-agent': 'Mozilla/5.0' };

/** Sends events as a browser does, and tells what the queue then holds. */
async function relayed(events: object[], headers: Record<string, string> = {}, told = {}) {
  const batches: { body: EventMessage }[][] = [];
  const EVENTS = {
    sendBatch: async (batch: { body: EventMessage }[]) => void batches.push(batch),
  } as never;
  const response = await post(
    '/events',
    { events, ...told },
    { ...browser, ...headers },
    { EVENTS },
  );
  expect(response.status).toBe(204);
  return batches.flat().map(({ body }) => body);
}

test('known events go to the queue, with what the edge knows', async () => {
  const at = Date.now() - 5000;
  const click = {
    ...event('click', { screen_name: 'signup', target: 'a@b.co' }),
    at,
    session: 's',
  };
  const [message] = await relayed([click, event('nonsense')], {}, { sent: at + 5000 });
  expect(message).toMatchObject({ sink: 'store', user: {} });
  expect(message?.events).toEqual([
    expect.objectContaining({
      id: click.id,
      name: 'click',
      session: 's',
      screen: 'signup',
      flow: 'default',
      arm: 'fullPrice',
      country: 'US',
      language: 'en',
      consent: 'ads',
      properties: {},
    }),
  ]);
  expect(Math.abs((message?.events[0]?.at ?? 0) - at)).toBeLessThan(60_000);
});

test.each([
  ['where consent is asked and not given', { 'cf-ipcountry': 'DE' }],
  ['after a no', { cookie: 'consent=1.no' }],
  ['of a program', { 'user-agent': 'Googlebot' }],
])('nothing is kept %s', async (_, headers) => {
  expect(await relayed([event('load')], headers)).toEqual([]);
});

test('after a yes all is; a browser that objects to ads is known to no network', async () => {
  const asked = { 'cf-ipcountry': 'DE', cookie: 'consent=1.yes' };
  expect(await relayed([event('load')], asked)).toHaveLength(1);
  const providers = [{ name: 'a', url: 'https://a.example/', key: 'k' }];
  const ANALYTICS_PROVIDERS = JSON.stringify(providers);
  const sent: EventMessage[] = [];
  const EVENTS = {
    sendBatch: async (batch: { body: EventMessage }[]) =>
      void sent.push(...batch.map(({ body }) => body)),
  } as never;
  const user = { user_data: { fbc: 'fb.1.1.a' } };
  const vars = { EVENTS, ANALYTICS_PROVIDERS, META_PIXEL_ID: '1', TIKTOK_PIXEL_ID: 'T' };
  const told = { events: [event('load')], user_id: 'u1', fb_pixel_id: 'theirs', ...user };
  for (const gpc of ['0', '1']) {
    await post('/events', told, { ...browser, 'sec-gpc': gpc }, vars);
  }
  const provided = sent.filter(({ sink }) => sink === 'a');
  const pixels = { fb_pixel_id: '1', tt_pixel_id: 'T' };
  expect(provided.map((message) => message.user)).toEqual([
    { user_id: 'u1', ...pixels, ...user },
    { user_id: 'u1' },
  ]);
});

test('with the queue down the browser is told to keep them', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const EVENTS = { sendBatch: async () => Promise.reject(new Error('down')) } as never;
  const response = await post('/events', { events: [event('load')] }, browser, { EVENTS });
  expect(response.status).toBe(503);
});

test.each([{ id: 'a@b.co' }, { session: '+4915123' }, { at: 1.5 }, { name: 'a b' }])(
  'an event with %j is refused',
  async (wrong) => expect((await send([{ ...event('load'), ...wrong }])).status).toBe(400),
);
