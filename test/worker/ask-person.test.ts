import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { askPerson } from '../../worker/ask-person.ts';
import type { Env } from '../../worker/env.ts';
import { Person } from '../../worker/person.ts';
import { hashOf } from '../../worker/storage/codes.ts';
import { personOf } from '../../worker/storage/invitations.ts';
import { somebody } from './inviting.ts';
import { memoryKv } from './memory-kv.ts';

const nobody = () => new Person(memoryKv().kv);

test('a link can be had again, and both open the one question', async () => {
  const person = nobody();
  const { asking } = somebody({ via: 'link' });
  const [first, second] = [
    await askPerson(person, asking, env),
    await askPerson(person, asking, env),
  ];
  if ('refusal' in first || 'refusal' in second) throw new Error('refused');
  expect(second.id).toBe(first.id);
  expect(second.code).not.toBe(first.code);
  for (const { code } of [first, second]) {
    const hash = await hashOf(code ?? '');
    expect(await personOf(env.DB, hash, Date.now())).toBe(asking.person);
    expect(person.byCode(hash, Date.now())?.id).toBe(first.id);
  }
});

test('Send beside an open question finds that one, and makes no code', async () => {
  const person = nobody();
  const { asking } = somebody({ via: 'link' });
  await askPerson(person, asking, env);
  expect(await askPerson(person, { ...asking, via: 'text' }, env)).toMatchObject({ code: null });
  expect(person.invitations(Date.now())).toHaveLength(1);
});

test('with the database down nobody is asked', async () => {
  const person = nobody();
  const { asking } = somebody();
  const DB = { prepare: () => ({ bind: () => null }), batch: () => Promise.reject(new Error()) };
  const more = { ...env, DB } as unknown as Env;
  expect(await askPerson(person, asking, more)).toEqual({ refusal: 'invitation_failed' });
  expect(person.invitations(Date.now())).toEqual([]);
});

test('a STOP that comes while it is counted wins', async () => {
  const person = nobody();
  const { asking } = somebody();
  const LIMITS = {
    getByName: () => ({
      take: async () => {
        person.stopAll(Date.now());
        return null;
      },
    }),
  };
  const more = { ...env, LIMITS } as unknown as Env;
  expect(await askPerson(person, asking, more)).toEqual({ refusal: 'number_resting' });
  expect(person.texts.all()).toEqual([]);
});
