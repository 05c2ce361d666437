import { env, runInDurableObject } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { codeHash } from '../../../worker/accounts/one-time-codes.ts';
import { emailAnswers } from '../../../worker/invitations/email-answers.ts';
import type { Invitee } from '../../../worker/invitations/invitee-object.ts';
import { InviteeStorage } from '../../../worker/invitations/invitee-storage.ts';
import { dayMs } from '../../../worker/platform/durations.ts';
import { pollTimeout } from '../../poll-timeout.ts';
import { newAccount } from '../accounts/account-fixture.ts';
import { deliver, mailQueue, stubMailVendor } from '../email/email-fixture.ts';
import { here } from './invitation-fixture.ts';
import { newInvitee, requester, type Stub } from './sms/sms-fixture.ts';

async function invitedBy(account: Awaited<ReturnType<typeof requester>>) {
  const { stub, request } = await newInvitee({ account: account.id, via: 'link' });
  const result = await stub.invite(request);
  if (result.kind === 'refused') throw new Error(result.refusal);
  const hash = await codeHash(result.code ?? '');
  await stub.open(hash);
  return { stub, hash };
}

/** What the object would queue now. */
async function queued(stub: Stub, queue = mailQueue()) {
  const enough = await runInDurableObject(stub, (_object: Invitee, { storage }) =>
    emailAnswers(new InviteeStorage(storage.kv), { ...env, ...queue.more }, () => undefined),
  );
  return { enough, sent: queue.sent as unknown[] };
}

const toldIn = (stub: Stub) =>
  runInDurableObject(stub, (_object: Invitee, { storage }) =>
    new InviteeStorage(storage.kv).invitations(Date.now()).map(({ told }) => told),
  );

test('answer by e-mail: the alarm tells a yes at once, and nothing tells it again', async () => {
  const { stub, hash } = await invitedBy(await requester());
  await stub.accept(hash, here);
  await vi.waitFor(async () => expect(await toldIn(stub)).toEqual(['yes']), pollTimeout);
  expect(await queued(stub)).toEqual({ enough: true, sent: [] });
});

test('answer by e-mail: one e-mail without the place, only to a confirmed mailbox', async () => {
  const mail = stubMailVendor();
  const owner = await requester();
  const stranger = await newAccount();
  const message = (account: string, answer: 'yes' | 'no') => ({
    ...{ id: `invitation_answer:1:${answer}`, template: 'invitation_answer', account },
    ...{
      site: 'https://funnel.test',
      until: null,
      data: { answer, number: '89' },
    },
  });
  const both = (['yes', 'no'] as const).map((answer) => message(owner.id, answer));
  await deliver([...both, ...both, message(stranger.id, 'yes')]);
  const inbox = mail.inbox(owner.email);
  expect(inbox.map(({ subject }) => subject)).toEqual(['They said yes', 'No location was shared']);
  for (const { text } of inbox)
    expect(text.match(/https:\S+/g)).toEqual(['https://funnel.test/manage']);
  expect(mail.inbox(stranger.email)).toEqual([]);
});

test('answer by e-mail: a no and silence are told alike at the deadline, again after an outage', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const account = await requester();
  const declined = await invitedBy(account);
  const silent = await invitedBy(account);
  await declined.stub.decline(declined.hash);
  for (const { stub } of [declined, silent]) expect((await queued(stub)).sent).toEqual([]);
  vi.setSystemTime(Date.now() + 7 * dayMs);
  const down = mailQueue();
  down.queue.down = true;
  const told = [];
  for (const { stub } of [declined, silent]) {
    expect((await queued(stub, down)).enough).toBe(false);
    told.push(...(await queued(stub)).sent);
    expect((await queued(stub)).sent).toEqual([]);
  }
  const shared = { template: 'invitation_answer', account: account.id, data: { answer: 'no' } };
  expect(told).toMatchObject([shared, shared]);
});
