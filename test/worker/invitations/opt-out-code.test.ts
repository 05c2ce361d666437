import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { phoneHash } from '../../../worker/invitations/invitation-index.ts';
import { OptOutCode } from '../../../worker/invitations/opt-out-code.ts';
import { suspensionsOf } from '../../../worker/invitations/sms/sms-limiter-object.ts';
import { hmacOf, permanentSecret } from '../../../worker/platform/hmac.ts';
import type { AccountId } from '../../../worker/platform/types.ts';
import { pollTimeout } from '../../poll-timeout.ts';
import { memoryKv } from '../memory-kv.ts';
import { post, refusalOf, statusAndCode } from '../request.ts';
import { sampled } from '../sampled.ts';
import { morning } from './invitation-fixture.ts';
import {
  captureLog,
  freshNumber,
  postInvitation,
  requester,
  stubSmsVendor,
} from './sms/sms-fixture.ts';

/** An invitation by link, and the SMS to its number. */
async function inviteByLink(
  { phone = freshNumber(), ...more }: { phone?: string } = {},
  sms = stubSmsVendor(),
) {
  vi.useFakeTimers({ toFake: ['Date'], now: morning });
  const { headers, id: account, email } = await requester();
  const response = await postInvitation(headers, { via: 'link', phone, ...more });
  const { link = '' } = (await response.json()) as { link?: string };
  const code = link.split('#')[1] ?? '';
  let name = '';
  const inbox = () => sms.inbox(phone).map(({ body }) => body);
  return {
    phone,
    sms,
    inbox,
    /** Requests a code. @returns the status, and the code of a refusal */
    request: async (typed = phone, from: Record<string, string> = {}) => {
      const reply = await post('/invitations/opt-out-code', { code, phone: typed }, from);
      if (!reply.ok) return await statusAndCode(reply);
      ({ request: name } = ((await reply.json()) as { data: { request: string } }).data);
      return [reply.status];
    },
    /** The page's name of its newest request. */
    named: () => name,
    /** Another requester invites the same number. */
    again: () => inviteByLink({ phone }, sms),
    account,
    email,
    block: (report: boolean) => post('/invitations/block', { code, report }),
    /** The digits in the newest SMS, once there are this many. */
    digits: async (texts = 1) => {
      await vi.waitFor(() => expect(inbox()).toHaveLength(texts), pollTimeout);
      return /\d{6}/.exec(inbox().at(-1) ?? '')?.[0] ?? '';
    },
    enter: (digits: string, from: Record<string, string> = {}, request?: string) =>
      post('/invitations/opt-out', { code, digits, request }, from),
    open: async () => (await post('/invitations/open', { code })).json(),
    /** Whether another account may still invite. */
    isOpen: async () => {
      const other = await requester();
      return (await postInvitation(other.headers, { via: 'link', phone })).status === 200;
    },
  };
}

test('opt-out code: the code in the SMS opts out of all invitations', async () => {
  const { request, digits, enter, inbox, isOpen } = await inviteByLink();
  expect(await request()).toEqual([202]);
  const texted = await digits();
  expect(inbox()[0]).toMatch(/Code.*STOP/);
  const answer = (await (await enter(texted)).json()) as { data: object };
  expect(answer.data).toMatchObject({ state: 'over', blocked: 'everyone' });
  expect(await isOpen()).toBe(false);
  expect((await enter(texted)).status).toBe(422);
});

test('opt-out code: a national number is accepted', async () => {
  const { phone, request } = await inviteByLink();
  expect(await request(phone.replace('+49', '0'))).toEqual([202]);
});

test('opt-out code: another number gets no code', async () => {
  const { request, sms, isOpen } = await inviteByLink();
  expect(await request(freshNumber())).toEqual([422, 'number_not_invited']);
  expect(await request('not a number')).toEqual([422, 'number_not_invited']);
  expect([sms.state.messages, await isOpen()]).toEqual([[], true]);
});

