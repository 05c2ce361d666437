import { env, runInDurableObject } from 'cloudflare:test';
import { beforeEach, expect, test, vi } from 'vitest';
import { accessToken } from '../../../worker/accounts/access-token.ts';
import { createCode } from '../../../worker/accounts/one-time-codes.ts';
import { listInvitationEntries } from '../../../worker/invitations/invitation-index.ts';
import type { Invitee } from '../../../worker/invitations/invitee-object.ts';
import type { RequesterView } from '../../../worker/invitations/rules/invitation-view.ts';
import type { AccountId } from '../../../worker/platform/types.ts';
import { pollTimeout } from '../../poll-timeout.ts';
import { newAccount, verify } from '../accounts/account-fixture.ts';
import { browserCookies } from '../accounts/browser.ts';
import { operate } from '../payments/webhooks/admin-client.ts';
import { post, refusalOf, request, statusAndCode } from '../request.ts';
import { sampled } from '../sampled.ts';
import { here, morning } from './invitation-fixture.ts';
import { storePlan } from './plan-fixture.ts';
import { freshNumber, postInvitation, stubSmsVendor } from './sms/sms-fixture.ts';

beforeEach(() => {
  // Ten in the morning in Berlin.
  vi.useFakeTimers({ toFake: ['Date'], now: morning });
});

/** A paid account whose mailbox nobody has proven, in the browser that opened it. */
async function unconfirmed(own = browserCookies(), email?: string, phone = freshNumber()) {
  const account = await newAccount(email);
  await env.DB.prepare('UPDATE accounts SET visitor_id = ?2 WHERE id = ?1')
    .bind(account.id, own.uuid)
    .run();
  await storePlan(account.id);
  const headers = { ...account.headers, cookie: own.cookie };
  const invite = (via: 'sms' | 'link', more: object = {}) =>
    postInvitation(headers, { phone, via, ...more });
  return { id: account.id, email: account.email, own, headers, phone, invite };
}
type Requester = Awaited<ReturnType<typeof unconfirmed>>;

async function list(id: AccountId, epoch = 0): Promise<RequesterView[]> {
  const headers = { authorization: `Bearer ${await accessToken(env, { account: id, epoch })}` };
  const response = await request('/api/v1/users/me/invitations', { headers });
  return ((await response.json()) as { data: RequesterView[] }).data;
}

/** Opens the e-mailed link in a browser. */
async function confirmIn({ cookie }: { cookie: string }, id: AccountId): Promise<void> {
  const terms = { account: id, epoch: 0, purpose: 'sign_in', lifetimeMs: 1000 } as const;
  const code = await createCode(env.DB, terms, Date.now());
  expect((await post('/sign-in-link/open', { code }, { cookie })).status).toBe(200);
}

const linkOf = async (response: Response) => {
  expect(response.status).toBe(200);
  const answer = (await response.json()) as { link: string; sms: string; qr_code?: string };
  return { ...answer, code: answer.link.split('#')[1] ?? '' };
};

async function accept(code: string): Promise<number> {
  await post('/invitations/open', { code });
  return (await post('/invitations/accept', { code, position: here })).status;
}

test('unconfirmed requester: makes a link and a message for the own phone; we text nobody', async () => {
  const { id, phone, invite } = await unconfirmed();
  const { link, sms, qr_code } = await linkOf(await invite('link', { qr: true }));
  expect(qr_code).toMatch(/^<svg/);
  const [address, body = ''] = sms.split('?&body=');
  expect(address).toBe(`sms:${phone}`);
  expect(decodeURIComponent(body).endsWith(link)).toBe(true);
  expect(body).not.toContain('STOP');
  const [entry] = await listInvitationEntries(env.DB, id, Date.now());
  await runInDurableObject(
    env.INVITATIONS.getByName(entry?.inviteeKey ?? ''),
    (_object: Invitee, { storage }) => {
      expect([...storage.kv.list({ prefix: 'sms:' })]).toEqual([]);
    },
  );
});

