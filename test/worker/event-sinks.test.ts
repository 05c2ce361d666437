import { env } from 'cloudflare:test';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { messagesFor, tellSinks } from '../../worker/event-sinks.ts';
import { type AnalyticsFake, createAnalytics } from '../fakes/analytics/server.ts';
import { storedEvent } from './event.ts';

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

const stored = async () => (await env.DB.prepare('SELECT id FROM events').raw()).flat();

test('each sink gets a message of its own; our table never hears who sent the visitor', async () => {
  const event = storedEvent();
  const user = { appsflyer_id: 'a1' };
  expect(messagesFor([event], user, vars)).toEqual([
    { sink: 'store', user: {}, events: [event] },
    { sink: 'amplitude', user, events: [event] },
    { sink: 'keyless', user, events: [event] },
  ]);
});

test('a repeated message changes nothing', async () => {
  const messages = messagesFor([storedEvent(), storedEvent()], {}, vars);
  const log = vi.fn();
  for (let i = 0; i < 3; i += 1) expect(await tellSinks(messages, vars, log)).toEqual([]);
  expect((await stored()).length).toBe(2);
  expect(fake.bodies).toHaveLength(1);
  const dropped = { vendor: 'keyless', reason: 'No request sent', count: 2 };
  expect(log).toHaveBeenCalledWith('warn', 'events_dropped', dropped);
});

test('a provider that is down keeps its own messages waiting, and no other', async () => {
  fake.trouble.push(500, 'lost');
  const event = storedEvent();
  const messages = messagesFor([event], {}, vars);
  const log = vi.fn();
  const waiting = await tellSinks(messages, vars, log);
  expect(waiting).toEqual([messages[1]]);
  expect(await stored()).toContain(event.id);
  expect(await tellSinks(waiting, vars, log)).toEqual(waiting);
  expect(await tellSinks(waiting, vars, log)).toEqual([]);
  expect(fake.events.map(({ insert_id }) => insert_id)).toEqual([event.id]);
});

test('a provider that hangs holds up no other, and after a failure is left in peace', async () => {
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
  const messages = events.flatMap((event) => messagesFor([event], {}, vars));
  const told = tellSinks(messages, vars, vi.fn());
  const ids = expect.arrayContaining(events.map(({ id }) => id));
  await expect.poll(stored, { timeout: 20_000 }).toEqual(ids);
  await expect.poll(() => giveUp, { timeout: 20_000 }).toBeDefined();
  giveUp?.();
  expect(await told).toEqual(messages.filter(({ sink }) => sink === 'amplitude'));
  expect(hang).toHaveBeenCalledOnce();
});

test('what is no message is said and dropped', async () => {
  const log = vi.fn();
  expect(await tellSinks([null, {}, { sink: 'store', events: [{}] }], vars, log)).toEqual([]);
  expect(log).toHaveBeenCalledTimes(3);
});
