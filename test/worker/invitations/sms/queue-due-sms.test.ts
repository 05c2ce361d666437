import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { codeHash } from '../../../../worker/accounts/one-time-codes.ts';
import type { Env } from '../../../../worker/env.ts';
import { personOf } from '../../../../worker/invitations/invitation-index.ts';
import { InviteeStorage } from '../../../../worker/invitations/invitee-storage.ts';
import { queueDueSms } from '../../../../worker/invitations/sms/queue-due-sms.ts';
import { memoryKv } from '../../memory-kv.ts';
import { contact, here, question } from '../invitation-fixture.ts';

const day = 24 * 60 * 60_000;
const always = { ...contact, zones: [] };

function box() {
  const send = vi.fn(async (_message: object) => {});
  return { send, more: { ...env, SMS_QUEUE: { send } } as unknown as Env };
}

function asked(more: Parameters<typeof question>[1] = {}, at = Date.now()) {
  const person = new InviteeStorage(memoryKv().kv);
  const draft = question('a', more);
  person.ask(draft, { code: 'c', hash: 'h', version: 1 }, always, at);
  return { person, id: draft.id };
}

test('a text is queued once, by names that tell nothing', async () => {
  const { person } = asked();
  const { send, more } = box();
  await queueDueSms(person, 'p', more);
  await queueDueSms(person, 'p', more);
  const [text] = person.texts.all();
  expect(send.mock.calls).toEqual([[{ person: 'p', text: text?.id }]]);
  expect(text?.state).toBe('queued');
});

test('with the queue down it waits', async () => {
  const { person } = asked();
  const { send, more } = box();
  send.mockRejectedValueOnce(new Error('queue down'));
  await expect(queueDueSms(person, 'p', more)).rejects.toThrow('queue down');
  expect(person.texts.all()).toMatchObject([{ state: 'waiting' }]);
  await queueDueSms(person, 'p', more);
  expect(send).toHaveBeenCalledTimes(2);
});

test('who has shared for a day is reminded, with a code that opens their page', async () => {
  const yesterday = Date.now() - day;
  const { person, id } = asked({ via: 'link', duration: 'until_stopped' }, yesterday);
  person.act(id, 'open', 'person', yesterday);
  person.accept(id, here, yesterday);
  const { send, more } = box();
  await queueDueSms(person, 'p', more);
  await queueDueSms(person, 'p', more);
  expect(send).toHaveBeenCalledTimes(1);
  const [text] = person.texts.all();
  const hash = await codeHash(text?.code ?? '');
  expect([text?.kind, person.byCode(hash, Date.now())?.id]).toEqual(['reminder', id]);
  expect((await personOf(env.DB, hash, '', Date.now()))?.person).toBe('p');
});
