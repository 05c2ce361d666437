import { expect, test, vi } from 'vitest';
import type { CountInput } from '../../worker/analytics/rules/count.ts';
import { countsOf } from './analytics/rollups.ts';
import { deliverToQueue } from './queue.ts';

const exposure = (experiment: string): CountInput => ({
  id: crypto.randomUUID(),
  at: Date.now(),
  step: 'exposure',
  slice: { experiment, variant: 'fullPrice' },
});

const visitors = async (experiment: string) => (await countsOf('exposure', experiment)).fullPrice;

const down = { getByName: () => ({ append: () => Promise.reject(new Error('down')) }) };

test('queues: a batch of exposures is counted and acknowledged', async () => {
  const batch = [exposure('queue'), exposure('queue')];
  expect(await deliverToQueue('funnel-exposures', batch)).toMatchObject({ ackAll: true });
  expect(await visitors('queue')).toBe(2);
});

test('queues: the queue of another environment has the same consumer', async () => {
  expect(await deliverToQueue('funnel-exposures--staging', [exposure('staging')])).toMatchObject({
    ackAll: true,
  });
  expect(await visitors('staging')).toBe(1);
});

test('queues: while a shard is down every message is retried with growing delays', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const batch = [exposure('down'), exposure('down')];
  const more = { EVENT_SHARDS: down as never };
  const delays: (number | undefined)[] = [];
  for (const attempts of [1, 2, 3, 99]) {
    const { ackAll, again, delay } = await deliverToQueue(
      'funnel-exposures',
      batch,
      attempts,
      more,
    );
    expect([ackAll, again]).toEqual([false, ['m0', 'm1']]);
    delays.push(delay);
  }
  expect(delays).toEqual([30, 60, 120, 1800]);
  expect(warn).toHaveBeenCalledTimes(4);
  await deliverToQueue('funnel-exposures', batch);
  await deliverToQueue('funnel-exposures', batch);
  expect(await visitors('down')).toBe(2);
});

test('queues: a malformed exposure does not block the others', async () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {});
  const batch = [exposure('mixed'), { id: 'poison' }, null];
  expect(await deliverToQueue('funnel-exposures', batch)).toMatchObject({ ackAll: true });
  expect(await visitors('mixed')).toBe(1);
  expect(String(error.mock.calls)).toContain('exposure_malformed');
});

test('queues: messages without a consumer are retried', async () =>
  expect((await deliverToQueue('unknown', [{}])).again).toHaveLength(1));
