import { afterEach, expect, test, vi } from 'vitest';
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
  await send([event('web_error', told)]);
  expect(log).toHaveBeenCalledOnce();
  expect(log.mock.calls[0]?.[0]).not.toMatch(/ada|@/);
});

test('one page cannot fill the log', async () => {
  const log = vi.spyOn(console, 'warn').mockImplementation(() => {});
  await send(Array.from({ length: 100 }, () => event('web_error', { type: 'TypeError' })));
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
