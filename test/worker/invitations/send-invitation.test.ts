import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { codeHash } from '../../../worker/accounts/one-time-codes.ts';
import { findInviteeByCode } from '../../../worker/invitations/invitation-index.ts';
import { InviteeStorage } from '../../../worker/invitations/invitee-storage.ts';
import type { StatusReport } from '../../../worker/invitations/rules/sms-delivery.ts';
import { sendInvitation } from '../../../worker/invitations/send-invitation.ts';
import type { Env } from '../../../worker/platform/env.ts';
import type { InvitationId } from '../../../worker/platform/types.ts';
import { memoryKv } from '../memory-kv.ts';
import { here } from './invitation-fixture.ts';
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
      const bySms = first === 'link' ? 'invitation_linked' : false;
      const repeated = again === 'sms' ? bySms : first === 'link' || 'invitation_texted';
      expect([...results, invitee.invitations(Date.now()).length]).toEqual([
        first === 'link',
        repeated,
        repeated,
        1,
      ]);
      const [one] = invitee.invitations(Date.now());
      expect(one && invitee.codes.count(one.id)).toBe(first === 'link' && again === 'link' ? 3 : 1);
    }
  },
);

type Report = Partial<StatusReport> | null;
const week = 7 * 24 * 60 * 60_000;
const undeliverable: Report[] = [
  { status: 'failed', code: 21614 },
  { status: 'undelivered', code: 30005 },
  { status: 'undelivered', code: 30006 },
];
const texted = ['same', 'invitation_texted', 'invitation_texted'];
const unreachable = ['number_not_mobile', 'link', 'number_not_mobile'];
const anew = ['new', 'link', 'link'];
const refusedForGood = ['number_unavailable', 'number_unavailable', 'number_unavailable'];

type Later = (invitee: InviteeStorage, id: InvitationId) => unknown;
const accepts: Later = (invitee, id) => {
  for (const act of ['send', 'open'] as const) invitee.apply(id, act, 'invitee', Date.now());
  invitee.accept(id, here, Date.now());
};
const laters: Record<string, Later> = {
  '': () => {},
  'and accepted': accepts,
  'and refused': (invitee, id) => invitee.end(id, 'invitee', Date.now()),
  'and ended by the requester': (invitee, id) => invitee.cancel(id, Date.now()),
  'and over': () => vi.setSystemTime(Date.now() + week),
};

/** The SMS, what happened later, and the answer to a request by SMS, by link for a day, by link until stopped. */
const smsStates: [string, Report[] | 'waits', string, string[]][] = [
  ['waits', 'waits', '', texted],
  ['was sent', [null], '', texted],
  ['was delivered', [{ status: 'delivered' }], '', texted],
  // A block at the carrier looks the same, and a link would reveal it.
  ['failed at a phone that is off', [{ status: 'undelivered', code: 30003 }], '', texted],
  ['was blocked', [{ status: 'undelivered', code: 30004 }], '', texted],
  ['was undeliverable', undeliverable, '', unreachable],
  ['was undeliverable', undeliverable, 'and accepted', texted],
  ['was undeliverable', undeliverable, 'and refused', unreachable],
  ['was undeliverable', undeliverable, 'and ended by the requester', anew],
  ['was undeliverable', undeliverable, 'and over', anew],
  ['was sent', [null], 'and ended by the requester', refusedForGood],
  ['was sent', [null], 'and over', refusedForGood],
  ['waits', 'waits', 'and ended by the requester', anew],
];

