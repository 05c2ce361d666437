import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { InviteeStorage } from '../../../../worker/invitations/invitee-storage.ts';
import { sendSms } from '../../../../worker/invitations/sms/send-sms.ts';
import { suspensionsOf } from '../../../../worker/invitations/sms/sms-limiter-object.ts';
import type { AccountId } from '../../../../worker/platform/types.ts';
import { memoryKv } from '../../memory-kv.ts';
import { contact, draftOf, here } from '../invitation-fixture.ts';
import { storePlan } from '../plan-fixture.ts';
import { stubSmsVendor } from './sms-fixture.ts';

const code = 'A'.repeat(22);

async function waiting(
  account: AccountId = crypto.randomUUID() as AccountId,
  zones: readonly string[] = [],
) {
  await storePlan(account);
  const invitee = new InviteeStorage(memoryKv().kv);
  const draft = draftOf(account);
  invitee.addInvitation(draft, { code, hash: 'h', version: 1 }, { ...contact, zones }, Date.now());
  const [text] = invitee.outbox.all();
  const log = vi.fn();
  return {
    invitee,
    log,
    state: () => invitee.invitation(draft.id, Date.now())?.state,
    send: (more = {}) => sendSms(invitee, text?.id ?? '', { ...env, ...more }, log),
    id: draft.id,
  };
}

test('send SMS: an SMS is sent once, and its code is deleted', async () => {
  const sms = stubSmsVendor();
  const { invitee, send, state, log } = await waiting();
  expect([await send(), await send()]).toEqual([true, true]);
  expect(sms.inbox(contact.e164)).toMatchObject([{ from: env.SMS_FROM }]);
  expect(sms.inbox(contact.e164)[0]?.body).toContain(`/i#${code}`);
  expect([state(), invitee.outbox.all()]).toEqual(['sent', []]);
  expect(log.mock.calls).toEqual([
    ['info', 'sms_processed', { type: 'invitation', state: 'sent' }],
  ]);
});

test('send SMS: an SMS that was not accepted is retried', async () => {
  const sms = stubSmsVendor();
  const { send, state } = await waiting();
  sms.nextFaults.push({ status: 429 });
  expect([await send(), state(), await send(), state()]).toEqual([false, 'drafted', true, 'sent']);
  expect(sms.inbox(contact.e164)).toHaveLength(1);
});

test.each([
  ['lost', 1],
  [{ status: 503 }, 0],
] as const)(
  'send SMS: after an ambiguous answer (%j) the SMS is searched for, and sent only if missing',
  async (kind, accepted) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const sms = stubSmsVendor();
    const { send, state } = await waiting();
    sms.nextFaults.push(kind);
    expect(await send()).toBe(false);
    expect(sms.inbox(contact.e164)).toHaveLength(accepted);
    expect([await send(), state()]).toEqual([false, 'drafted']);
    vi.setSystemTime(Date.now() + 10 * 60_000);
    expect([await send(), state()]).toEqual([true, 'sent']);
    expect(sms.inbox(contact.e164)).toHaveLength(1);
  },
);

test('send SMS: while the search fails nothing is sent again', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const sms = stubSmsVendor();
  const { send } = await waiting();
  sms.nextFaults.push('lost');
  await send();
  vi.setSystemTime(Date.now() + 10 * 60_000);
  sms.nextFaults.push({ status: 500 });
  expect(await send()).toBe(false);
  expect(sms.inbox(contact.e164)).toHaveLength(1);
});

test.each([
  [21211, 'drafted', false],
  [21610, 'blocked', true],
])('send SMS: after vendor error %i the invitation is %s', async (vendorCode, end, stopped) => {
  const sms = stubSmsVendor();
  const { invitee, send, state } = await waiting();
  sms.nextFaults.push({ status: 400, code: vendorCode });
  expect([await send(), state(), invitee.blocks.optedOut]).toEqual([true, end, stopped]);
});

test('send SMS: nothing is sent after an opt-out or for a suspended requester', async () => {
  const sms = stubSmsVendor();
  const stopped = await waiting();
  stopped.invitee.optOut(Date.now());
  expect(await stopped.send()).toBe(true);
  const suspended = await waiting('suspended' as AccountId);
  const account = 'suspended' as AccountId;
  await suspensionsOf(env, account).suspend(account);
  expect([await suspended.send(), suspended.state()]).toEqual([true, 'expired']);
  expect(sms.state.messages).toEqual([]);
});

const berlin = ['Europe/Berlin'];
const evening = Date.parse('2026-11-20T18:59:00Z');
const dayAgain = Date.parse('2026-11-21T08:00:00Z');

