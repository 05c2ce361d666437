import { beforeEach, expect, test, vi } from 'vitest';
import { Cached } from '../../../worker/documents/cached.ts';

const never = () => new Promise<never>(() => {});
const fails = async (): Promise<never> => {
  throw new TypeError('down');
};

/** A value that is read again after 30 s. */
function cache(first: () => Promise<string>) {
  const read = vi.fn(first);
  const work: Promise<unknown>[] = [];
  const cached = new Cached<string>();
  const options = {
    waitUntil: (promise: Promise<unknown>) => void work.push(promise),
    maxAgeMs: 30_000,
  };
  return { read, work, current: () => cached.current(read, options) };
}

const after = (ms: number, value: string) => () =>
  new Promise<string>((resolve) => setTimeout(() => resolve(value), ms));

/** Whether a promise is settled after all due work has run. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  promise.finally(() => {
    settled = true;
  });
  await vi.advanceTimersByTimeAsync(0);
  return settled;
}

beforeEach(() => void vi.useFakeTimers());

test.each([
  ['hangs', never, null],
  ['takes 151 ms', after(151, 'one'), null],
  ['takes 150 ms', after(149, 'one'), 'one'],
])('cache: the first request waits at most 150 ms for a read that %s', async (_, read, value) => {
  const first = cache(read).current();
  await vi.advanceTimersByTimeAsync(148);
  expect(await isSettled(first)).toBe(false);
  await vi.advanceTimersByTimeAsync(2);
  expect(await first).toBe(value);
});

test('cache: a hanging first read makes requests wait once, and a late one serves the next request', async () => {
  const { current } = cache(after(500, 'one'));
  const first = current();
  await vi.advanceTimersByTimeAsync(150);
  expect(await first).toBeNull();
  expect(await isSettled(current())).toBe(true);
  await vi.advanceTimersByTimeAsync(350);
  expect(await current()).toBe('one');
});

test('cache: concurrent requests share one read, and one of them keeps it alive', async () => {
  const { read, work, current } = cache(after(50, 'one'));
  const all = Promise.all(Array.from({ length: 20 }, current));
  await vi.advanceTimersByTimeAsync(50);
  expect(new Set(await all)).toEqual(new Set(['one']));
  expect([read.mock.calls.length, work.length]).toEqual([1, 1]);
});

test('cache: a value of up to two minutes never waits, and is read again after its maximum age', async () => {
  const { read, current } = cache(async () => 'one');
  await current();
  read.mockImplementation(async () => 'two');
  await vi.advanceTimersByTimeAsync(30_000);
  expect([await current(), read.mock.calls.length]).toEqual(['one', 1]);
  await vi.advanceTimersByTimeAsync(1);
  expect(await current()).toBe('one');
  await vi.advanceTimersByTimeAsync(0);
  expect(await current()).toBe('two');
  read.mockImplementation(never);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(await isSettled(current())).toBe(true);
});

test('cache: an idle isolate waits for what it missed, at most 150 ms and once', async () => {
  const { read, current } = cache(async () => 'one');
  await current();
  read.mockImplementation(after(140, 'two'));
  await vi.advanceTimersByTimeAsync(120_001);
  const visits = Promise.all([current(), current()]);
  await vi.advanceTimersByTimeAsync(140);
  expect(await visits).toEqual(['two', 'two']);
  read.mockImplementation(never);
  await vi.advanceTimersByTimeAsync(3_600_000);
  const visit = current();
  await vi.advanceTimersByTimeAsync(149);
  expect(await isSettled(visit)).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await visit).toBe('two');
  expect(await isSettled(current())).toBe(true);
});

test('cache: a failed read keeps the value, and without one the next request reads again', async () => {
  const { read, current } = cache(fails);
  expect(await current()).toBeNull();
  read.mockImplementation(async () => 'one');
  expect(await current()).toBe('one');
  read.mockImplementation(fails);
  await vi.advanceTimersByTimeAsync(30_001);
  await current();
  await vi.advanceTimersByTimeAsync(0);
  expect(await current()).toBe('one');
});

test('cache: a read that ended with its request is abandoned after a minute', async () => {
  const { read, current } = cache(never);
  const first = current();
  await vi.advanceTimersByTimeAsync(150);
  await first;
  read.mockImplementation(async () => 'one');
  await vi.advanceTimersByTimeAsync(60_001);
  expect(await current()).toBe('one');
});
