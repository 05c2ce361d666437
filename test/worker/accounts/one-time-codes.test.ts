import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { signOutEverywhere } from '../../../worker/accounts/account-table.ts';
import {
  createAppCode,
  createCode,
  endCodes,
  findCode,
  redeemCode,
} from '../../../worker/accounts/one-time-codes.ts';
import { signInByCode } from '../../../worker/accounts/sign-in-codes.ts';
import type { AccountId, VisitorId } from '../../../worker/platform/types.ts';
import { newAccount, verify } from './account-fixture.ts';

const hourMs = 60 * 60 * 1000;

const forSignIn = (account: AccountId) =>
  createCode(env.DB, { account, epoch: 0, purpose: 'sign_in', lifetimeMs: 1000 }, 0);

test('one-time codes: a code works for its own purpose only', async () => {
  const { id } = await newAccount();
  const code = await forSignIn(id);
  expect(await redeemCode(env.DB, code, 'app', 1)).toEqual({ kind: 'unknown' });
  expect(await redeemCode(env.DB, code, 'sign_in', 1)).toEqual({
    kind: 'redeemed',
    account: id,
    epoch: 0,
  });
});

test('one-time codes: finding a code does not use it up', async () => {
  const { id: account } = await newAccount();
  const code = await forSignIn(account);
  const find = (now: number) => findCode(env.DB, code, ['sign_in'], now);
  expect([await find(1), await find(2)]).toEqual([
    { kind: 'ready', account },
    { kind: 'ready', account },
  ]);
  expect(await find(1000)).toEqual({ kind: 'expired', account });
  await redeemCode(env.DB, code, 'sign_in', 3);
  expect(await find(4)).toEqual({ kind: 'used', account });
  expect(await findCode(env.DB, 'x', ['sign_in'], 1)).toEqual({ kind: 'unknown' });
});

test('one-time codes: of 20 parallel calls one redeems the code', async () => {
  const code = await forSignIn((await newAccount()).id);
  const tries = Array.from({ length: 20 }, () => redeemCode(env.DB, code, 'sign_in', 1));
  const kinds = (await Promise.all(tries)).map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === 'redeemed')).toHaveLength(1);
});

test('one-time codes: endCodes expires the unused codes of one account and purpose', async () => {
  const [{ id }, other] = [await newAccount(), await newAccount()];
  const [used, open] = [await forSignIn(id), await forSignIn(id)];
  const foreign = await forSignIn(other.id);
  const app = await createCode(
    env.DB,
    { account: id as AccountId, epoch: 0, purpose: 'app', lifetimeMs: 1000 },
    0,
  );
  await redeemCode(env.DB, used, 'sign_in', 1);
  await endCodes(env.DB, id as AccountId, 'sign_in', 2);
  const kindOf = async (code: string, purpose: 'app' | 'sign_in' = 'sign_in') =>
    (await findCode(env.DB, code, [purpose], 2)).kind;
  expect([
    await kindOf(used),
    await kindOf(open),
    await kindOf(foreign),
    await kindOf(app, 'app'),
  ]).toEqual(['used', 'expired', 'ready', 'ready']);
});

test('one-time codes: a raised epoch expires earlier codes, and codes of an old session', async () => {
  const { id } = await newAccount();
  const before = await forSignIn(id);
  await signOutEverywhere(env.DB, { account: id as AccountId, epoch: 0 });
  for (const code of [before, await forSignIn(id)]) {
    expect(await findCode(env.DB, code, ['sign_in'], 1)).toEqual({ kind: 'expired', account: id });
    expect(await redeemCode(env.DB, code, 'sign_in', 1)).toMatchObject({ kind: 'expired' });
    expect(await signInByCode(env.DB, code, { own: 'b' as VisitorId }, 1)).toMatchObject({
      kind: 'expired',
    });
  }
});