test.each(['refused', 'lost'] as const)(
  'send SMS: a retry at night (%s) waits for the morning',
  async (first) => {
    vi.useFakeTimers({ toFake: ['Date'], now: evening });
    const sms = stubSmsVendor();
    const { invitee, send, state, log } = await waiting(undefined, berlin);
    sms.nextFaults.push(first === 'lost' ? { status: 503 } : { status: 429 });
    expect(await send()).toBe(false);
    vi.setSystemTime(evening + 30 * 60_000);
    expect([await send(), state(), sms.state.messages]).toEqual([true, 'drafted', []]);
    expect(invitee.outbox.all()).toMatchObject([{ state: 'waiting', dueAt: dayAgain }]);
    expect(log).toHaveBeenLastCalledWith('info', 'sms_processed', {
      type: 'invitation',
      state: 'postponed',
    });
    vi.setSystemTime(dayAgain);
    expect([await send(), state()]).toEqual([true, 'sent']);
  },
);

test('send SMS: an SMS found at the vendor is not sent again in the morning', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: evening });
  const sms = stubSmsVendor();
  const { send, state } = await waiting(undefined, berlin);
  sms.nextFaults.push('lost');
  await send();
  vi.setSystemTime(evening + 30 * 60_000);
  expect([await send(), state()]).toEqual([true, 'sent']);
  expect(sms.state.messages).toHaveLength(1);
});

test('send SMS: a country switched off meanwhile gets nothing, and the requester cannot notice', async () => {
  const sms = stubSmsVendor();
  const { invitee, send, state, log, id } = await waiting();
  expect([await send({ SMS_COUNTRIES: '{}' }), state()]).toEqual([true, 'expired']);
  expect(sms.state.messages).toEqual([]);
  expect(invitee.invitation(id, Date.now())?.evidence.at(-1)?.by).toBe('country');
  expect(
    invitee.pendingOf((invitee.invitation(id, Date.now())?.account ?? '') as AccountId, Date.now())
      ?.id,
  ).toBe(id);
  expect(log).toHaveBeenLastCalledWith('warn', 'sms_processed', {
    type: 'invitation',
    state: 'dropped',
  });
});

test('send SMS: without a sender that accepts replies nothing is sent', async () => {
  const sms = stubSmsVendor();
  const { send, state } = await waiting();
  expect([await send({ SMS_FROM: 'Funnel' }), state()]).toEqual([false, 'drafted']);
  expect(sms.state.messages).toEqual([]);
});

test('send SMS: a reminder is sent even after its country was switched off', async () => {
  const sms = stubSmsVendor();
  const { invitee, id, log } = await waiting();
  for (const what of ['send', 'open'] as const) invitee.apply(id, what, 'invitee', Date.now());
  invitee.accept(id, here, Date.now());
  invitee.outbox.deleteFor(id);
  invitee.addReminder(id, code, 'h2', Date.now());
  const [text] = invitee.outbox.all();
  expect(await sendSms(invitee, text?.id ?? '', { ...env, SMS_COUNTRIES: '{}' }, log)).toBe(true);
  expect(sms.inbox(contact.e164)[0]?.body).toMatch(/noch sehen.*STOP/);
});

/** Somebody whose sharing, agreed to in an SMS, ended with the requester's plan. */
async function told(zones: readonly string[] = []) {
  const one = await waiting(undefined, zones);
  const { invitee, id } = one;
  const account = invitee.invitation(id, Date.now())?.account as AccountId;
  for (const what of ['send', 'open'] as const) invitee.apply(id, what, 'invitee', Date.now());
  invitee.accept(id, here, Date.now());
  invitee.outbox.deleteFor(id);
  invitee.endWithPlan(account, Date.now(), Date.now());
  const [text] = invitee.outbox.all();
  const send = () => sendSms(invitee, text?.id ?? '', env, one.log);
  return { ...one, account, send };
}

test('send SMS: the end of a plan is told once, also after another plan, and nothing of it stays', async () => {
  const sms = stubSmsVendor();
  const { invitee, send, account } = await told();
  await storePlan(account, null);
  expect([await send(), await send()]).toEqual([true, true]);
  expect(sms.inbox(contact.e164).map(({ body }) => body)).toEqual([
    expect.stringMatching(/: Ana kann den Ort, den du geteilt hast, nicht mehr sehen.*STOP$/),
  ]);
  expect(invitee.outbox.all()).toEqual([]);
});

test('send SMS: whoever opted out, or blocked the requester, is told nothing more', async () => {
  const sms = stubSmsVendor();
  const [stopped, blocked] = [await told(), await told()];
  stopped.invitee.optOut(Date.now());
  blocked.invitee.block(blocked.account, 'invitee', Date.now());
  for (const { invitee, send } of [stopped, blocked])
    expect([await send(), invitee.outbox.all()]).toEqual([true, []]);
  expect(sms.state.messages).toEqual([]);
});

test('send SMS: the end of a plan at night is told in the morning', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: evening + 30 * 60_000 });
  const sms = stubSmsVendor();
  const { invitee, send } = await told(berlin);
  expect(invitee.outbox.all()).toMatchObject([{ state: 'waiting', dueAt: dayAgain }]);
  expect([await send(), sms.state.messages]).toEqual([true, []]);
  vi.setSystemTime(dayAgain);
  expect([await send(), sms.inbox(contact.e164).length]).toEqual([true, 1]);
});
