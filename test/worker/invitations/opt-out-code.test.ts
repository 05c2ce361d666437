import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { phoneHash } from '../../../worker/invitations/invitation-index.ts';
import { OptOutCode } from '../../../worker/invitations/opt-out-code.ts';
import { pollTimeout } from '../../poll-timeout.ts';
import { memoryKv } from '../memory-kv.ts';
import { post, refusalOf } from '../request.ts';
import {
  captureLog,
  freshNumber,
  postInvitation,
  requester,
  stubSmsVendor,
} from './sms/sms-fixture.ts';

/** An invitation by link, and the SMS to its number. */
async function inviteByLink(more: object = {}) {
  const { headers } = await requester();
  const phone = freshNumber();
  const response = await postInvitation(headers, { via: 'link', phone, ...more });
  const { link = '' } = (await response.json()) as { link?: string };
  const code = link.split('#')[1] ?? '';
  const sms = stubSmsVendor();
  const inbox = () => sms.inbox(phone).map(({ body }) => body);
  return {
    phone,
    sms,
    inbox,
    /** Requests a code. @returns the status, and the code of a refusal */
    request: async (typed = phone) => {
      const reply = await post('/invitations/opt-out-code', { code, phone: typed });
      return reply.ok ? [reply.status] : (await refusalOf(reply)).slice(0, 2);
    },
    /** The digits in the newest SMS, once there are this many. */
    digits: async (texts = 1) => {
      await vi.waitFor(() => expect(inbox()).toHaveLength(texts), pollTimeout);
      return /\d{6}/.exec(inbox().at(-1) ?? '')?.[0] ?? '';
    },
    enter: (digits: string) => post('/invitations/opt-out', { code, digits }),
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

test('opt-out code: national numbers and Arabic digits are accepted', async () => {
  const { phone, request, digits, enter } = await inviteByLink();
  expect(await request(phone.replace('+49', '0'))).toEqual([202]);
  const texted = await digits();
  const arabic = texted.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)));
  expect((await enter(`${arabic.slice(0, 3)} ${arabic.slice(3)}`)).status).toBe(200);
});

test('opt-out code: another number gets no code', async () => {
  const { request, sms, isOpen } = await inviteByLink();
  expect(await request(freshNumber())).toEqual([422, 'number_not_invited']);
  expect(await request('not a number')).toEqual([422, 'number_not_invited']);
  expect([sms.state.messages, await isOpen()]).toEqual([[], true]);
});

test('opt-out code: five wrong attempts end a code, and an invitee gets at most five codes a day', async () => {
  const { request, digits, enter, isOpen } = await inviteByLink();
  await request();
  const texted = await digits();
  const wrong = texted === '000000' ? '000001' : '000000';
  for (const _ of [1, 2, 3, 4, 5]) {
    expect((await refusalOf(await enter(wrong))).slice(0, 2)).toEqual([422, 'opt_out_code_wrong']);
  }
  expect((await enter(texted)).status).toBe(422);
  for (const _ of [2, 3, 4, 5]) expect(await request()).toEqual([202]);
  expect(await request()).toEqual([429, 'opt_out_code_not_sent']);
  expect(await isOpen()).toBe(true);
});

test('opt-out code: works once, for ten minutes, and a new code replaces it', () => {
  const code = new OptOutCode(memoryKv().kv);
  expect(code.redeem('a', 0)).toBe(false);
  code.issue('a', 0);
  code.issue('b', 0);
  expect([code.redeem('a', 1), code.redeem('b', 1), code.redeem('b', 1)]).toEqual([
    false,
    true,
    false,
  ]);
  code.issue('c', 0);
  expect(code.redeem('c', 10 * 60_000)).toBe(false);
});

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
  expect((await refusalOf(await enter('123456'))).slice(0, 2)).toEqual([422, 'opt_out_code_wrong']);
  expect([await open(), sms.state.messages]).toEqual([before, []]);
});

test('opt-out code: an opt-out at the vendor counts, and the response does not reveal it', async () => {
  const { request, sms, isOpen } = await inviteByLink();
  sms.nextFaults.push({ status: 400, code: 21610 });
  expect(await request()).toEqual([202]);
  await vi.waitFor(async () => expect(await isOpen()).toBe(false), pollTimeout);
});

test('opt-out code: a country without SMS has no codes', async () => {
  const phone = `+3161${String(Date.now() % 10_000_000).padStart(7, '0')}`;
  const { request, sms } = await inviteByLink({ phone });
  expect([await request(phone), sms.state.messages]).toEqual([[429, 'opt_out_code_not_sent'], []]);
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
