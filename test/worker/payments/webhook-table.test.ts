import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { claimEvent, markQueued, releaseEvent } from '../../../worker/payments/webhook-table.ts';

const event = (id: string, gateway = 'stripe') => ({ gateway, id, type: 'invoice.paid' });
const take = (id: string, now: number) => claimEvent(env.DB, event(id), now);

test('webhook table: one of many concurrent claims succeeds', async () => {
  const taken = await Promise.all(Array.from({ length: 20 }, () => take('once', 1000)));
  expect(taken.filter(Boolean)).toHaveLength(1);
});

test('webhook table: a queued event is never claimed again', async () => {
  await take('queued', 1000);
  await markQueued(env.DB, event('queued'), 1001);
  expect(await take('queued', 1_000_000)).toBe(false);
  await releaseEvent(env.DB, event('queued'));
  expect(await take('queued', 1_000_000)).toBe(false);
});

test('webhook table: an unqueued claim expires after ten seconds', async () => {
  await take('begun', 1000);
  expect([await take('begun', 10_999), await take('begun', 11_000)]).toEqual([false, true]);
  expect(await take('begun', 11_001)).toBe(false);
});

test('webhook table: a released event is new', async () => {
  await take('back', 1000);
  await releaseEvent(env.DB, event('back'));
  expect(await take('back', 1001)).toBe(true);
});

test('webhook table: two gateways may have the same id', async () => {
  await take('same', 1000);
  expect(await claimEvent(env.DB, event('same', 'braintree'), 1000)).toBe(true);
});

test('webhook table: ids are deleted after 30 days', async () => {
  await take('old', 1000);
  await markQueued(env.DB, event('old'), 1000);
  const days = (count: number) => 1000 + count * 86_400_000;
  expect([await take('old', days(30)), await take('old', days(30) + 1)]).toEqual([false, true]);
});
