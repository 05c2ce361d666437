import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { codeHash } from '../../../../worker/accounts/one-time-codes.ts';
import { findInviteeByCode, phoneHash } from '../../../../worker/invitations/invitation-index.ts';
import { InviteeStorage } from '../../../../worker/invitations/invitee-storage.ts';
import { prefixOf } from '../../../../worker/invitations/rules/sms-limits.ts';
import { queueDueSms } from '../../../../worker/invitations/sms/queue-due-sms.ts';
import { reserveSms } from '../../../../worker/invitations/sms/sms-limiter-object.ts';
import { SmsOutbox } from '../../../../worker/invitations/sms/sms-outbox.ts';
import type { Env } from '../../../../worker/platform/env.ts';
import type { AccountId, InvitationId } from '../../../../worker/platform/types.ts';
import { memoryKv } from '../../memory-kv.ts';
import { contact, draftOf, here } from '../invitation-fixture.ts';
import { freshNumber } from './sms-fixture.ts';

const day = 24 * 60 * 60_000;
const always = { ...contact, zones: [] };

function recordingQueue() {
  const send = vi.fn(async (_message: object) => {});
  return { send, more: { ...env, SMS_QUEUE: { send } } as unknown as Env };
}

function storedInvitation(more: Parameters<typeof draftOf>[1] = {}, at = Date.now()) {
  const invitee = new InviteeStorage(memoryKv().kv);
  const draft = draftOf('a' as AccountId, more);
  invitee.addInvitation(draft, { code: 'c', hash: 'h', version: 1 }, always, at);
  return { invitee, id: draft.id };
}

test('queue due SMS: an SMS is queued once, without number or text', async () => {
  const { invitee } = storedInvitation();
  const { send, more } = recordingQueue();
  await queueDueSms(invitee, 'p', more);
  await queueDueSms(invitee, 'p', more);
  const [text] = invitee.outbox.all();
  expect(send.mock.calls).toEqual([[{ inviteeKey: 'p', smsId: text?.id }]]);
  expect(text?.state).toBe('queued');
});

test('queue due SMS: with the queue down the SMS waits', async () => {
  const { invitee } = storedInvitation();
  const { send, more } = recordingQueue();
  send.mockRejectedValueOnce(new Error('queue down'));
  await expect(queueDueSms(invitee, 'p', more)).rejects.toThrow('queue down');
  expect(invitee.outbox.all()).toMatchObject([{ state: 'waiting' }]);
  await queueDueSms(invitee, 'p', more);
  expect(send).toHaveBeenCalledTimes(2);
});

test('queue due SMS: after a day of sharing a reminder with its own code is queued', async () => {
  const yesterday = Date.now() - day;
  const { invitee, id } = storedInvitation({ via: 'link', duration: 'until_stopped' }, yesterday);
  invitee.apply(id, 'open', 'invitee', yesterday);
  invitee.accept(id, here, yesterday);
  const { send, more } = recordingQueue();
  await queueDueSms(invitee, 'p', more);
  await queueDueSms(invitee, 'p', more);
  expect(send).toHaveBeenCalledTimes(1);
  const [text] = invitee.outbox.all();
  const hash = await codeHash(text?.code ?? '');
  expect([text?.kind, invitee.byCode(hash, Date.now())?.id]).toEqual(['reminder', id]);
  expect((await findInviteeByCode(env.DB, hash, '', Date.now()))?.inviteeKey).toBe('p');
});

/** An acceptance for which an SMS is due: a reminder, or the end of the plan. */
async function withDueSms(kind: 'reminder' | 'ended', via: 'link' | 'sms') {
  const e164 = freshNumber('+4915');
  const account = crypto.randomUUID() as AccountId;
  const invitee = new InviteeStorage(memoryKv().kv);
  const draft = draftOf(account, { via, duration: 'until_stopped' });
  const then = Date.now() - day;
  invitee.addInvitation(draft, { code: 'c', hash: 'h', version: 1 }, { ...always, e164 }, then);
  for (const act of ['send', 'open'] as const) invitee.apply(draft.id, act, 'invitee', then);
  invitee.accept(draft.id, here, then);
  invitee.outbox.deleteFor(draft.id);
  if (kind === 'ended') invitee.endWithPlan(account, Date.now(), Date.now());
  const counted = {
    ...{ account, number: `n${e164}`, country: 'DE', cents: 8 },
    prefix: await phoneHash(env, prefixOf(e164)),
  };
  return { invitee, counted };
}

