import { env } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import { InviteeStorage } from '../../../../worker/invitations/invitee-storage.ts';
import { sendSms } from '../../../../worker/invitations/sms/send-sms.ts';
import { smsLimiterOf } from '../../../../worker/invitations/sms/sms-limiter-object.ts';
import { memoryKv } from '../../memory-kv.ts';
import { contact, here, question } from '../invitation-fixture.ts';
import { listen, openSms } from './sms-fixture.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const code = 'A'.repeat(22);

/** A person who is to get a text. */
function waiting(account: string = crypto.randomUUID(), zones: readonly string[] = []) {
  const person = new InviteeStorage(memoryKv().kv);
  const asked = question(account);
  person.ask(asked, { code, hash: 'h', version: 1 }, { ...contact, zones }, Date.now());
  const [text] = person.texts.all();
  const log = vi.fn();
  return {
    person,
    log,
    state: () => person.invitation(asked.id, Date.now())?.state,
    send: (more = {}) => sendSms(person, text?.id ?? '', { ...env, ...more }, log),
    id: asked.id,
  };
}

test('a text is sent once, and its code is kept no longer', async () => {
  const sms = openSms();
  const { person, send, state, log } = waiting();
  expect([await send(), await send()]).toEqual([true, true]);
  expect(sms.inbox(contact.e164)).toMatchObject([{ from: env.TEXT_FROM }]);
  expect(sms.inbox(contact.e164)[0]?.body).toContain(`/i#${code}`);
  expect([state(), person.texts.all()]).toEqual(['sent', []]);
  expect(log.mock.calls).toEqual([['info', 'text', { key: 'invitation', state: 'sent' }]]);
});

test('a text that was not taken is sent later', async () => {
  const sms = openSms();
  const { send, state } = waiting();
  sms.trouble.push({ status: 429 });
  expect([await send(), state(), await send(), state()]).toEqual([false, 'drafted', true, 'sent']);
  expect(sms.inbox(contact.e164)).toHaveLength(1);
});

test.each([
  ['lost', 1],
  [{ status: 503 }, 0],
] as const)(
  'after an unclear answer (%j) it is looked for, and sent only if it is not there',
  async (kind, taken) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const sms = openSms();
    const { send, state } = waiting();
    sms.trouble.push(kind);
    expect(await send()).toBe(false);
    expect(sms.inbox(contact.e164)).toHaveLength(taken);
    expect([await send(), state()]).toEqual([false, 'drafted']);
    vi.setSystemTime(Date.now() + 10 * 60_000);
    expect([await send(), state()]).toEqual([true, 'sent']);
    expect(sms.inbox(contact.e164)).toHaveLength(1);
  },
);

test('a vendor that cannot say whether it took a text gets no second one', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const sms = openSms();
  const { send } = waiting();
  sms.trouble.push('lost');
  await send();
  vi.setSystemTime(Date.now() + 10 * 60_000);
  sms.trouble.push({ status: 500 });
  expect(await send()).toBe(false);
  expect(sms.inbox(contact.e164)).toHaveLength(1);
});

test.each([
  [21211, 'expired', false],
  [21610, 'blocked', true],
])('where the vendor says %i it ends: %s', async (vendorCode, end, stopped) => {
  const sms = openSms();
  const { person, send, state } = waiting();
  sms.trouble.push({ status: 400, code: vendorCode });
  expect([await send(), state(), person.stopped]).toEqual([true, end, stopped]);
});

test('nothing goes out to who said no meanwhile, nor for who was reported', async () => {
  const sms = openSms();
  const stopped = waiting();
  stopped.person.stopAll(Date.now());
  expect(await stopped.send()).toBe(true);
  const held = waiting('held');
  await smsLimiterOf(env).hold('held');
  expect([await held.send(), held.state()]).toEqual([true, 'expired']);
  expect(sms.state.messages).toEqual([]);
});

const berlin = ['Europe/Berlin'];
const evening = Date.parse('2026-11-20T18:59:00Z');
const dayAgain = Date.parse('2026-11-21T08:00:00Z');

test.each(['refused', 'lost'] as const)(
  'a text that comes again in the night (%s) waits for the day',
  async (first) => {
    vi.useFakeTimers({ toFake: ['Date'], now: evening });
    const sms = openSms();
    const { person, send, state, log } = waiting(undefined, berlin);
    sms.trouble.push(first === 'lost' ? { status: 503 } : { status: 429 });
    expect(await send()).toBe(false);
    vi.setSystemTime(evening + 30 * 60_000);
    expect([await send(), state(), sms.state.messages]).toEqual([true, 'drafted', []]);
    expect(person.texts.all()).toMatchObject([{ state: 'waiting', dueAt: dayAgain }]);
    expect(log).toHaveBeenLastCalledWith('info', 'text', { key: 'invitation', state: 'postponed' });
    vi.setSystemTime(dayAgain);
    expect([await send(), state()]).toEqual([true, 'sent']);
  },
);

test('a text that was taken in time is not sent a second time in the morning', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: evening });
  const sms = openSms();
  const { send, state } = waiting(undefined, berlin);
  sms.trouble.push('lost');
  await send();
  vi.setSystemTime(evening + 30 * 60_000);
  expect([await send(), state()]).toEqual([true, 'sent']);
  expect(sms.state.messages).toHaveLength(1);
});

test('a country that was switched off meanwhile gets nothing, and who asked reads nothing of it', async () => {
  const sms = openSms();
  const { person, send, state, log, id } = waiting();
  expect([await send({ TEXT_COUNTRIES: '{}' }), state()]).toEqual([true, 'expired']);
  expect(sms.state.messages).toEqual([]);
  expect(person.invitation(id, Date.now())?.evidence.at(-1)?.by).toBe('country');
  expect(person.pendingOf(person.invitation(id, Date.now())?.account ?? '', Date.now())?.id).toBe(
    id,
  );
  expect(log).toHaveBeenLastCalledWith('warn', 'text', { key: 'invitation', state: 'dropped' });
});

test('without a number that can be answered nothing goes out', async () => {
  const sms = openSms();
  const { send, state } = waiting();
  expect([await send({ TEXT_FROM: 'Funnel' }), state()]).toEqual([false, 'drafted']);
  expect(sms.state.messages).toEqual([]);
});

test('a reminder goes out while it is shared, whatever its country is by now', async () => {
  const sms = openSms();
  const { person, id, log } = waiting();
  for (const what of ['send', 'open'] as const) person.act(id, what, 'person', Date.now());
  person.accept(id, here, Date.now());
  person.texts.dropFor(id);
  person.remind(id, code, 'h2', Date.now());
  const [text] = person.texts.all();
  const more = { ...env, TEXT_COUNTRIES: '{}' };
  expect(await sendSms(person, text?.id ?? '', more, log)).toBe(true);
  expect(sms.inbox(contact.e164)[0]?.body).toMatch(/sieht noch .*STOP/);
});

test('no line of log holds the number, the name or the code', async () => {
  const lines = listen();
  const sms = openSms();
  const { send, log } = waiting();
  sms.trouble.push({ status: 429 }, { status: 400, code: 21408 });
  for (const _ of [1, 2, 3]) await send();
  expect(log).toHaveBeenCalledTimes(3);
  const said = JSON.stringify([lines(), log.mock.calls, sms.urls]);
  for (const secret of ['15123456789', code, 'Ana', 'twilio_fake'])
    expect(said).not.toContain(secret);
});
