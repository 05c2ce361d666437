import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { signOutEverywhere } from '../../../worker/accounts/account-table.ts';
import {
  formatManualCode,
  manualCodeFor,
  parseManualCode,
} from '../../../worker/accounts/app-link-api.ts';
import {
  currentSeed,
  endManualCode,
  manualCodeSeed,
  markManualCodeUsed,
} from '../../../worker/accounts/manual-code-table.ts';
import type { AccountId } from '../../../worker/platform/types.ts';
import { newAccount } from './account-fixture.ts';

const hour = 60 * 60 * 1000;
const seedOf = async (id: AccountId, now: number, epoch = 0) =>
  (await manualCodeSeed(env.DB, id, epoch, now)) ?? '';

test('manual code table: all tabs get one code, which is replaced within its last hour', async () => {
  const { id } = await newAccount();
  const first = await seedOf(id, 0);
  expect(await seedOf(id, 22 * hour)).toBe(first);
  expect(await seedOf(id, 23 * hour)).not.toBe(first);
});

test('manual code table: a used code is replaced', async () => {
  const { id } = await newAccount();
  const seed = await seedOf(id, 0);
  const uses = Array.from({ length: 9 }, () =>
    markManualCodeUsed(env.DB, id as AccountId, seed, 1),
  );
  expect((await Promise.all(uses)).filter((epoch) => epoch !== null)).toEqual([0]);
  expect(await currentSeed(env.DB, id as AccountId, 2)).toBeNull();
  expect(await seedOf(id, 2)).not.toBe(seed);
});

test('manual code table: expired and ended codes cannot be tried', async () => {
  const [{ id }, other] = [await newAccount(), await newAccount()];
  await seedOf(id, 0);
  expect(await currentSeed(env.DB, id as AccountId, 24 * hour)).toBeNull();
  await seedOf(other.id, 0);
  await endManualCode(env.DB, other.id);
  expect(await currentSeed(env.DB, other.id, 1)).toBeNull();
});

test('manual code table: incrementing the epoch invalidates the code, and an old session gets none', async () => {
  const { id } = await newAccount();
  const seed = await seedOf(id, 0);
  await signOutEverywhere(env.DB, { account: id as AccountId, epoch: 0 });
  expect(await currentSeed(env.DB, id as AccountId, 1)).toBeNull();
  expect(await markManualCodeUsed(env.DB, id as AccountId, seed, 1)).toBeNull();
  const next = await seedOf(id, 1, 1);
  expect(next).not.toBe(seed);
  expect(await manualCodeSeed(env.DB, id as AccountId, 0, 2)).toBeNull();
  expect(await currentSeed(env.DB, id as AccountId, 2)).toBe(next);
});

const secret = 'a secret of the tests, 32 characters';

test('manual code: has eight unambiguous letters in two groups', async () => {
  const code = await manualCodeFor(secret, 'account' as AccountId, 'seed');
  expect(code).toMatch(/^[A-Z\d]{8}$/);
  expect(code).not.toMatch(/[0O1IL2Z5S8BU]/);
  expect(formatManualCode(code)).toBe(`${code.slice(0, 4)}-${code.slice(4)}`);
});

test('manual code: is derived from account, seed and secret', async () => {
  const codes = await Promise.all([
    manualCodeFor(secret, 'account' as AccountId, 'seed'),
    manualCodeFor(secret, 'account' as AccountId, 'seed'),
    manualCodeFor(secret, 'account' as AccountId, 'other'),
    manualCodeFor(secret, 'other' as AccountId, 'seed'),
    manualCodeFor(`${secret}.`, 'account' as AccountId, 'seed'),
  ]);
  expect(new Set(codes).size).toBe(4);
});

test.each([
  ['ACDE-3467', 'ACDE3467'],
  ['acde 3467', 'ACDE3467'],
  [' acde – 3467 ', 'ACDE3467'],
  ['ACDE346', null],
  ['ACDE34677', null],
  ['ACDE346O', null],
  ['', null],
])('manual code: %j is parsed as %s', (typed, code) => expect(parseManualCode(typed)).toBe(code));
