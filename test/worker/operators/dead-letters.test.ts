import { env } from 'cloudflare:test';
import { beforeEach, expect, test } from 'vitest';
import { listDeadLetters } from '../../../worker/operators/dead-letter-table.ts';
import { isDeadLetterQueue, replay } from '../../../worker/operators/dead-letters.ts';
import wrangler from '../../../wrangler.toml?raw';
import { listen } from '../payments/webhooks/captured-log.ts';
import { deliver, down, keepingQueue } from '../payments/webhooks/event.ts';

let said = () => [] as string[];
beforeEach(() => {
  said = listen();
});

const names = (line: string) =>
  [...wrangler.matchAll(new RegExp(`^${line} = "(.+)"$`, 'gm'))].map(([, name]) => name ?? '');
const bindingOf = (queue: string) =>
  new RegExp(`binding = "(.+)"\nqueue = "${queue}"`).exec(wrangler)?.[1] ?? '';
const letter = (queue: string) => ({
  id: 'id',
  queue,
  message: 'm',
  body: '{"sum":1}',
  reason: 'unknown',
  at: 1,
  replayed_at: null,
});

test('every queue gives up to a dead one, whose messages are kept and can go back', async () => {
  const dead = names('dead_letter_queue');
  const queues = [...new Set(names('queue'))].filter((name) => !isDeadLetterQueue(name));
  expect(dead).toEqual(queues.map((name) => `${name}-dead`));
  for (const [index, name] of dead.entries()) {
    expect([name, names('queue')]).toEqual([name, expect.arrayContaining([name])]);
    expect((await deliver(name, [{ sum: index }])).again).toEqual([]);
  }
  const kept = await listDeadLetters(env.DB, Date.now() + 1, false);
  expect(kept.map(({ queue }) => queue).sort()).toEqual(queues.sort());
  expect(said()).toEqual(dead.map(() => 'dead_letter'));
  for (const one of kept) {
    const { sent, queue } = keepingQueue();
    await replay(one, { ...env, [bindingOf(one.queue)]: queue });
    expect(sent).toEqual([JSON.parse(one.body)]);
  }
});

test('with the database down a dead letter comes again', async () => {
  const { again } = await deliver('funnel-webhooks-dead', [{}], 1, { DB: down });
  expect(again).toEqual(['m0']);
  expect(said()).toEqual(['queue_failed']);
});

test('nothing is sent where there is no queue of that name', async () => {
  for (const queue of ['funnel-nothing', 'funnel-db', 'constructor', 'funnel-token_secret']) {
    await expect(replay(letter(queue), env)).rejects.toThrow(RangeError);
  }
});

test('a queue that is down says so', async () => {
  await expect(replay(letter('funnel-email'), { ...env, EMAIL_QUEUE: down })).rejects.toThrow(
    'down',
  );
});