test.each(smsStates)(
  'send invitation: an SMS that %s (%j) %s: a request by SMS, and by link',
  async (_state, reports, later, answers) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const asked = [
      { via: 'sms', duration: 'day' },
      { via: 'link', duration: 'day' },
      { via: 'link', duration: 'until_stopped' },
    ] as const;
    for (const report of reports === 'waits' ? [null] : reports)
      for (const [index, again] of asked.entries()) {
        const invitee = emptyStorage();
        const { request } = await newInvitee({ duration: 'until_stopped' });
        const first = await sendInvitation(invitee, request, env);
        if (first.kind === 'refused') throw new Error(first.refusal);
        const [sms] = invitee.outbox.all();
        if (reports !== 'waits' && sms) {
          invitee.deliveries.add(sms, Date.now());
          invitee.outbox.delete(sms.id);
          if (report?.status !== 'failed') invitee.apply(first.id, 'send', 'vendor', Date.now());
          if (report)
            invitee.deliveries.record(sms.id, { sid: 's', status: 'sent', code: null, ...report });
        }
        laters[later]?.(invitee, first.id);
        const result = await sendInvitation(invitee, { ...request, ...again }, env);
        const same = result.kind === 'invited' && result.id === first.id ? 'same' : 'new';
        const answer = result.kind === 'refused' ? result.refusal : result.code ? 'link' : same;
        expect([report, again, answer]).toEqual([report, again, answers[index]]);
      }
  },
);

test('send invitation: a link instead of an undeliverable SMS is an invitation by link, for as long as its own message says', async () => {
  for (const [before, duration, ofSms] of [
    ['until_stopped', 'day', 'day'],
    ['hour', 'day', 'hour'],
  ] as const) {
    const invitee = emptyStorage();
    const { request } = await newInvitee({ duration: before });
    await sendInvitation(invitee, request, env);
    const [sms] = invitee.outbox.all();
    if (!sms) throw new Error('no SMS');
    invitee.deliveries.add(sms, Date.now());
    const failed = { sid: null, status: 'failed', code: 21614 } as const;
    invitee.deliveries.record(sms.id, failed);
    const link = { ...request, via: 'link', duration } as const;
    const result = await sendInvitation(invitee, link, env);
    const hash = await codeHash((result.kind === 'invited' && result.code) || '');
    const changed = { via: 'link', state: 'sent', sendsAt: null };
    expect(invitee.byCode(hash, Date.now())).toMatchObject({ ...changed, duration });
    expect(invitee.invitations(Date.now())).toMatchObject([{ ...changed, duration: ofSms }]);
    // A late report of the SMS changes nothing.
    invitee.deliveries.record(sms.id, failed);
    expect((await sendInvitation(invitee, link, env)).kind).toBe('invited');
    expect(invitee.invitations(Date.now())).toHaveLength(1);
  }
});

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
  expect(invitee.byCode(await codeHash(first.code ?? ''), Date.now())?.id).toBe(first.id);
});

test('send invitation: with D1 down nothing is created or counted, and it is logged', async () => {
  const written = vi.spyOn(console, 'error').mockReturnValue();
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
  expect(written).toHaveBeenCalledTimes(9);
  expect(JSON.parse(written.mock.calls[0]?.[0])).toMatchObject({
    event: 'invitation_failed',
    account: request.account,
    reason: 'Error',
  });
  expect(invitee.invitations(Date.now())).toEqual([]);
  expect(await sendInvitation(invitee, request, env)).toMatchObject({ code: null });
});

test('send invitation: an opt-out during the request wins, and nothing is counted', async () => {
  const invitee = emptyStorage();
  const { request } = await newInvitee();
  const cancel = vi.fn(async () => {});
  const SMS_LIMITER = {
    getByName: () => ({
      isSuspended: async () => false,
      reserve: async () => {
        invitee.optOut(Date.now());
        return null;
      },
      cancel,
    }),
  };
  const more = { ...env, SMS_LIMITER } as unknown as Env;
  expect(await sendInvitation(invitee, request, more)).toEqual({
    kind: 'refused',
    refusal: 'number_unavailable',
  });
  expect(invitee.outbox.all()).toEqual([]);
  expect(cancel).toHaveBeenCalledTimes(1);
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
  expect(text).toEqual({ kind: 'refused', refusal: 'invitation_linked' });
  expect(link).toEqual({ kind: 'invited', id, code: expect.stringMatching(/^[\w-]{22}$/) });
});
