import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import type { Env } from '../../worker/env.ts';
import { hashOf } from '../../worker/storage/codes.ts';
import { takeBackAsked } from '../../worker/take-back.ts';
import { here } from './asked.ts';
import { somebody } from './inviting.ts';

/** A person who said yes to an account. */
async function sharing(account: string) {
  const { stub, asking } = somebody({ account, via: 'link' });
  const asked = await stub.ask(asking);
  if ('refusal' in asked) throw new Error(asked.refusal);
  const hash = await hashOf(asked.code ?? '');
  await stub.open(hash);
  await stub.accept(hash, here);
  return async () => (await stub.seen(asked.view.id, account))?.state;
}

test('whatever an account asked of whom is taken back, and nothing of anybody else', async () => {
  const [account, other] = [crypto.randomUUID(), crypto.randomUUID()];
  const states = [await sharing(account), await sharing(account), await sharing(other)];
  await takeBackAsked(env, account, Date.now());
  const found = await Promise.all(states.map((state) => state()));
  expect(found).toEqual(['not_shared', 'not_shared', 'accepted']);
});

test('where one person’s object fails the others are ended, and the caller is told', async () => {
  const account = crypto.randomUUID();
  const states = [await sharing(account), await sharing(account)];
  let calls = 0;
  const getByName = (name: string) => {
    calls += 1;
    const cancelAll = () => Promise.reject(new TypeError('down'));
    return calls === 1 ? { cancelAll } : env.INVITATIONS.getByName(name);
  };
  const broken = { ...env, INVITATIONS: { getByName } } as unknown as Env;
  await expect(takeBackAsked(broken, account, Date.now())).rejects.toThrow('down');
  const found = await Promise.all(states.map((state) => state()));
  expect(found.toSorted()).toEqual(['accepted', 'not_shared']);
});

test('what the account asks after that time goes on', async () => {
  const account = crypto.randomUUID();
  const before = Date.now() - 1;
  const state = await sharing(account);
  await takeBackAsked(env, account, before);
  expect(await state()).toBe('accepted');
});
