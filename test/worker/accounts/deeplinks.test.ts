import { env } from 'cloudflare:test';
import { beforeAll, expect, test } from 'vitest';
import { insertAccount } from '../../../worker/accounts/account-table.ts';
import { createAppCode, redeemAppCode } from '../../../worker/accounts/deeplinks.ts';

const hour = 60 * 60 * 1000;
const id = crypto.randomUUID();

beforeAll(async () => {
  const account = { id, email: 'd@example.com', name: 'd', userUuid: crypto.randomUUID() };
  const facts = { landingType: 'split_fullPrice', country: 'US', language: 'en' };
  const arm = { experiment: null, arm: 'fullPrice' };
  await insertAccount(env.DB, { ...account, ...facts, ...arm, googleSub: null }, 0);
});

test('a code of 128 bits opens its account once', async () => {
  const code = await createAppCode(env.DB, { account: id, epoch: 0 }, 0);
  expect(code).toMatch(/^[\w-]{22}$/);
  expect(await redeemAppCode(env.DB, code, 1)).toEqual({
    state: 'redeemed',
    account: id,
    epoch: 0,
  });
  expect(await redeemAppCode(env.DB, code, 2)).toMatchObject({ state: 'used', account: id });
});

test('of two that use a code at the same moment one gets in', async () => {
  const code = await createAppCode(env.DB, { account: id, epoch: 0 }, 0);
  const states = await Promise.all([1, 1, 1, 1].map((now) => redeemAppCode(env.DB, code, now)));
  expect(states.filter(({ state }) => state === 'redeemed')).toHaveLength(1);
});

test('a code lives 24 hours', async () => {
  const early = await createAppCode(env.DB, { account: id, epoch: 0 }, 0);
  const late = await createAppCode(env.DB, { account: id, epoch: 0 }, 0);
  expect(await redeemAppCode(env.DB, early, 24 * hour - 1)).toMatchObject({ state: 'redeemed' });
  expect(await redeemAppCode(env.DB, late, 24 * hour)).toMatchObject({
    state: 'expired',
    account: id,
  });
});

test('a used code stays used after its end', async () => {
  const code = await createAppCode(env.DB, { account: id, epoch: 0 }, 0);
  await redeemAppCode(env.DB, code, 1);
  expect(await redeemAppCode(env.DB, code, 25 * hour)).toMatchObject({
    state: 'used',
    account: id,
  });
});

test('any other code is unknown', async () => {
  expect(await redeemAppCode(env.DB, 'AAAAAAAAAAAAAAAAAAAAAA', 1)).toEqual({ state: 'unknown' });
});

test('the code itself is nowhere in the table', async () => {
  const code = await createAppCode(env.DB, { account: id, epoch: 0 }, 0);
  const { results } = await env.DB.prepare('SELECT * FROM deeplinks').all();
  expect(JSON.stringify(results)).not.toContain(code);
});

test('codes that ended over a week ago are removed with the next one', async () => {
  const old = await createAppCode(env.DB, { account: id, epoch: 0 }, 0);
  await createAppCode(env.DB, { account: id, epoch: 0 }, 9 * 24 * hour);
  expect(await redeemAppCode(env.DB, old, 9 * 24 * hour)).toEqual({ state: 'unknown' });
});
