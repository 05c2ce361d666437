import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import {
  askedBy,
  invitationsOf,
  noteCode,
  noteInvitation,
  personOf,
} from '../../../worker/storage/invitations.ts';

const day = 24 * 60 * 60_000;

test('an account’s invitations come newest first, at most twenty, and nobody else’s', async () => {
  for (let at = 1; at <= 21; at += 1) {
    await noteInvitation(env.DB, { id: `i${at}`, account: 'a', person: `p${at % 2}` }, at);
  }
  await noteInvitation(env.DB, { id: 'other', account: 'b', person: 'p' }, 99);
  const kept = await invitationsOf(env.DB, 'a');
  expect([kept.length, kept[0], kept.at(-1)?.id]).toEqual([20, { id: 'i21', person: 'p1' }, 'i2']);
  expect((await askedBy(env.DB, 'a')).sort()).toEqual(['p0', 'p1']);
});

test('a code finds its person, for sixty days', async () => {
  await noteCode(env.DB, { hash: 'h', person: 'p', account: 'a' }, 0);
  expect(await personOf(env.DB, 'h', 60 * day - 1)).toBe('p');
  expect(await personOf(env.DB, 'h', 60 * day)).toBeNull();
  expect(await personOf(env.DB, 'x', 0)).toBeNull();
  await noteCode(env.DB, { hash: 'next', person: 'p', account: 'a' }, 61 * day);
  expect(await personOf(env.DB, 'h', 0)).toBeNull();
});
