import { expect, test } from 'vitest';
import { byteSize, sendBatches, splitBySize } from '../../../worker/analytics/event-consumer.ts';

const big = (bytes: number) => ({ body: 'ü'.repeat(bytes / 2) });

test('queue batching: a call has at most 100 messages and 256 KB, in order', () => {
  const many = Array.from({ length: 250 }, (_, at) => ({ body: at }));
  expect(sendBatches(many).map(({ length }) => length)).toEqual([100, 100, 50]);
  expect(sendBatches(many).flat()).toEqual(many);
  const large = Array.from({ length: 8 }, () => big(100_000));
  const sent = sendBatches(large);
  expect(sent.map(({ length }) => length)).toEqual([2, 2, 2, 2]);
  for (const one of sent) expect(byteSize(one)).toBeLessThan(256 * 1000);
  expect(sendBatches([])).toEqual([]);
});

test('queue batching: parts leave room for the overhead, a too large event goes alone', () => {
  const events = Array.from({ length: 10 }, () => big(30_000));
  expect(splitBySize(events, 0).map(({ length }) => length)).toEqual([3, 3, 3, 1]);
  expect(splitBySize(events, 50_000).map(({ length }) => length)).toEqual([2, 2, 2, 2, 2]);
  for (const one of splitBySize(events, 20_000))
    expect(byteSize(one) + 20_000).toBeLessThan(128 * 1000);
  expect(splitBySize([big(20), big(300_000), big(20)], 0).map(({ length }) => length)).toEqual([
    1, 1, 1,
  ]);
});
