import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { createCode, endCodes, findCode, redeemCode } from '../../../worker/storage/codes.ts';
import { newAccount } from '../accounts.ts';

const forSite = (account: string) => createCode(env.DB, { account, opens: 'site', lives: 1000 }, 0);

test('a code opens what it was made for, and nothing else', async () => {
  const { id } = await newAccount();
  const code = await forSite(id);
  expect(await redeemCode(env.DB, code, 'app', 1)).toEqual({ state: 'unknown' });
  expect(await redeemCode(env.DB, code, 'site', 1)).toEqual({ state: 'redeemed', account: id });
});

test('looking at a code does not use it', async () => {
  const { id: account } = await newAccount();
  const code = await forSite(account);
  const look = (now: number) => findCode(env.DB, code, 'site', now);
  expect([await look(1), await look(2)]).toEqual([
    { state: 'ready', account },
    { state: 'ready', account },
  ]);
  expect(await look(1000)).toEqual({ state: 'expired', account });
  await redeemCode(env.DB, code, 'site', 3);
  expect(await look(4)).toEqual({ state: 'used', account });
  expect(await findCode(env.DB, 'x', 'site', 1)).toEqual({ state: 'unknown' });
});

test('of many that use a code at the same moment one gets in', async () => {
  const { id } = await newAccount();
  const code = await forSite(id);
  const tries = Array.from({ length: 20 }, () => redeemCode(env.DB, code, 'site', 1));
  const states = (await Promise.all(tries)).map(({ state }) => state);
  expect(states.filter((state) => state === 'redeemed')).toHaveLength(1);
});

test('ending an account’s codes ends those of its kind that were not used', async () => {
  const [{ id }, other] = [await newAccount(), await newAccount()];
  const [used, open] = [await forSite(id), await forSite(id)];
  const foreign = await forSite(other.id);
  const app = await createCode(env.DB, { account: id, opens: 'app', lives: 1000 }, 0);
  await redeemCode(env.DB, used, 'site', 1);
  await endCodes(env.DB, id, 'site', 2);
  const stateOf = async (code: string, opens: 'app' | 'site' = 'site') =>
    (await findCode(env.DB, code, opens, 2)).state;
  expect([
    await stateOf(used),
    await stateOf(open),
    await stateOf(foreign),
    await stateOf(app, 'app'),
  ]).toEqual(['used', 'expired', 'ready', 'ready']);
});
