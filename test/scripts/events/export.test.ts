import { expect, test } from 'vitest';
import { exportEvents } from '../../../scripts/events/export.ts';
import { database } from './database.ts';

/** Events each with its own millisecond, but for the last two. */
const some = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    id: `it's ${n}`,
    at: Math.min(n + 1, count - 1),
    properties: '{"target":"a"}',
  }));

async function exported(count: number, since: number, until: number) {
  const lines: string[] = [];
  await exportEvents({ since, until }, database(some(count)), (line) => lines.push(line));
  return lines.map((line) => JSON.parse(line));
}

test('every event once, oldest first, over any number of pages', async () => {
  const told = await exported(4001, 0, 10_000);
  expect(new Set(told.map(({ id }) => id)).size).toBe(4001);
  expect(told.map(({ at }) => Date.parse(at))).toEqual([
    ...Array.from({ length: 4000 }, (_, n) => n + 1),
    4000,
  ]);
  expect(told[0]).toMatchObject({
    at: '1970-01-01T00:00:00.001Z',
    id: "it's 0",
    properties: { target: 'a' },
  });
});

test('from one time to before another', async () => {
  expect((await exported(10, 3, 6)).map(({ at }) => Date.parse(at))).toEqual([3, 4, 5]);
  expect(await exported(0, 0, 9)).toEqual([]);
});
