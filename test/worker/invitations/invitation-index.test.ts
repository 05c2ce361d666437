import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { accountById } from '../../../worker/accounts/account-table.ts';
import { codeHash } from '../../../worker/accounts/one-time-codes.ts';
import {
  endInvitations,
  findInvitationEntry,
  findInviteeByCode,
  insertCode,
  insertInvitation,
  inviteeKeysOf,
  listInvitationEntries,
  phoneHash,
} from '../../../worker/invitations/invitation-index.ts';
import type { Env } from '../../../worker/platform/env.ts';
import type { AccountId, InvitationId } from '../../../worker/platform/types.ts';
import { newAccount } from '../accounts/account-fixture.ts';
import { here } from './invitation-fixture.ts';
import { storePlan } from './plan-fixture.ts';
import { newInvitee } from './sms/sms-fixture.ts';

const day = 24 * 60 * 60_000;

test("invitation index: an account's list is newest first, with twenty entries or all that can change", async () => {
  for (let at = 1; at <= 25; at += 1) {
    await insertInvitation(
      env.DB,
      { id: `i${at}` as InvitationId, account: 'a' as AccountId, inviteeKey: `p${at % 2}` },
      at,
    );
  }
  await insertInvitation(
    env.DB,
    { id: 'other' as InvitationId, account: 'b' as AccountId, inviteeKey: 'p' },
    99,
  );
  const kept = async (now: number) => {
    const found = await listInvitationEntries(env.DB, 'a' as AccountId, now);
    return [found.length, found[0], found.at(-1)?.id];
  };
  const newest = { id: 'i25', inviteeKey: 'p1' };
  expect(await kept(99 * day)).toEqual([20, newest, 'i6']);
  expect(await kept(38 * day + 3)).toEqual([23, newest, 'i3']);
  expect(await listInvitationEntries(env.DB, 'b' as AccountId, 99 * day)).toHaveLength(1);
});

test('invitation index: an account finds its invitation by id, however old', async () => {
  expect(await findInvitationEntry(env.DB, 'a' as AccountId, 'i1' as InvitationId)).toEqual({
    id: 'i1',
    inviteeKey: 'p1',
  });
  expect(await findInvitationEntry(env.DB, 'b' as AccountId, 'i1' as InvitationId)).toBeNull();
  expect((await inviteeKeysOf(env.DB, 'a' as AccountId)).sort()).toEqual(['p0', 'p1']);
});

const inviteeEntry = { inviteeKey: 'p', isRequester: false };

test('invitation index: a code finds its invitee for 60 days', async () => {
  const code = { hash: 'h', inviteeKey: 'p', account: 'a' as AccountId, browser: null };
  await insertCode(env.DB, code, 0);
  expect(await findInviteeByCode(env.DB, 'h', 'b', 60 * day - 1)).toEqual(inviteeEntry);
  expect(await findInviteeByCode(env.DB, 'h', 'b', 60 * day)).toBeNull();
  expect(await findInviteeByCode(env.DB, 'x', 'b', 0)).toBeNull();
  await insertCode(env.DB, { ...code, hash: 'next' }, 61 * day);
  expect(await findInviteeByCode(env.DB, 'h', 'b', 0)).toBeNull();
});

test("invitation index: the requester's own browser is recognized", async () => {
  const { id } = await newAccount();
  const uuid = (await accountById(env.DB, id as AccountId))?.userUuid ?? '';
  await insertCode(
    env.DB,
    { hash: 'mine', inviteeKey: 'p', account: id as AccountId, browser: 'b' },
    0,
  );
  const of = (browser: string) => findInviteeByCode(env.DB, 'mine', browser, 0);
  expect([await of('b'), await of(uuid), await of('another')]).toEqual([
    { inviteeKey: 'p', isRequester: true },
    { inviteeKey: 'p', isRequester: true },
    inviteeEntry,
  ]);
});

const number = '+4915123456789';

test('phone hash: deterministic, and different for another number or secret', async () => {
  const key = await phoneHash(env, number);
  expect(key).toMatch(/^[\w-]{43}$/);
  expect(await phoneHash(env, number)).toBe(key);
  expect(await phoneHash(env, '+4915123456788')).not.toBe(key);
  expect(await phoneHash({ ...env, PHONE_HASH_SECRET: 'x'.repeat(32) }, number)).not.toBe(key);
});

test.each([undefined, '', 'x'.repeat(31)])(
  'phone hash: with the secret %j invitations are off',
  async (secret) => {
    const more = { ...env, PHONE_HASH_SECRET: secret };
    await expect(phoneHash(more, number)).rejects.toMatchObject({ code: 'invitations_disabled' });
  },
);

/** An invitee who shares their position with an account. */
async function shareLocation(account: AccountId) {
  await storePlan(account);
  const { stub, request } = await newInvitee({ account, via: 'link' });
  const invited = await stub.invite(request);
  if (invited.kind === 'refused') throw new Error(invited.refusal);
  const hash = await codeHash(invited.code ?? '');
  await stub.open(hash);
  await stub.accept(hash, here);
  return async () => (await stub.viewForRequester(invited.view.id, account))?.state;
}

test("end invitations: all of an account's invitations end, and no others", async () => {
  const [account, other] = [crypto.randomUUID(), crypto.randomUUID()];
  const states = [
    await shareLocation(account as AccountId),
    await shareLocation(account as AccountId),
    await shareLocation(other as AccountId),
  ];
  await endInvitations(env, account as AccountId, Date.now());
  const found = await Promise.all(states.map((state) => state()));
  expect(found).toEqual(['not_shared', 'not_shared', 'accepted']);
});

test('end invitations: when one object fails the others end, and the error is thrown', async () => {
  const account = crypto.randomUUID() as AccountId;
  const states = [await shareLocation(account), await shareLocation(account)];
  let calls = 0;
  const getByName = (name: string) => {
    calls += 1;
    const endWithPlan = () => Promise.reject(new TypeError('down'));
    return calls === 1 ? { endWithPlan } : env.INVITATIONS.getByName(name);
  };
  const broken = { ...env, INVITATIONS: { getByName } } as unknown as Env;
  await expect(endInvitations(broken, account, Date.now())).rejects.toThrow('down');
  const found = await Promise.all(states.map((state) => state()));
  expect(found.toSorted()).toEqual(['accepted', 'not_shared']);
});

test('end invitations: an invitation made after the given time continues', async () => {
  const account = crypto.randomUUID() as AccountId;
  const before = Date.now() - 1;
  const state = await shareLocation(account);
  await endInvitations(env, account, before);
  expect(await state()).toBe('accepted');
});
