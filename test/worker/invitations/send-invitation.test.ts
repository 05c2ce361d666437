import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { codeHash } from '../../../worker/accounts/one-time-codes.ts';
import type { Env } from '../../../worker/env.ts';
import { personOf } from '../../../worker/invitations/invitation-index.ts';
import { InviteeStorage } from '../../../worker/invitations/invitee-storage.ts';
import { sendInvitation } from '../../../worker/invitations/send-invitation.ts';
import { memoryKv } from '../memory-kv.ts';
import { somebody } from './sms/sms-fixture.ts';

const nobody = () => new InviteeStorage(memoryKv().kv);

test('a link can be had again, and both open the one question', async () => {
  const person = nobody();
  const { asking } = somebody({ via: 'link' });
  const [first, second] = [
    await sendInvitation(person, asking, env),
    await sendInvitation(person, asking, env),
  ];
  if ('refusal' in first || 'refusal' in second) throw new Error('refused');
  expect(second.id).toBe(first.id);
  expect(second.code).not.toBe(first.code);
  for (const { code } of [first, second]) {
    const hash = await codeHash(code ?? '');
    const found = await personOf(env.DB, hash, asking.browser, Date.now());
    expect(found).toEqual({ person: asking.person, own: true });
    expect(person.byCode(hash, Date.now())?.id).toBe(first.id);
  }
});

test('Send beside an open question finds that one, and makes no code', async () => {
  const person = nobody();
  const { asking } = somebody({ via: 'link' });
  await sendInvitation(person, asking, env);
  expect(await sendInvitation(person, { ...asking, via: 'text' }, env)).toMatchObject({
    code: null,
  });
  expect(person.invitations(Date.now())).toHaveLength(1);
});

test('with the database down nobody is asked, and nothing is counted', async () => {
  const person = nobody();
  const { asking } = somebody();
  const DB = { prepare: () => ({ bind: () => null }), batch: () => Promise.reject(new Error()) };
  const more = { ...env, DB } as unknown as Env;
  for (let count = 0; count < 9; count += 1) {
    expect(await sendInvitation(person, asking, more)).toEqual({ refusal: 'invitation_failed' });
  }
  expect(person.invitations(Date.now())).toEqual([]);
  expect(await sendInvitation(person, asking, env)).toMatchObject({ code: null });
});

test('a STOP that comes while it is counted wins', async () => {
  const person = nobody();
  const { asking } = somebody();
  const giveBack = vi.fn(async () => {});
  const SMS_LIMITER = {
    getByName: () => ({
      take: async () => {
        person.stopAll(Date.now());
        return null;
      },
      giveBack,
    }),
  };
  const more = { ...env, SMS_LIMITER } as unknown as Env;
  expect(await sendInvitation(person, asking, more)).toEqual({ refusal: 'number_unavailable' });
  expect(person.texts.all()).toEqual([]);
  expect(giveBack).toHaveBeenCalledTimes(1);
});

test('after a no it is asked again as if there was none: the same question, and a link to it', async () => {
  const person = nobody();
  const { asking } = somebody({ via: 'link' });
  const first = await sendInvitation(person, asking, env);
  person.stopAll(Date.now());
  const [text, link] = [
    await sendInvitation(person, { ...asking, via: 'text' }, env),
    await sendInvitation(person, asking, env),
  ];
  const id = 'id' in first ? first.id : '';
  expect(text).toEqual({ id, code: null });
  expect(link).toEqual({ id, code: expect.stringMatching(/^[\w-]{22}$/) });
});
