import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { codeHash } from '../../../worker/accounts/one-time-codes.ts';
import type { Env } from '../../../worker/env.ts';
import { endInvitations } from '../../../worker/invitations/invitation-index.ts';
import type { AccountId } from '../../../worker/types.ts';
import { here } from './invitation-fixture.ts';
import { newInvitee } from './sms/sms-fixture.ts';

/** An invitee who shares with an account. */
async function sharing(account: AccountId) {
  const { stub, request } = newInvitee({ account, via: 'link' });
  const asked = await stub.invite(request);
  if (asked.kind === 'refused') throw new Error(asked.refusal);
  const hash = await codeHash(asked.code ?? '');
  await stub.open(hash);
  await stub.accept(hash, here);
  return async () => (await stub.viewForRequester(asked.view.id, account))?.state;
}

test("end invitations: all of an account's invitations end, and no others", async () => {
  const [account, other] = [crypto.randomUUID(), crypto.randomUUID()];
  const states = [
    await sharing(account as AccountId),
    await sharing(account as AccountId),
    await sharing(other as AccountId),
  ];
  await endInvitations(env, account as AccountId, Date.now());
  const found = await Promise.all(states.map((state) => state()));
  expect(found).toEqual(['not_shared', 'not_shared', 'accepted']);
});

test('end invitations: when one object fails the others end, and the error is thrown', async () => {
  const account = crypto.randomUUID() as AccountId;
  const states = [await sharing(account), await sharing(account)];
  let calls = 0;
  const getByName = (name: string) => {
    calls += 1;
    const cancelAll = () => Promise.reject(new TypeError('down'));
    return calls === 1 ? { cancelAll } : env.INVITATIONS.getByName(name);
  };
  const broken = { ...env, INVITATIONS: { getByName } } as unknown as Env;
  await expect(endInvitations(broken, account, Date.now())).rejects.toThrow('down');
  const found = await Promise.all(states.map((state) => state()));
  expect(found.toSorted()).toEqual(['accepted', 'not_shared']);
});

test('end invitations: an invitation after the given time goes on', async () => {
  const account = crypto.randomUUID() as AccountId;
  const before = Date.now() - 1;
  const state = await sharing(account);
  await endInvitations(env, account, before);
  expect(await state()).toBe('accepted');
});
