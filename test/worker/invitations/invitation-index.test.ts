import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { accountById } from '../../../worker/accounts/account-table.ts';
import {
  askedBy,
  insertCode,
  insertInvitation,
  invitationOf,
  invitationsOf,
  personOf,
} from '../../../worker/invitations/invitation-index.ts';
import { newAccount } from '../accounts/account-fixture.ts';

const day = 24 * 60 * 60_000;

test('an account’s invitations come newest first: twenty, or all that may still change', async () => {
  for (let at = 1; at <= 25; at += 1) {
    await insertInvitation(env.DB, { id: `i${at}`, account: 'a', person: `p${at % 2}` }, at);
  }
  await insertInvitation(env.DB, { id: 'other', account: 'b', person: 'p' }, 99);
  const kept = async (now: number) => {
    const found = await invitationsOf(env.DB, 'a', now);
    return [found.length, found[0], found.at(-1)?.id];
  };
  const newest = { id: 'i25', person: 'p1' };
  expect(await kept(99 * day)).toEqual([20, newest, 'i6']);
  expect(await kept(38 * day + 3)).toEqual([23, newest, 'i3']);
  expect(await invitationsOf(env.DB, 'b', 99 * day)).toHaveLength(1);
});

test('an invitation is found by its id however old it is, by its account', async () => {
  expect(await invitationOf(env.DB, 'a', 'i1')).toEqual({ id: 'i1', person: 'p1' });
  expect(await invitationOf(env.DB, 'b', 'i1')).toBeNull();
  expect((await askedBy(env.DB, 'a')).sort()).toEqual(['p0', 'p1']);
});

const theirs = { person: 'p', own: false };

test('a code finds its person, for sixty days', async () => {
  const code = { hash: 'h', person: 'p', account: 'a', browser: null };
  await insertCode(env.DB, code, 0);
  expect(await personOf(env.DB, 'h', 'b', 60 * day - 1)).toEqual(theirs);
  expect(await personOf(env.DB, 'h', 'b', 60 * day)).toBeNull();
  expect(await personOf(env.DB, 'x', 'b', 0)).toBeNull();
  await insertCode(env.DB, { ...code, hash: 'next' }, 61 * day);
  expect(await personOf(env.DB, 'h', 'b', 0)).toBeNull();
});

test('the browser that a code was made for, or its account, is told apart', async () => {
  const { id } = await newAccount();
  const uuid = (await accountById(env.DB, id))?.userUuid ?? '';
  await insertCode(env.DB, { hash: 'mine', person: 'p', account: id, browser: 'b' }, 0);
  const of = (browser: string) => personOf(env.DB, 'mine', browser, 0);
  expect([await of('b'), await of(uuid), await of('another')]).toEqual([
    { person: 'p', own: true },
    { person: 'p', own: true },
    theirs,
  ]);
});
