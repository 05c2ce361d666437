import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { signOutEverywhere } from '../../../worker/storage/accounts.ts';
import {
  endHandCode,
  handCodeSeed,
  spendHandCode,
  tryHandCode,
} from '../../../worker/storage/hand-codes.ts';
import { newAccount } from '../accounts.ts';

const hour = 60 * 60 * 1000;
const seedOf = async (id: string, now: number, epoch = 0) =>
  (await handCodeSeed(env.DB, id, epoch, now)) ?? '';

test('two tabs see the same code; one that is about to end is replaced', async () => {
  const { id } = await newAccount();
  const first = await seedOf(id, 0);
  expect(await seedOf(id, 22 * hour)).toBe(first);
  expect(await seedOf(id, 23 * hour)).not.toBe(first);
});

test('a code is tried five times at most, even all at once', async () => {
  const { id } = await newAccount();
  const seed = await seedOf(id, 0);
  const tries = await Promise.all(Array.from({ length: 20 }, () => tryHandCode(env.DB, id, 1)));
  expect(tries.filter((found) => found === seed)).toHaveLength(5);
  expect(tries.filter((found) => found === null)).toHaveLength(15);
  const next = await seedOf(id, 2);
  expect(next).not.toBe(seed);
  expect(await tryHandCode(env.DB, id, 3)).toBe(next);
});

test('a code is used once, and then there is another', async () => {
  const { id } = await newAccount();
  const seed = await seedOf(id, 0);
  const uses = Array.from({ length: 9 }, () => spendHandCode(env.DB, id, seed, 1));
  expect((await Promise.all(uses)).filter((epoch) => epoch !== null)).toEqual([0]);
  expect(await tryHandCode(env.DB, id, 2)).toBeNull();
  expect(await seedOf(id, 2)).not.toBe(seed);
});

test('after 24 hours, or when it was ended, there is nothing to try', async () => {
  const [{ id }, other] = [await newAccount(), await newAccount()];
  await seedOf(id, 0);
  expect(await tryHandCode(env.DB, id, 24 * hour)).toBeNull();
  await seedOf(other.id, 0);
  await endHandCode(env.DB, other.id);
  expect(await tryHandCode(env.DB, other.id, 1)).toBeNull();
});

test('a raised epoch ends the code, and a stale session learns none', async () => {
  const { id } = await newAccount();
  const seed = await seedOf(id, 0);
  await signOutEverywhere(env.DB, { account: id, epoch: 0 });
  expect(await tryHandCode(env.DB, id, 1)).toBeNull();
  expect(await spendHandCode(env.DB, id, seed, 1)).toBeNull();
  const next = await seedOf(id, 1, 1);
  expect(next).not.toBe(seed);
  expect(await handCodeSeed(env.DB, id, 0, 2)).toBeNull();
  expect(await tryHandCode(env.DB, id, 2)).toBe(next);
});
