import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { codeHash } from '../../../worker/accounts/one-time-codes.ts';
import { findInviteeByCode } from '../../../worker/invitations/invitation-index.ts';
import { InviteeStorage } from '../../../worker/invitations/invitee-storage.ts';
import { sendInvitation } from '../../../worker/invitations/send-invitation.ts';
import type { Env } from '../../../worker/platform/env.ts';
import { memoryKv } from '../memory-kv.ts';
import { newInvitee } from './sms/sms-fixture.ts';

const emptyStorage = () => new InviteeStorage(memoryKv().kv);

test('send invitation: a second request returns another link to the same invitation', async () => {
  const invitee = emptyStorage();
  const { request } = await newInvitee({ via: 'link' });
  const [first, second] = [
    await sendInvitation(invitee, request, env),
    await sendInvitation(invitee, request, env),
  ];
  if (first.kind === 'refused' || second.kind === 'refused') throw new Error('refused');
  expect(second.id).toBe(first.id);
  expect(second.code).not.toBe(first.code);
  for (const { code } of [first, second]) {
    const hash = await codeHash(code ?? '');
    const found = await findInviteeByCode(env.DB, hash, request.requesterBrowser, Date.now());
    expect(found).toEqual({ inviteeKey: request.inviteeKey, isRequester: true });
    expect(invitee.byCode(hash, Date.now())?.id).toBe(first.id);
  }
});

test('send invitation: a request by SMS finds the pending invitation and makes no code', async () => {
  const invitee = emptyStorage();
  const { request } = await newInvitee({ via: 'link' });
  await sendInvitation(invitee, request, env);
  expect(await sendInvitation(invitee, { ...request, via: 'sms' }, env)).toMatchObject({
    code: null,
  });
  expect(invitee.invitations(Date.now())).toHaveLength(1);
});

const ways = ['sms', 'link'] as const;

test.each(ways.flatMap((first) => ways.map((again) => [first, again] as const)))(
  'send invitation: invited by %s, then by %s: the requester has a code only of an invitation by link',
  async (first, again) => {
    for (const isDeclined of [false, true]) {
      const invitee = emptyStorage();
      const { request } = await newInvitee({ via: first });
      const results: unknown[] = [];
      for (const via of [first, again, again]) {
        const result = await sendInvitation(invitee, { ...request, via }, env);
        results.push(result.kind === 'refused' ? result.refusal : result.code !== null);
        const [id] = invitee.invitations(Date.now()).map((one) => one.id);
        // A hidden refusal changes nothing.
        if (id && isDeclined) invitee.end(id, 'invitee', Date.now());
      }
      const repeated = again === 'sms' ? false : first === 'link' || 'invitation_texted';
      expect([...results, invitee.invitations(Date.now()).length]).toEqual([
        first === 'link',
        repeated,
        repeated,
        1,
      ]);
      const [one] = invitee.invitations(Date.now());
      expect(one && invitee.codeCount(one.id)).toBe(first === 'link' && again === 'link' ? 3 : 1);
    }
  },
);

test('send invitation: an invitation has at most 20 links, and the first still opens it', async () => {
  const invitee = emptyStorage();
  const { request } = await newInvitee({ via: 'link' });
  const first = await sendInvitation(invitee, request, env);
  if (first.kind === 'refused') throw new Error('refused');
  for (let count = 1; count < 20; count += 1)
    expect((await sendInvitation(invitee, request, env)).kind).toBe('invited');
  expect(await sendInvitation(invitee, request, env)).toEqual({
    kind: 'refused',
    refusal: 'daily_invitation_limit',
  });
  const hash = await codeHash(first.code ?? '');
  expect(invitee.byCode(hash, Date.now())?.id).toBe(first.id);
});

test('send invitation: with D1 down nothing is created or counted', async () => {
  const invitee = emptyStorage();
  const { request } = await newInvitee();
  const DB = { prepare: () => ({ bind: () => null }), batch: () => Promise.reject(new Error()) };
  const more = { ...env, DB } as unknown as Env;
  for (let count = 0; count < 9; count += 1) {
    expect(await sendInvitation(invitee, request, more)).toEqual({
      kind: 'refused',
      refusal: 'invitation_failed',
    });
  }
  expect(invitee.invitations(Date.now())).toEqual([]);
  expect(await sendInvitation(invitee, request, env)).toMatchObject({ code: null });
});

test('send invitation: an opt-out during the request wins, and nothing is counted', async () => {
  const invitee = emptyStorage();
  const { request } = await newInvitee();
  const cancel = vi.fn(async () => {});
  const SMS_LIMITER = {
    getByName: () => ({
      reserveForRequester: async () => null,
      reserveForNumber: async () => {
        invitee.optOut(Date.now());
        return null;
      },
      cancelForRequester: cancel,
      cancelForNumber: cancel,
    }),
  };
  const more = { ...env, SMS_LIMITER } as unknown as Env;
  expect(await sendInvitation(invitee, request, more)).toEqual({
    kind: 'refused',
    refusal: 'number_unavailable',
  });
  expect(invitee.outbox.all()).toEqual([]);
  expect(cancel).toHaveBeenCalledTimes(2);
});

test('send invitation: after a hidden refusal a request returns the same invitation as before', async () => {
  const invitee = emptyStorage();
  const { request } = await newInvitee({ via: 'link' });
  const first = await sendInvitation(invitee, request, env);
  invitee.optOut(Date.now());
  const [text, link] = [
    await sendInvitation(invitee, { ...request, via: 'sms' }, env),
    await sendInvitation(invitee, request, env),
  ];
  const id = first.kind === 'invited' ? first.id : '';
  expect(text).toEqual({ kind: 'invited', id, code: null });
  expect(link).toEqual({ kind: 'invited', id, code: expect.stringMatching(/^[\w-]{22}$/) });
});
