import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { signOutEverywhere } from '../../../worker/storage/accounts.ts';
import { createCode, endCodes, findCode, redeemCode } from '../../../worker/storage/codes.ts';
import { signInByCode } from '../../../worker/storage/sign-in-codes.ts';
import { newAccount } from '../accounts.ts';

const forSignIn = (account: string) =>
  createCode(env.DB, { account, epoch: 0, purpose: 'sign_in', lives: 1000 }, 0);

test('a code opens what it was made for, and nothing else', async () => {
  const { id } = await newAccount();
  const code = await forSignIn(id);
  expect(await redeemCode(env.DB, code, 'app', 1)).toEqual({ state: 'unknown' });
  expect(await redeemCode(env.DB, code, 'sign_in', 1)).toEqual({
    state: 'redeemed',
    account: id,
    epoch: 0,
  });
});

test('looking at a code does not use it', async () => {
  const { id: account } = await newAccount();
  const code = await forSignIn(account);
  const look = (now: number) => findCode(env.DB, code, ['sign_in'], now);
  expect([await look(1), await look(2)]).toEqual([
    { state: 'ready', account },
    { state: 'ready', account },
  ]);
  expect(await look(1000)).toEqual({ state: 'expired', account });
  await redeemCode(env.DB, code, 'sign_in', 3);
  expect(await look(4)).toEqual({ state: 'used', account });
  expect(await findCode(env.DB, 'x', ['sign_in'], 1)).toEqual({ state: 'unknown' });
});

test('of many that use a code at the same moment one gets in', async () => {
  const { id } = await newAccount();
  const code = await forSignIn(id);
  const tries = Array.from({ length: 20 }, () => redeemCode(env.DB, code, 'sign_in', 1));
  const states = (await Promise.all(tries)).map(({ state }) => state);
  expect(states.filter((state) => state === 'redeemed')).toHaveLength(1);
});

test('ending an account’s codes ends those of its kind that were not used', async () => {
  const [{ id }, other] = [await newAccount(), await newAccount()];
  const [used, open] = [await forSignIn(id), await forSignIn(id)];
  const foreign = await forSignIn(other.id);
  const app = await createCode(env.DB, { account: id, epoch: 0, purpose: 'app', lives: 1000 }, 0);
  await redeemCode(env.DB, used, 'sign_in', 1);
  await endCodes(env.DB, id, 'sign_in', 2);
  const stateOf = async (code: string, purpose: 'app' | 'sign_in' = 'sign_in') =>
    (await findCode(env.DB, code, [purpose], 2)).state;
  expect([
    await stateOf(used),
    await stateOf(open),
    await stateOf(foreign),
    await stateOf(app, 'app'),
  ]).toEqual(['used', 'expired', 'ready', 'ready']);
});

test('a raised epoch ends every code that was made before, and a stale session makes none', async () => {
  const { id } = await newAccount();
  const before = await forSignIn(id);
  await signOutEverywhere(env.DB, { account: id, epoch: 0 });
  const stale = await forSignIn(id);
  for (const code of [before, stale]) {
    expect(await findCode(env.DB, code, ['sign_in'], 1)).toEqual({ state: 'expired', account: id });
    expect(await redeemCode(env.DB, code, 'sign_in', 1)).toMatchObject({ state: 'expired' });
    expect(await signInByCode(env.DB, code, 'b', 1)).toMatchObject({ state: 'expired' });
  }
});

test('of many that sign in by a code at the same moment one does, and the epoch rises once', async () => {
  const { id } = await newAccount();
  const code = await forSignIn(id);
  const tries = Array.from({ length: 20 }, (_, at) => signInByCode(env.DB, code, `b${at}`, 1));
  const done = await Promise.all(tries);
  expect(done.filter(({ state }) => state === 'signed_in')).toMatchObject([
    { account: { id, epoch: 1, verifiedAt: 1 } },
  ]);
});
