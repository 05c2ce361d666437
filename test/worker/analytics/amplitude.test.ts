import { createHash } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import {
  configuredProviders,
  uploadEvents,
  uploadForm,
} from '../../../worker/analytics/amplitude.ts';
import type { StoredEvent } from '../../../worker/analytics/rules/stored-event.ts';
import { createAnalytics } from '../../fakes/networks/conversions.ts';
import { stubMisleadingResponse } from '../faults/truncated-response.ts';
import { storedEvent } from './event-fixture.ts';

const provider = { name: 'amplitude', url: 'https://api.amplitude.com/', key: 'k' };

function open() {
  const fake = createAnalytics();
  const headers: Headers[] = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const request = new Request(url, init);
    headers.push(request.headers);
    return fake.fetch(request);
  });
  const log = vi.fn();
  return { fake, headers, outside: { now: 1_700_000_000_000, log }, log };
}

const some = (count: number) => Array.from({ length: count }, () => storedEvent());
const idsOf = (events: StoredEvent[]) => events.map(({ id }) => id);

test('amplitude: the checksum is the MD5 of version, key, events and time', async () => {
  const form = await uploadForm('key', some(2), {}, 1_700_000_000_000);
  const { client, e, v, upload_time, checksum } = Object.fromEntries(form);
  expect([client, v, upload_time]).toEqual(['key', '2', '1700000000000']);
  const md5 = createHash('md5').update(`2key${e}1700000000000`).digest('hex');
  expect(checksum).toBe(md5);
});

test('amplitude: uploads events with screen and attribution', async () => {
  const { fake, headers, outside } = open();
  const events = some(3);
  const user = { user_id: 'u1', fb_pixel_id: '1', user_data: { fbc: 'fb.1.1.a' } };
  await uploadEvents({ ...provider, bearer: 'b' }, events, user, outside);
  expect(idsOf(events)).toEqual(fake.events.map(({ insert_id }) => insert_id));
  const { visitor: uuid = '' } = events[0] ?? {};
  expect(fake.events[0]).toMatchObject({ user_id: 'u1', device_id: uuid });
  expect(fake.events[0]?.event_properties).toMatchObject({
    screen_name: 'one_pager',
    fb_pixel_id: '1',
    user_data: { uuid, fbc: 'fb.1.1.a' },
  });
  expect(headers[0]?.get('authorization')).toBe('Bearer b');
  expect(headers[0]?.get('content-type')).toMatch(/^application\/x-www-form-urlencoded/);
});

test('amplitude: a session is the time at which it began, never other digits', async () => {
  const { fake, outside } = open();
  const id = '1a2b3c4d-1234-4567-8901-abcdefabcdef';
  const sessions = [`1700000000123-${id}`, id, id.replace('1a2b3c4d', '12345678'), 's1', ''];
  await uploadEvents(
    provider,
    sessions.map((session) => storedEvent({ session })),
    {},
    outside,
  );
  expect(fake.events.map(({ session_id }) => session_id)).toEqual([
    1_700_000_000_123, -1, -1, -1, -1,
  ]);
});

test('amplitude: a 413 halves the batch, and a single too large event is dropped', async () => {
  const { fake, outside, log } = open();
  fake.limit = 2;
  const events = some(7);
  await uploadEvents(provider, events, {}, outside);
  expect(fake.events.map(({ insert_id }) => insert_id)).toEqual(idsOf(events));
  fake.limit = 0;
  await uploadEvents(provider, events.slice(0, 1), {}, outside);
  expect(log).toHaveBeenCalledWith('error', 'event_too_large', {
    vendor: 'amplitude',
    name: 'click',
  });
});

test.each([500, 400, 429])('amplitude: a %i throws', async (status) => {
  const { fake, outside } = open();
  fake.nextFaults.push(status);
  await expect(uploadEvents(provider, some(1), {}, outside)).rejects.toThrow(`status ${status}`);
});

test.each(['', '{', '{}', '[{"name":"a"}]', '[{"name":"A B","url":"https://a.b"}]'])(
  'amplitude: the setting %j configures no provider',
  (ANALYTICS_PROVIDERS) => expect(configuredProviders({ ANALYTICS_PROVIDERS })).toEqual([]),
);

test.each(['a 200 with a page', 'a 200 that does not end', 'no answer'])(
  'amplitude: %s is an error',
  async (name) => {
    const { outside } = open();
    stubMisleadingResponse(name);
    await expect(uploadEvents(provider, some(1), {}, outside)).rejects.toThrow();
  },
);

test('amplitude: an empty 200 is a success', async () => {
  const { outside } = open();
  stubMisleadingResponse('an empty 200');
  await expect(uploadEvents(provider, some(2), {}, outside)).resolves.toBeUndefined();
});
