import { env } from 'cloudflare:test';
import { beforeEach, expect, test } from 'vitest';
import { listDeadLetters } from '../../../worker/operators/dead-letter-table.ts';
import { isDeadLetterQueue, requeue } from '../../../worker/operators/dead-letters.ts';
import wrangler from '../../../wrangler.toml?raw';
import { captureLogEvents } from '../payments/payments-fixture.ts';
import { auditOf, operate } from '../payments/webhooks/admin-client.ts';
import { failingBinding, gatewayEvent } from '../payments/webhooks/webhook-fixture.ts';
import { deliverToQueue, recordingQueue } from '../queue.ts';

let logged = () => [] as string[];
beforeEach(async () => {
  logged = captureLogEvents();
  await env.DB.exec('DELETE FROM dead_letters');
});

const names = (line: string) =>
  [...wrangler.matchAll(new RegExp(`^${line} = "(.+)"$`, 'gm'))].map(([, name]) => name ?? '');
const bindingOf = (queue: string) =>
  new RegExp(`binding = "(.+)"\nqueue = "${queue}"`).exec(wrangler)?.[1] ?? '';
const letter = (queue: string) => ({
  id: 'id',
  queue,
  message_id: 'm',
  body: '{"sum":1}',
  reason: 'unknown',
  stored_at: 1,
  replayed_at: null,
});

test('dead letters: every queue has a dead-letter queue, whose messages are stored and can be replayed', async () => {
  const dead = names('dead_letter_queue');
  const queues = [...new Set(names('queue'))].filter((name) => !isDeadLetterQueue(name));
  expect(dead).toEqual(queues.map((name) => `${name}-dead`));
  for (const [index, name] of dead.entries()) {
    expect([name, names('queue')]).toEqual([name, expect.arrayContaining([name])]);
    expect((await deliverToQueue(name, [{ sum: index }])).again).toEqual([]);
  }
  const letters = await listDeadLetters(env.DB, Date.now() + 1, false);
  expect(letters.map(({ queue }) => queue).sort()).toEqual(queues.sort());
  expect(logged()).toEqual(dead.map(() => 'dead_letters_stored'));
  for (const one of letters) {
    const { sent, queue } = recordingQueue();
    await requeue(one, { ...env, [bindingOf(one.queue)]: queue });
    expect(sent).toEqual([JSON.parse(one.body)]);
  }
});

test('dead letters: while D1 is down the message is retried', async () => {
  const { again } = await deliverToQueue('funnel-webhooks-dead', [{}], 1, { DB: failingBinding });
  expect(again).toEqual(['m0']);
  expect(logged()).toEqual(['queue_failed']);
});

test('dead letters: requeue refuses unknown queues and other bindings', async () => {
  for (const queue of ['funnel-nothing', 'funnel-db', 'constructor', 'funnel-token_secret'])
    await expect(requeue(letter(queue), env)).rejects.toThrow(RangeError);
});

type Letter = { id: string; queue: string; body: unknown; replayed_at: number | null };

async function listed(all = false): Promise<Letter[]> {
  return (await operate(`/dead-letters${all ? '?all=true' : ''}`)).data;
}

test('dead-letters API: a letter is listed, replayed once per key, audited, and then hidden', async () => {
  const body = gatewayEvent({ account: 'account' });
  expect((await deliverToQueue('funnel-webhooks-dead', [body])).again).toEqual([]);
  expect(logged()).toEqual(['dead_letters_stored']);
  const [letter] = await listed();
  expect(letter).toMatchObject({ queue: 'funnel-webhooks', reason: 'unknown', body });
  const id = letter?.id ?? '';
  const { sent, queue } = recordingQueue();
  const requeue = (key: string) => operate('/dead-letters', { id, key }, { WEBHOOK_QUEUE: queue });
  expect(await requeue('k1')).toMatchObject({ status: 200, data: { id, replayed: true } });
  expect(sent).toEqual([body]);
  expect(await listed()).toEqual([]);
  expect(await listed(true)).toMatchObject([{ id }]);

  expect(await requeue('k1')).toMatchObject({ status: 200, data: { replayed: false } });
  expect(sent).toHaveLength(1);
  expect(await requeue('k2')).toMatchObject({ data: { replayed: true } });
  expect(sent).toHaveLength(2);
  const results = (await auditOf(id)).map(({ operator, action, result }) => [
    operator,
    action,
    result,
  ]);
  expect(results).toEqual([
    ['ADMIN_TOKEN (ann)', 'replay', 'sent'],
    ['ADMIN_TOKEN (ann)', 'replay', 'sent before'],
    ['ADMIN_TOKEN (ann)', 'replay', 'sent'],
  ]);
});

test('dead-letters API: while the queue is down the letter stays, and the same key works later', async () => {
  await deliverToQueue('funnel-email-dead', [{ template: 'sign-in' }]);
  const [letter] = await listed();
  const command = { id: letter?.id ?? '', key: 'k' };
  expect(await operate('/dead-letters', command, { EMAIL_QUEUE: failingBinding })).toMatchObject({
    status: 503,
    errors: { code: 'queue_unavailable' },
  });
  expect(await listed()).toHaveLength(1);
  const { sent, queue } = recordingQueue();
  await operate('/dead-letters', command, { EMAIL_QUEUE: queue });
  expect(sent).toHaveLength(1);
});

test('dead-letters API: an unknown letter is not found', async () => {
  expect((await operate('/dead-letters', { id: 'nothing', key: 'k' })).status).toBe(404);
  expect((await operate('/dead-letters?before=yesterday')).status).toBe(400);
});
