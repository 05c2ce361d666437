import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { accountById } from '../../../worker/accounts/account-table.ts';
import {
  findInvitationEntry,
  findInviteeByCode,
  insertCode,
  insertInvitation,
  inviteesOf,
  listInvitationEntries,
} from '../../../worker/invitations/invitation-index.ts';
import type { AccountId, InvitationId } from '../../../worker/types.ts';
import { newAccount } from '../accounts/account-fixture.ts';

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
  expect((await inviteesOf(env.DB, 'a' as AccountId)).sort()).toEqual(['p0', 'p1']);
});

const theirs = { inviteeKey: 'p', isRequester: false };

test('invitation index: a code finds its invitee for 60 days', async () => {
  const code = { hash: 'h', inviteeKey: 'p', account: 'a' as AccountId, browser: null };
  await insertCode(env.DB, code, 0);
  expect(await findInviteeByCode(env.DB, 'h', 'b', 60 * day - 1)).toEqual(theirs);
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
    theirs,
  ]);
});
