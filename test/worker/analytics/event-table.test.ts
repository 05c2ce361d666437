import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { insertEvents, markDelivered, undelivered } from '../../../worker/analytics/event-table.ts';
import { storedEvent } from './event-fixture.ts';

const all = async (column: string) =>
  (await env.DB.prepare(`SELECT ${column} FROM events ORDER BY occurred_at`).raw()).flat();
const day = 24 * 60 * 60 * 1000;

test('event table: an event is stored once for 90 days', async () => {
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
