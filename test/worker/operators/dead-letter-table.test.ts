import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test';
import { beforeEach, expect, test } from 'vitest';
import { requestEventErasure } from '../../../worker/analytics/erase-visitor.ts';
import worker from '../../../worker/index.ts';
import {
  claimDeadLetter,
  deleteExpiredLetters,
  insertDeadLetters,
  listDeadLetters,
  releaseDeadLetter,
} from '../../../worker/operators/dead-letter-table.ts';
import type { VisitorId } from '../../../worker/platform/types.ts';
import { stubGateways } from '../payments/payments-fixture.ts';

beforeEach(() => env.DB.prepare('DELETE FROM dead_letters').run());

const keep = (id: string, now: number, body: unknown = { id }) =>
  insertDeadLetters(env.DB, 'funnel-webhooks', [{ id, body }], now);
const ids = async (before = 1e15, all = false) =>
  (await listDeadLetters(env.DB, before, all)).map(({ message_id }) => message_id);
const day = 86_400_000;

test('dead-letter table: a message is stored once', async () => {
  await keep('a', 5, { sum: 1 });
  await keep('a', 9, { sum: 2 });
  expect(await listDeadLetters(env.DB, 10, false)).toEqual([
    {
      id: 'funnel-webhooks:a',
      queue: 'funnel-webhooks',
      message_id: 'a',
      body: '{"sum":1}',
      reason: 'unknown',
      stored_at: 5,
      replayed_at: null,
    },
  ]);
});

test('dead-letter table: an undefined body is stored too', async () => {
  await keep('a', 5, undefined);
  expect(await listDeadLetters(env.DB, 10, false)).toMatchObject([{ body: '{"id":"a"}' }]);
  await insertDeadLetters(env.DB, 'q', [{ id: 'b', body: undefined }], 5);
  expect(await listDeadLetters(env.DB, 10, false)).toMatchObject([{}, { body: 'null' }]);
});

test('dead-letter table: is read in pages, newest first', async () => {
  for (const [index, id] of ['a', 'b', 'c'].entries()) await keep(id, index + 1);
  expect([await ids(), await ids(3)]).toEqual([
    ['c', 'b', 'a'],
    ['b', 'a'],
  ]);
});

test('dead-letter table: each command claims a letter once', async () => {
  await keep('a', 5);
  const claim = async (command: string) =>
    (await claimDeadLetter(env.DB, 'funnel-webhooks:a', command, 7))?.claimed;
  const first = await Promise.all(Array.from({ length: 10 }, () => claim('one')));
  expect(first.filter(Boolean)).toHaveLength(1);
  expect([await claim('one'), await claim('two'), await claim('two')]).toEqual([
    false,
    true,
    false,
  ]);
  expect([await ids(), await ids(1e15, true)]).toEqual([[], ['a']]);
  expect(await claimDeadLetter(env.DB, 'nothing', 'one', 7)).toBeNull();
});

test('dead-letter table: only the claiming command releases a letter', async () => {
  await keep('a', 5);
  await claimDeadLetter(env.DB, 'funnel-webhooks:a', 'one', 7);
  await releaseDeadLetter(env.DB, 'funnel-webhooks:a', 'two');
  expect(await ids()).toEqual([]);
  await releaseDeadLetter(env.DB, 'funnel-webhooks:a', 'one');
  expect(await ids()).toEqual(['a']);
});

test('dead-letter table: replayed letters are deleted after 90 days, others never', async () => {
  await keep('replayed', 5);
  await keep('waiting', 5);
  await claimDeadLetter(env.DB, 'funnel-webhooks:replayed', 'one', 7);
  await keep('b', 7 + 90 * day);
  await deleteExpiredLetters(env.DB, 7 + 90 * day);
  expect((await ids(1e15, true)).sort()).toEqual(['b', 'replayed', 'waiting']);
  await keep('c', 8 + 90 * day);
  await deleteExpiredLetters(env.DB, 8 + 90 * day);
  expect((await ids(1e15, true)).sort()).toEqual(['b', 'c', 'waiting']);
});

test('dead-letter table: conversions are deleted after 7 days', async () => {
  const letter = (id: string) => [{ id, body: { agent: 'Browser/1' } }];
  await insertDeadLetters(env.DB, 'funnel-conversions', letter('old'), 1);
  await insertDeadLetters(env.DB, 'funnel-email', letter('mail'), 1);
  await insertDeadLetters(env.DB, 'funnel-conversions', letter('new'), 2);
  await deleteExpiredLetters(env.DB, 2 + 7 * day);
  const kept = await ids(1e15, true);
  expect(kept).toEqual(expect.arrayContaining(['mail', 'new']));
  expect(kept).not.toContain('old');
});

test('dead-letter table: an erasure deletes the letters with events and conversions of the visitor', async () => {
  const [gone, stays] = [crypto.randomUUID(), crypto.randomUUID()] as VisitorId[];
  const letters = [
    { id: `${gone}`, body: { events: [{ visitor: gone }] } },
    { id: `${stays}`, body: { events: [{ visitor: stays }] } },
  ];
  for (const queue of ['funnel-events', 'funnel-conversions'])
    await insertDeadLetters(env.DB, queue, letters, 1);
  await requestEventErasure(env, gone as VisitorId);
  const left = (await ids(1e15, true)).filter((id) => id === gone || id === stays);
  expect(left).toEqual([stays, stays]);
});

test('dead-letter table: the cron deletes expired ones each hour, also if no new one comes', async () => {
  stubGateways();
  await insertDeadLetters(env.DB, 'funnel-conversions', [{ id: 'old', body: {} }], 1);
  const tick = async (scheduledTime: number) => {
    const context = createExecutionContext();
    await worker.scheduled({ scheduledTime }, env, context as never);
    await waitOnExecutionContext(context);
  };
  await tick(8 * day + 60_000);
  expect(await ids(1e15, true)).toEqual(['old']);
  await tick(8 * day);
  expect(await ids(1e15, true)).toEqual([]);
});