/** What was sent before, the way that is chosen now, and the answer: before and after the confirmation. */
const nextWays: [string, ('sms' | 'link')[], 'sms' | 'link', string | number, string | number][] = [
  ['nothing', [], 'sms', 202, 200],
  ['nothing', [], 'link', 200, 200],
  ['a link', ['link'], 'link', 200, 200],
  ['a link', ['link'], 'sms', 202, 'invitation_linked'],
  ['a kept message', ['sms'], 'sms', 202, 200],
  // The kept message was sent by the confirmation, and only that SMS has its link.
  ['a kept message', ['sms'], 'link', 200, 'invitation_texted'],
];

test.each(sampled(nextWays, 2, 1))(
  'unconfirmed requester: after %s (%j), %s answers %s, and %s once confirmed',
  async (_what, before, way, first, then) => {
    for (const isConfirmed of [false, true]) {
      const one = await unconfirmed();
      for (const via of before) expect((await one.invite(via)).ok).toBe(true);
      if (isConfirmed) await confirmIn(one.own, one.id);
      const token = await accessToken(env, { account: one.id, epoch: isConfirmed ? 1 : 0 });
      const headers = { authorization: `Bearer ${token}`, cookie: one.own.cookie };
      const response = await postInvitation(headers, { phone: one.phone, via: way });
      const expected = isConfirmed ? then : first;
      if (typeof expected === 'number') expect(response.status).toBe(expected);
      else expect(await refusalOf(response)).toContain(expected);
    }
  },
);

test('unconfirmed requester: a yes is shown, and where they are only after the confirmation in this browser', async () => {
  const { id, own, invite } = await unconfirmed();
  expect(await accept((await linkOf(await invite('link'))).code)).toBe(200);
  expect(await list(id)).toMatchObject([
    { state: 'accepted', position: null, refusal: 'email_unverified' },
  ]);
  await confirmIn(own, id);
  expect(await list(id, 1)).toMatchObject([
    { state: 'accepted', position: { latitude: expect.any(Number) }, refusal: null },
  ]);
});

test('unconfirmed requester: whoever proves the mailbox in another browser sees nothing, and sharing ends', async () => {
  const one = await unconfirmed();
  const { code } = await linkOf(await one.invite('link'));
  await accept(code);
  const asked = await unconfirmed();
  const { code: unanswered } = await linkOf(await asked.invite('link'));
  for (const { id } of [one, asked]) await confirmIn(browserCookies(), id);
  for (const { id } of [one, asked])
    expect(await list(id, 1)).toMatchObject([{ state: 'not_shared', position: null }]);
  const opened = await (await post('/invitations/open', { code })).json();
  expect(opened).toMatchObject({ data: { state: 'over', shared: null } });
  expect(await accept(unanswered)).not.toBe(200);
});

test('unconfirmed requester: may not ask for 30 days, whose reminders are SMS, nor without a known browser', async () => {
  const { headers, invite } = await unconfirmed();
  const refused = [403, 'email_unverified'];
  expect(await statusAndCode(invite('link', { duration: 'until_stopped' }))).toEqual(refused);
  const { authorization } = headers;
  expect(await statusAndCode(postInvitation({ authorization }, { via: 'link' }))).toEqual(refused);
});

test('unconfirmed requester: cannot answer their own link, and asks five people at most', async () => {
  const { headers, own, invite } = await unconfirmed();
  const { code } = await linkOf(await invite('link'));
  const opened = await post('/invitations/open', { code }, { cookie: own.cookie });
  expect(await refusalOf(opened)).toContain('own_invitation');
  const statuses = [];
  for (let count = 0; count < 5; count += 1)
    statuses.push((await postInvitation(headers, { via: 'link' })).status);
  expect(statuses).toEqual([200, 200, 200, 200, 429]);
});

/** Another spelling of the same mailbox. */
const alias = (email: string, tag = 'again') => email.replace('@', `+${tag}@`);

const answers = {
  nothing: [],
  acceptance: [['accept', { position: here }]],
  refusal: [['decline', {}]],
  block: [['block', { report: false }]],
  report: [['block', { report: true }]],
  'refusal and report': [
    ['decline', {}],
    ['block', { report: true }],
  ],
} as const;
type Answer = keyof typeof answers;

async function answer(code: string, name: Answer): Promise<void> {
  await post('/invitations/open', { code });
  for (const [action, more] of answers[name])
    expect((await post(`/invitations/${action}`, { code, ...more })).status).toBe(200);
}

const reported = async ({ invite }: Requester) =>
  answer((await linkOf(await invite('link'))).code, 'report');