test('sign-in codes: of 20 parallel calls one signs in, and the epoch rises once', async () => {
  const { id } = await newAccount();
  const code = await forSignIn(id);
  const tries = Array.from({ length: 20 }, (_, at) =>
    signInByCode(env.DB, code, { own: `b${at}` as VisitorId }, 1),
  );
  expect((await Promise.all(tries)).filter(({ kind }) => kind === 'signed_in')).toMatchObject([
    { account: { id, epoch: 1, verifiedAt: 1 } },
  ]);
});

test('app codes: a code is valid for 24 hours', async () => {
  const { id } = await newAccount();
  const early = await createAppCode(env.DB, { account: id as AccountId, epoch: 0 }, 0);
  const late = await createAppCode(env.DB, { account: id as AccountId, epoch: 0 }, 0);
  expect(await redeemCode(env.DB, early, 'app', 24 * hourMs - 1)).toMatchObject({
    kind: 'redeemed',
  });
  expect(await redeemCode(env.DB, late, 'app', 24 * hourMs)).toMatchObject({
    kind: 'expired',
    account: id,
  });
});

test('app codes: a used code stays used after it has expired', async () => {
  const { id } = await newAccount();
  const code = await createAppCode(env.DB, { account: id as AccountId, epoch: 0 }, 0);
  await redeemCode(env.DB, code, 'app', 1);
  expect(await redeemCode(env.DB, code, 'app', 25 * hourMs)).toMatchObject({
    kind: 'used',
    account: id,
  });
});

test('app codes: a new code deletes those that expired over a week ago', async () => {
  const { id } = await newAccount();
  const old = await createAppCode(env.DB, { account: id as AccountId, epoch: 0 }, 0);
  await createAppCode(env.DB, { account: id as AccountId, epoch: 0 }, 9 * 24 * hourMs);
  expect(await redeemCode(env.DB, old, 'app', 9 * 24 * hourMs)).toEqual({ kind: 'unknown' });
});

const purposes = ['app', 'sign_in', 'hand_over', 'card'] as const;

test.each(purposes)(
  'one-time codes: an account has at most 50 %s codes, the newest',
  async (purpose) => {
    const [{ id: account }, other] = [await newAccount(), await newAccount()];
    const create = (at: number, lifetimeMs = hourMs, owner = account) =>
      createCode(env.DB, { account: owner, epoch: 0, purpose, lifetimeMs }, at);
    const foreign = await create(0, hourMs, other.id);
    const [first, long] = [await create(1), await create(2, 72 * hourMs)];
    for (let at = 3; at < 60; at += 1) await create(at);
    const last = await create(60);
    const count = env.DB.prepare('SELECT count(*) AS n FROM one_time_codes WHERE account_id = ?');
    expect(await count.bind(account).first('n')).toBe(50);
    const kinds = [first, long, last, foreign].map((code) => findCode(env.DB, code, [purpose], 61));
    expect((await Promise.all(kinds)).map(({ kind }) => kind)).toEqual([
      'unknown',
      'ready',
      'ready',
      'ready',
    ]);
  },
);

test('one-time codes: an account that signs in again and again has at most 50 app codes', async () => {
  const { id: account, userUuid } = await newAccount();
  await verify(account);
  let newest = '';
  for (let at = 1; at < 60; at += 1) {
    const terms = { account, epoch: 0, purpose: 'hand_over', lifetimeMs: hourMs } as const;
    const signedIn = await signInByCode(
      env.DB,
      await createCode(env.DB, terms, at),
      { own: userUuid },
      at,
    );
    if (signedIn.kind !== 'signed_in') throw new Error(signedIn.kind);
    newest = signedIn.deeplink;
  }
  const count = env.DB.prepare(
    `SELECT count(*) AS n FROM one_time_codes WHERE account_id = ? AND purpose = 'app'`,
  );
  expect(await count.bind(account).first('n')).toBe(50);
  expect(await findCode(env.DB, newest, ['app'], 60)).toEqual({ kind: 'ready', account });
});
