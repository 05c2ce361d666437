import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { codeHash } from '../../../../worker/accounts/one-time-codes.ts';
import { findInviteeByCode } from '../../../../worker/invitations/invitation-index.ts';
import { InviteeStorage } from '../../../../worker/invitations/invitee-storage.ts';
import { queueDueSms } from '../../../../worker/invitations/sms/queue-due-sms.ts';
import { SmsOutbox } from '../../../../worker/invitations/sms/sms-outbox.ts';
import type { Env } from '../../../../worker/platform/env.ts';
import type { AccountId, InvitationId } from '../../../../worker/platform/types.ts';
import { memoryKv } from '../../memory-kv.ts';
import { contact, draftOf, here } from '../invitation-fixture.ts';

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
