import { beforeEach, expect, test } from 'vitest';
import { auditOf, operate } from '../payments/webhooks/admin-client.ts';
import { listen } from '../payments/webhooks/captured-log.ts';
import { anEvent, deliver, down, keepingQueue } from '../payments/webhooks/event.ts';

let said = () => [] as string[];
beforeEach(() => {
  said = listen();
});

type Letter = { id: string; queue: string; body: unknown; replayed_at: number | null };

async function listed(all = false): Promise<Letter[]> {
  return (await operate(`/dead-letters${all ? '?all=true' : ''}`)).data;
}

test('a dead letter is kept, seen, replayed to where it came from, and seen no more', async () => {
  const body = anEvent({ account: 'account' });
  expect((await deliver('funnel-webhooks-dead', [body])).again).toEqual([]);
  expect(said()).toEqual(['dead_letter']);
  const [letter] = await listed();
  expect(letter).toMatchObject({ queue: 'funnel-webhooks', reason: 'unknown', body });
  const id = letter?.id ?? '';
  const { sent, queue } = keepingQueue();
  const replay = (key: string) => operate('/dead-letters', { id, key }, { WEBHOOK_QUEUE: queue });
  expect(await replay('k1')).toMatchObject({ status: 200, data: { id, replayed: true } });
  expect(sent).toEqual([body]);
  expect(await listed()).toEqual([]);
  expect(await listed(true)).toMatchObject([{ id }]);

  expect(await replay('k1')).toMatchObject({ status: 200, data: { replayed: false } });
  expect(sent).toHaveLength(1);
  expect(await replay('k2')).toMatchObject({ data: { replayed: true } });
  expect(sent).toHaveLength(2);
  const results = (await auditOf(id)).map(({ who, what, result }) => [who, what, result]);
  expect(results).toEqual([
    ['ann', 'replay', 'sent'],
    ['ann', 'replay', 'sent before'],
    ['ann', 'replay', 'sent'],
  ]);
});

test('one command, ten times at once: one message', async () => {
  await deliver('funnel-exposures-dead', [{ poison: true }]);
  const [letter] = await listed();
  const { sent, queue } = keepingQueue();
  const command = { id: letter?.id ?? '', key: 'k' };
  const tries = Array.from({ length: 10 }, () =>
    operate('/dead-letters', command, { EXPOSURE_QUEUE: queue }),
  );
  await Promise.all(tries);
  expect(sent).toEqual([{ poison: true }]);
});

test('a queue that is down: the letter stays, and the same command works later', async () => {
  await deliver('funnel-email-dead', [{ template: 'sign-in' }]);
  const [letter] = await listed();
  const command = { id: letter?.id ?? '', key: 'k' };
  expect(await operate('/dead-letters', command, { EMAIL_QUEUE: down })).toMatchObject({
    status: 503,
    errors: { code: 'queue_unavailable' },
  });
  expect(await listed()).toHaveLength(1);
  const { sent, queue } = keepingQueue();
  await operate('/dead-letters', command, { EMAIL_QUEUE: queue });
  expect(sent).toHaveLength(1);
});

test('a letter that is not there', async () => {
  expect((await operate('/dead-letters', { id: 'nothing', key: 'k' })).status).toBe(404);
  expect((await operate('/dead-letters?before=yesterday')).status).toBe(400);
});