/** The same mailbox in a browser of its own, proven. */
async function proven(email: string, phone?: string, own = browserCookies()) {
  const one = await unconfirmed(own, email, phone);
  await verify(one.id);
  return one;
}

/** What the mailbox's first account got for an answer, and what its next one sees once confirmed. */
const earlierAnswers: [Answer | 'another mailbox’s refusal', string][] = [
  ['refusal', 'not_shared'],
  ['block', 'not_shared'],
  ['report', 'not_shared'],
  ['nothing', 'not_shared'],
  ['another mailbox’s refusal', 'accepted'],
];

test.each(sampled(earlierAnswers, 2))(
  'unconfirmed requester: after %s to the mailbox’s other account, the confirmation shows %s',
  async (name, state) => {
    const isOther = name === 'another mailbox’s refusal';
    const first = await unconfirmed();
    await verify(first.id);
    const { code } = await linkOf(await first.invite('link'));
    await answer(code, isOther ? 'refusal' : name);
    const email = isOther ? undefined : alias(first.email);
    const again = await unconfirmed(browserCookies(), email, first.phone);
    // The same as for everybody, because anybody may have typed the address.
    expect(await accept((await linkOf(await again.invite('link'))).code)).toBe(200);
    expect(await list(again.id)).toMatchObject([{ state: 'accepted', position: null }]);
    await confirmIn(again.own, again.id);
    const position = state === 'accepted' ? { latitude: expect.any(Number) } : null;
    expect(await list(again.id, 1)).toMatchObject([{ state, position }]);
  },
);

/** The answer before the confirmation, and what the mailbox's next account gets for the same and another number. */
const answersBefore: [Answer, string | null, string | null][] = [
  ['refusal', 'number_unavailable', null],
  ['block', 'number_unavailable', null],
  ['report', 'invitations_paused', 'invitations_paused'],
  ['refusal and report', 'invitations_paused', 'invitations_paused'],
];

test.each(sampled(answersBefore, 3))(
  'unconfirmed requester: a %s before the confirmation holds for the mailbox afterwards',
  async (name, forSame, forOther) => {
    const one = await unconfirmed();
    await answer((await linkOf(await one.invite('link'))).code, name);
    await confirmIn(one.own, one.id);
    await list(one.id, 1);
    for (const [phone, refusal] of [
      [one.phone, forSame],
      [freshNumber(), forOther],
    ] as const) {
      const { invite } = await proven(alias(one.email, phone.slice(-4)), phone);
      const response = await invite('link');
      if (refusal) expect(await refusalOf(response)).toContain(refusal);
      else expect(response.status).toBe(200);
    }
  },
);

/**
 * Who proves the mailbox of an account that asked by link, and when the invitee reports. What then may invite: the account
 * in the browser that proved it, the mailbox's next account, the browser that asked, and the mailbox that starts over.
 */
const suspensions = [
  ['nobody', 'afterwards', { account: false, mailbox: true, asker: false }],
  [
    'the same browser, before it asks',
    'afterwards',
    { account: false, mailbox: false, asker: false },
  ],
  ['the same browser', 'before', { account: false, mailbox: false, asker: false }],
  ['the same browser', 'afterwards', { account: false, mailbox: false, asker: false }],
  // Whoever was reported could otherwise go on. The owner of an address that a stranger typed has nothing in there.
  ['another browser', 'before', { account: false, mailbox: true, asker: false, again: true }],
  // The account is in use by its owner, whom the link of a stranger cannot suspend.
  ['another browser', 'afterwards', { account: true, mailbox: true, asker: false }],
] as const;

/** Of several requests at most one a person is counted. */
const mayInvite = async (headers: Record<string, string>) => {
  const response = await postInvitation(headers, { via: 'link' });
  if (response.ok) return true;
  expect(await refusalOf(response)).toContain('invitations_paused');
  return false;
};