test('opt-out code: wrong digits count against their caller, and five end its tries', async () => {
  const { request, digits, enter } = await inviteByLink();
  await request();
  const texted = await digits();
  const wrong = texted === '000000' ? '000001' : '000000';
  const requester = { 'cf-connecting-ip': '2001:db8:1:2::3' };
  for (let count = 0; count < 5; count += 1)
    expect(await refusalOf(await enter(wrong, requester))).toContain('opt_out_code_wrong');
  // The right digits of the caller who guessed, also from another address of its /48.
  for (const ip of ['2001:db8:1:2::3', '2001:db8:1:ffff::1'])
    expect((await enter(texted, { 'cf-connecting-ip': ip })).status).toBe(422);
  expect((await enter(texted, { 'cf-connecting-ip': '192.0.2.7' })).status).toBe(200);
});

test('opt-out code: in the requester’s own network the page that asked for the code has its own tries', async () => {
  const { request, named, digits, enter } = await inviteByLink();
  await request();
  const texted = await digits();
  const wrong = texted === '000000' ? '000001' : '000000';
  for (let count = 0; count < 9; count += 1) await enter(wrong);
  expect((await enter(texted)).status).toBe(422);
  expect((await enter(texted, {}, named())).status).toBe(200);
});

/** Who asks, in turn: by whose link, from which network; and how many SMS the number has then. */
const floods: [string, string, number[]][] = [
  ['one network, one link', '01 01 01 01', [1, 2, 3, 3]],
  ['many networks, one link', '01 02 03 04 05', [1, 2, 3, 3, 3]],
  ['one network, two links', '01 11 01 11', [1, 2, 3, 3]],
  ['many networks, two links', '01 02 13 14 05 16 07', [1, 2, 3, 4, 5, 5, 5]],
  ['one caller, then another link from another network', '01 01 01 12', [1, 2, 3, 4]],
];

test.each(sampled(floods, 3))(
  'opt-out code: %s: whoever uses up the codes has texted valid ones to the owner',
  async (_who, callers, counts) => {
    const invited = await inviteByLink();
    const links = [invited, await invited.again()];
    // Wrong numbers count for nothing.
    for (let count = 0; count < 9; count += 1)
      expect(await invited.request(freshNumber())).toEqual([422, 'number_not_invited']);
    const texts: number[] = [];
    for (const [link, network] of callers.split(' ').map((caller) => [...caller].map(Number))) {
      const from = { 'cf-connecting-ip': `192.0.2.${network}` };
      expect(await links[link ?? 0]?.request(undefined, from)).toEqual([202]);
      const expected = counts[texts.length] ?? 0;
      await vi.waitFor(() => expect(invited.inbox()).toHaveLength(expected), pollTimeout);
      texts.push(expected);
    }
    const owner = { 'cf-connecting-ip': '198.51.100.7' };
    vi.setSystemTime(morning + 23 * 60 * 60_000);
    expect((await invited.enter(await invited.digits(counts.at(-1)), owner)).status).toBe(200);
    expect(await invited.isOpen()).toBe(false);
  },
);

test('opt-out code: the link of a blocked requester uses up no codes of the owner', async () => {
  const invited = await inviteByLink();
  const other = await invited.again();
  await invited.block(false);
  for (let count = 1; count <= 9; count += 1)
    expect(await invited.request(undefined, { 'cf-connecting-ip': `192.0.2.${count}` })).toEqual([
      202,
    ]);
  expect(invited.inbox()).toEqual([]);
  expect(await other.request(undefined, { 'cf-connecting-ip': '192.0.2.1' })).toEqual([202]);
  expect((await other.enter(await invited.digits())).status).toBe(200);
});

test('opt-out code: works once, for a day, and a newer one does not end it', () => {
  const { kv, values } = memoryKv();
  const code = new OptOutCode(kv);
  const redeem = (hash: string, now: number, request: string | null = null) =>
    code.redeem(hash, { request, network: 'n' }, now);
  expect(redeem('a', 0)).toBe(false);
  const from = { network: 'n', account: 'a' as AccountId };
  code.issue({ hash: 'a', request: 'first', ...from }, 0);
  code.issue({ hash: 'b', request: 'second', ...from }, 0);
  expect([redeem('a', 1), redeem('a', 1), redeem('b', 1)]).toEqual([true, false, false]);
  const day = 24 * 60 * 60_000;
  code.issue({ hash: 'c', request: 'third', ...from }, 0);
  expect(redeem('c', day)).toBe(false);
  expect(values.has('opt-out-tries')).toBe(false);
  code.issue({ hash: 'd', request: 'fourth', ...from }, 0);
  expect(redeem('d', day - 1)).toBe(true);
});