const followUps = (['reminder', 'ended'] as const).flatMap((kind) =>
  (['link', 'sms'] as const).map((via) => [kind, via] as const),
);

test.each(followUps)(
  'queue due SMS: a %s after an acceptance by %s counts once towards every limit, and no count of invitations holds it back',
  async (kind, via) => {
    const { invitee, counted } = await withDueSms(kind, via);
    // As many invitations as the account, and the number, may get today.
    for (let count = 0; count < 2; count += 1) expect(await reserveSms(env, counted)).toBeNull();
    const reserved: object[] = [];
    const SMS_LIMITER = {
      getByName: (name: string) => {
        const limiter = env.SMS_LIMITER.getByName(name);
        return {
          isSuspended: (account: string) => limiter.isSuspended(account),
          reserve: (request: never) => {
            reserved.push(request);
            return limiter.reserve(request);
          },
        };
      },
    };
    const { send, more } = recordingQueue();
    send.mockRejectedValueOnce(new Error('queue down'));
    const limited = { ...more, SMS_LIMITER } as unknown as Env;
    await expect(queueDueSms(invitee, counted.number, limited)).rejects.toThrow('queue down');
    await queueDueSms(invitee, counted.number, limited);
    expect(send).toHaveBeenCalledTimes(2);
    expect(reserved).toEqual([{ ...counted, isFollowUp: true }]);
    // The account has had three of five, and the number three of two.
    const another = { ...counted, number: crypto.randomUUID() };
    const answers = [await reserveSms(env, counted)];
    for (let count = 0; count < 3; count += 1) answers.push(await reserveSms(env, another));
    expect(answers.map((refusal) => refusal?.refusal ?? null)).toEqual([
      'number_unavailable',
      null,
      null,
      'daily_invitation_limit',
    ]);
  },
);

test.each(followUps)(
  'queue due SMS: without budget a %s after an acceptance by %s waits for the next day',
  async (kind, via) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2041-03-05T12:00:00Z') });
    const { invitee, counted } = await withDueSms(kind, via);
    const full = async () => ({ kind: 'refused', refusal: 'invitations_disabled' });
    const getByName = () => ({ reserve: full });
    const { send, more } = recordingQueue();
    const without = { ...more, SMS_LIMITER: { getByName } } as unknown as Env;
    await queueDueSms(invitee, counted.number, without);
    const tomorrow = Date.parse('2041-03-06T00:00:00Z');
    expect(invitee.outbox.all()).toMatchObject([{ kind, state: 'waiting', dueAt: tomorrow }]);
    await queueDueSms(invitee, counted.number, more);
    expect(send).not.toHaveBeenCalled();
    vi.setSystemTime(tomorrow);
    await queueDueSms(invitee, counted.number, more);
    expect(send).toHaveBeenCalledTimes(1);
  },
);

test('queue due SMS: two calls at the same time add one reminder', async () => {
  const { invitee, counted } = await withDueSms('reminder', 'link');
  const { more } = recordingQueue();
  const both = [1, 2].map(() => queueDueSms(invitee, counted.number, more));
  await Promise.all(both);
  expect(invitee.outbox.all()).toHaveLength(1);
});

test('SMS outbox: an SMS stays until it is deleted, alone or with its invitation', () => {
  const outbox = new SmsOutbox(memoryKv().kv);
  outbox.add({ kind: 'invitation', invitation: 'i' as InvitationId, code: 'c', dueAt: 5 });
  outbox.add({ kind: 'reminder', invitation: 'j' as InvitationId, code: 'd', dueAt: 6 });
  const [first] = outbox.all().filter(({ invitation }) => invitation === 'i');
  expect(first).toMatchObject({ kind: 'invitation', code: 'c', state: 'waiting', triedAt: null });
  if (first) outbox.save({ ...first, state: 'queued' });
  expect(outbox.find(first?.id ?? '')?.state).toBe('queued');
  outbox.deleteFor('j' as InvitationId);
  expect(outbox.all()).toHaveLength(1);
  outbox.delete(first?.id ?? '');
  expect(outbox.all()).toEqual([]);
});
