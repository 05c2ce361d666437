import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { countUse, hasRoom, reserveUse } from '../../../worker/platform/rate-count-table.ts';

const minute = 60_000;
const name = () => crypto.randomUUID();

test('rate counts: parallel uses stop at the limit, until the window is over', async () => {
  const limits = [{ name: name(), max: 3, windowMs: 15 * minute }];
  const uses = Array.from({ length: 10 }, () => countUse(env.DB, limits, 0));
  expect((await Promise.all(uses)).filter(Boolean)).toHaveLength(3);
  expect(await hasRoom(env.DB, limits, 15 * minute - 1)).toBe(false);
  expect(await countUse(env.DB, limits, 15 * minute - 1)).toBe(false);
  expect(await hasRoom(env.DB, limits, 15 * minute)).toBe(true);
  expect(await countUse(env.DB, limits, 15 * minute)).toBe(true);
});

test('rate counts: a name with two limits is counted once per use', async () => {
  const own = name();
  const limits = [
    { name: own, max: 3, windowMs: minute },
    { name: own, max: 5, windowMs: 60 * minute },
  ];
  const passed = async (at: number) => {
    const uses = Array.from({ length: 4 }, () => countUse(env.DB, limits, at));
    return (await Promise.all(uses)).filter(Boolean).length;
  };
  expect([await passed(0), await passed(minute), await passed(2 * minute)]).toEqual([3, 2, 0]);
});

test('rate counts: when one limit is reached, nothing is counted', async () => {
  const [full, other] = [name(), name()];
  await countUse(env.DB, [{ name: full, max: 1, windowMs: minute }], 0);
  const both = [full, other].map((each) => ({ name: each, max: 1, windowMs: minute }));
  expect(await countUse(env.DB, both, 1)).toBe(false);
  expect(await hasRoom(env.DB, both.slice(1), 1)).toBe(true);
});

test('rate counts: rows are deleted after a day', async () => {
  const old = name();
  await countUse(env.DB, [{ name: old, max: 1, windowMs: minute }], 0);
  await countUse(env.DB, [{ name: name(), max: 1, windowMs: minute }], 24 * 60 * minute);
  const left = env.DB.prepare('SELECT 1 FROM rate_counts WHERE name = ?').bind(old);
  expect(await left.first()).toBeNull();
});

test('rate counts: a reserved use is returned once', async () => {
  const limits = [{ name: name(), max: 2, windowMs: minute }];
  const [first, second] = [
    await reserveUse(env.DB, limits, 0),
    await reserveUse(env.DB, limits, 0),
  ];
  expect(await reserveUse(env.DB, limits, 0)).toBeNull();
  await first?.();
  expect(await hasRoom(env.DB, limits, 0)).toBe(true);
  expect(await countUse(env.DB, limits, 0)).toBe(true);
  expect(await hasRoom(env.DB, limits, 0)).toBe(false);
  expect(second).not.toBeNull();
});
