import { expect, test } from 'vitest';
import {
  byteSize,
  sendBatches,
  splitBySize,
} from '../../../../worker/analytics/rules/queue-limits.ts';

/** A string that takes so many bytes as JSON, including the comma after it. */
const taking = (bytes: number) => 'x'.repeat(bytes - 3);
const sizes = (groups: readonly (readonly unknown[])[]) => groups.map(({ length }) => length);

test('queue limits: a size is in bytes of JSON, not in characters', () =>
  expect(byteSize('ä')).toBe(4));

test('queue limits: a message holds at most 120,000 bytes, including its overhead', () => {
  const three = [taking(50_000), taking(50_000), taking(19_000)];
  expect(splitBySize(three, 1000)).toEqual([three]);
  expect(splitBySize(three, 1001)).toEqual([three.slice(0, 2), three.slice(2)]);
  expect(splitBySize([], 0)).toEqual([]);
});

test('queue limits: each message is filled before the next one, in order', () => {
  const items = Array.from({ length: 7 }, () => taking(40_000));
  expect(sizes(splitBySize(items, 0))).toEqual([3, 3, 1]);
});

test('queue limits: an item that is too large for a message gets its own', () => {
  const items = [taking(10), taking(130_000), taking(10), taking(10)];
  expect(sizes(splitBySize(items, 0))).toEqual([1, 1, 2]);
});

test('queue limits: a call has at most 100 messages, and at most 240,000 bytes', () => {
  const small = Array.from({ length: 201 }, (_, body) => ({ body }));
  expect(sizes(sendBatches(small))).toEqual([100, 100, 1]);
  const overhead = '{"body":}'.length;
  const large = Array.from({ length: 5 }, () => ({ body: taking(120_000 - overhead) }));
  expect(sizes(sendBatches(large))).toEqual([2, 2, 1]);
});