test('opt-out code: many networks cannot fill the storage, or lock out the page that asked', () => {
  const { kv, values } = memoryKv();
  const code = new OptOutCode(kv);
  code.issue({ hash: 'a', request: 'page', network: 'n', account: 'a' as AccountId }, 0);
  for (let count = 0; count < 1500; count += 1)
    code.redeem('wrong', { request: `made up ${count}`, network: `network ${count}` }, 1);
  expect(Object.keys(values.get('opt-out-tries') as object)).toHaveLength(1000);
  expect(code.redeem('a', { request: null, network: 'one more' }, 1)).toBe(false);
  expect(code.redeem('a', { request: 'page', network: 'network 1' }, 1)).toBe(true);
});

/** Numbers that no invitation is texted to, by the reason. */
test.each([
  ['a landline', '+49 30 901820', 'number_not_mobile'],
  ['a toll-free number', '+49 800 1234567', 'number_not_mobile'],
  ['a premium number', '+49 900 1234567', 'number_not_mobile'],
  ['a country without SMS', '+33 6 12 34 56 78', 'opt_out_code_not_sent'],
])('opt-out code: %s gets no SMS', async (_what, phone, refusal) => {
  const { request, sms } = await inviteByLink({ phone });
  expect((await request(phone))[1]).toBe(refusal);
  expect(sms.state.messages).toEqual([]);
});

test('opt-out code: at night nothing is sent or counted', async () => {
  const { request, sms } = await inviteByLink();
  vi.useFakeTimers({ toFake: ['Date'], now: morning + 12 * 60 * 60_000 });
  for (let count = 0; count < 9; count += 1)
    expect(await request()).toEqual([409, 'opt_out_code_at_night']);
  expect(sms.state.messages).toEqual([]);
  vi.setSystemTime(morning + 24 * 60 * 60_000);
  expect(await request()).toEqual([202]);
});

test('opt-out code: the link of a blocked requester sends nothing, and does not reveal the block', async () => {
  const { request, sms, block } = await inviteByLink();
  await block(false);
  expect([await request(), sms.state.messages]).toEqual([[202], []]);
});

test.each(['account', 'mailbox'])(
  'opt-out code: the link of a requester with a suspended %s sends nothing',
  async (what) => {
    const { request, sms, account, email } = await inviteByLink();
    const mailbox = await hmacOf(permanentSecret(env), 'mailbox', email);
    const suspended = what === 'account' ? account : mailbox;
    await suspensionsOf(env, suspended).suspend(suspended);
    expect([await request(), sms.state.messages]).toEqual([[429, 'opt_out_code_not_sent'], []]);
  },
);

test('opt-out code: the code of another invitee is wrong', async () => {
  const [one, other] = [await inviteByLink(), await inviteByLink()];
  await other.request();
  expect((await one.enter(await other.digits())).status).toBe(422);
});

test('opt-out code: after STOP the response is the same, and no SMS is sent', async () => {
  const { phone, request, sms, enter, open } = await inviteByLink();
  const before = await open();
  await env.INVITATIONS.getByName(await phoneHash(env, phone)).optOut();
  expect(await request()).toEqual([202]);
  expect(await statusAndCode(enter('123456'))).toEqual([422, 'opt_out_code_wrong']);
  expect([await open(), sms.state.messages]).toEqual([before, []]);
});

test('opt-out code: an opt-out at the vendor counts, and the response does not reveal it', async () => {
  const { request, sms, isOpen } = await inviteByLink();
  sms.nextFaults.push({ status: 400, code: 21610 });
  expect(await request()).toEqual([202]);
  await vi.waitFor(async () => expect(await isOpen()).toBe(false), pollTimeout);
});

test('opt-out code: no log line holds the number or the code', async () => {
  const { phone, request, digits, sms } = await inviteByLink();
  const lines = captureLog();
  sms.nextFaults.push({ status: 429 });
  await request();
  await request();
  const texted = await digits();
  expect(lines().join()).toContain('opt_out_code');
  expect(lines().join()).not.toMatch(new RegExp(`${phone.slice(3)}|"[^"]*\\b${texted}\\b`));
});