test.each(sampled(suspensions, 2, 1))(
  'report of a link: %s proves the mailbox, and a report %s lets invite %j; an operator releases all',
  async (who, when, expected) => {
    const one = await unconfirmed();
    const early = who === 'the same browser, before it asks';
    if (early) await confirmIn(one.own, one.id);
    const epoch = who === 'nobody' ? 0 : 1;
    const token = await accessToken(env, { account: one.id, epoch });
    const authorization = `Bearer ${token}`;
    const asker = { authorization: early ? authorization : one.headers.authorization };
    const asked = { ...asker, cookie: one.own.cookie };
    const { code } = await linkOf(await postInvitation(asked, { via: 'link', phone: one.phone }));
    if (when === 'before') await answer(code, 'report');
    const owner = who === 'another browser' ? browserCookies() : one.own;
    if (who !== 'nobody' && !early) await confirmIn(owner, one.id);
    // Its answer does not wait for this.
    if (who !== 'nobody') await list(one.id, 1);
    if (when === 'afterwards') await answer(code, 'report');
    const headers = { authorization, cookie: owner.cookie };
    const next = await proven(alias(one.email));
    const stranger = await unconfirmed(one.own);
    const results = async () => ({
      account: await mayInvite(headers),
      mailbox: await mayInvite(next.headers),
      asker: await mayInvite(stranger.headers),
    });
    const { again, ...then } = { again: undefined, ...expected };
    expect(await results()).toEqual(then);
    if (expected.account) {
      // To its owner the invitee is unavailable, as after any refusal: nothing of theirs is paused.
      const refused = await postInvitation(headers, { via: 'link', phone: one.phone });
      expect(await refusalOf(refused)).toContain('number_unavailable');
    }
    if (again) {
      // Without the operator the owner deletes what the stranger opened, and signs up.
      const deleted = await request('/api/v1/users/me', { method: 'DELETE', headers });
      expect(deleted.status).toBe(200);
      const anew = await unconfirmed(owner, one.email);
      await confirmIn(owner, anew.id);
      const session = await accessToken(env, { account: anew.id, epoch: 1 });
      expect(await mayInvite({ ...headers, authorization: `Bearer ${session}` })).toBe(true);
    }
    const release = await operate(`/requesters/${one.id}/release`, { reason: 'a mistake' });
    expect(release.status).toBe(200);
    const all = { account: true, mailbox: true, asker: true };
    if (!again) expect(await results()).toEqual(all);
    expect(await mayInvite(stranger.headers)).toBe(true);
  },
);

test.each([
  ['one SMS', false, 1],
  ['three SMS once it is confirmed', true, 3],
])('unconfirmed requester: its link causes %s to the number', async (_what, isConfirmed, count) => {
  const sms = stubSmsVendor();
  const one = await unconfirmed();
  const { code } = await linkOf(await one.invite('link'));
  if (isConfirmed) {
    await confirmIn(one.own, one.id);
    await list(one.id, 1);
  }
  for (const ip of ['192.0.2.1', '198.51.100.1', '203.0.113.1', '203.0.114.1']) {
    const from = { 'cf-connecting-ip': ip };
    const asked = await post('/invitations/opt-out-code', { code, phone: one.phone }, from);
    expect(asked.status).toBe(202);
  }
  await vi.waitFor(() => expect(sms.inbox(one.phone)).toHaveLength(count), pollTimeout);
});

test('unconfirmed requester: a report suspends the account and its browser, not a mailbox that nobody proved', async () => {
  const one = await unconfirmed();
  await reported(one);
  expect(await refusalOf(await one.invite('link'))).toContain('invitations_paused');
  // The same browser with another account.
  const again = await unconfirmed(one.own);
  expect(await refusalOf(await again.invite('link'))).toContain('invitations_paused');
  // The same mailbox, proven by its owner in another browser.
  const { email } = (await env.DB.prepare('SELECT email FROM accounts WHERE id = ?')
    .bind(one.id)
    .first<{ email: string }>()) ?? { email: '' };
  const owner = await newAccount(email.replace('@', '+own@'));
  await env.DB.prepare('UPDATE accounts SET verified_at = 1 WHERE id = ?').bind(owner.id).run();
  await storePlan(owner.id);
  const { cookie } = browserCookies();
  expect((await postInvitation({ ...owner.headers, cookie }, { via: 'link' })).status).toBe(200);
});

test.each(['sms', 'link'] as const)(
  'unconfirmed requester: parallel calls by %s reach five people, too',
  async (via) => {
    const { id, headers } = await unconfirmed();
    const calls = Array.from({ length: 9 }, () => postInvitation(headers, { via }));
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(4);
    expect(await listInvitationEntries(env.DB, id, Date.now())).toHaveLength(5);
  },
);
