import { env, runInDurableObject } from 'cloudflare:test';
import { beforeEach, expect, test, vi } from 'vitest';
import { accessToken } from '../../../worker/accounts/access-token.ts';
import { createCode } from '../../../worker/accounts/one-time-codes.ts';
import { listInvitationEntries } from '../../../worker/invitations/invitation-index.ts';
import type { Invitee } from '../../../worker/invitations/invitee-object.ts';
import type { RequesterView } from '../../../worker/invitations/rules/invitation-view.ts';
import { suspensionsOf } from '../../../worker/invitations/sms/sms-limiter-object.ts';
import { hmacOf, permanentSecret } from '../../../worker/platform/hmac.ts';
import type { AccountId, InvitationId, VisitorId } from '../../../worker/platform/types.ts';
import { newAccount, verify } from '../accounts/account-fixture.ts';
import { browserCookies } from '../accounts/browser.ts';
import { post, refusalOf, request } from '../request.ts';
import { morning } from './invitation-fixture.ts';
import { storePlan } from './plan-fixture.ts';
import { freshNumber, postInvitation } from './sms/sms-fixture.ts';

beforeEach(() => {
  // Ten in the morning in Berlin.
  vi.useFakeTimers({ toFake: ['Date'], now: morning });
});
const hour = 60 * 60_000;

type Cookies = Pick<ReturnType<typeof browserCookies>, 'uuid' | 'cookie'>;
type View = RequesterView & { reason: string | null };

async function listInvitations(account: AccountId, epoch: number): Promise<View[]> {
  const token = await accessToken(env, { account, epoch });
  const headers = { authorization: `Bearer ${token}` };
  const response = await request('/api/v1/users/me/invitations', { headers });
  return ((await response.json()) as { data: View[] }).data;
}

/** The objects with an account's messages. */
async function objects(account: AccountId) {
  const entries = await listInvitationEntries(env.DB, account, Date.now());
  return entries.map(({ inviteeKey }) => env.INVITATIONS.getByName(inviteeKey));
}

/** An unconfirmed account with a plan, and its message, written in the browser that opened the account. */
async function keepMessage({ uuid, cookie } = browserCookies()) {
  const account = await newAccount();
  await env.DB.prepare('UPDATE accounts SET visitor_id = ?2 WHERE id = ?1')
    .bind(account.id, uuid)
    .run();
  await storePlan(account.id);
  const phone = freshNumber();
  const headers = { ...account.headers, cookie };
  const response = await postInvitation(headers, { phone });
  const [stub] = await objects(account.id);
  if (!stub) throw new Error('no object');
  return { ...account, headers, phone, response, stub };
}

async function confirm(
  { id, headers: { cookie = '' } }: { id: AccountId; headers: { cookie?: string } },
  requester: VisitorId | null = null,
) {
  const terms = { account: id, epoch: 0, purpose: 'sign_in', lifetimeMs: hour } as const;
  const code = await createCode(env.DB, { ...terms, requester }, Date.now());
  const response = await post('/sign-in-link/open', { code }, { cookie });
  expect(response.status).toBe(200);
}

test('kept message: Send before the confirmation keeps it for 72 hours and sends nothing', async () => {
  const { id, phone, response, stub } = await keepMessage();
  expect(response.status).toBe(202);
  const [view] = await listInvitations(id, 0);
  expect(view).toMatchObject({
    state: 'kept',
    number_end: phone.slice(-2),
    answer_by: morning + 72 * hour,
    position: null,
  });
  await runInDurableObject(stub, async (object: Invitee, { storage }) => {
    vi.setSystemTime(morning + 2 * hour);
    await object.alarm();
    expect([...storage.kv.list({ prefix: 'invitation:' })]).toEqual([]);
    expect(await storage.getAlarm()).toBeGreaterThan(Date.now());
    vi.setSystemTime(morning + 72 * hour);
    await object.alarm();
    expect([...storage.kv.list({ prefix: 'kept:' })]).toEqual([]);
  });
  expect(await listInvitations(id, 0)).toEqual([]);
});

test('kept message: the confirmation sends it once, however often it is requested', async () => {
  const account = await keepMessage();
  const [before] = await listInvitations(account.id, 0);
  await confirm(account);
  await Promise.all([account.stub.sendKept(account.id), account.stub.sendKept(account.id)]);
  await runInDurableObject(account.stub, async (object: Invitee, { storage }) => {
    vi.setSystemTime(morning + 2 * hour);
    await object.alarm();
    expect([...storage.kv.list({ prefix: 'invitation:' })]).toHaveLength(1);
    expect([...storage.kv.list({ prefix: 'kept:' })]).toEqual([]);
  });
  const after = await listInvitations(account.id, 1);
  expect(after).toMatchObject([{ id: before?.id, via: 'sms' }]);
  expect(after[0]?.state).toMatch(/^sen/);
});

/** The browser that confirms, and whether it wrote the message. */
const confirming: [string, (own: Cookies) => [Cookies, VisitorId | null], boolean][] = [
  ['the browser that wrote it', (own) => [own, null], true],
  ['the browser that wrote it and requested the link', (own) => [own, own.uuid], true],
  ['another browser', () => [browserCookies(), null], false],
  ['a browser without cookies', () => [{ ...browserCookies(), cookie: '' }, null], false],
  [
    'a browser that knows the id',
    ({ uuid }) => [{ uuid, cookie: `userUuid=${uuid}` }, null],
    false,
  ],
  [
    'another browser that requested the link',
    () => {
      const other = browserCookies();
      return [other, other.uuid];
    },
    false,
  ],
  [
    'another browser, with a link that the writer requested',
    (own) => [browserCookies(), own.uuid],
    false,
  ],
];

test.each(confirming)(
  'kept message: confirmed by %s, it is sent by itself only for whoever wrote it',
  async (_who, open, isWriter) => {
    const own = browserCookies();
    const account = await keepMessage(own);
    const [before] = await listInvitations(account.id, 0);
    const [{ cookie }, requester] = open(own);
    await confirm({ id: account.id, headers: { cookie } }, requester);
    await account.stub.sendKept(account.id);
    await runInDurableObject(account.stub, async (object: Invitee) => {
      vi.setSystemTime(morning + 2 * hour);
      await object.alarm();
    });
    const [view] = await listInvitations(account.id, 1);
    if (isWriter) return expect(view?.state).toMatch(/^sen/);
    expect(view).toMatchObject({ state: 'not_sent', refusal: 'written_elsewhere', name: 'Ana' });
    const token = await accessToken(env, { account: account.id, epoch: 1 });
    const owner = browserCookies();
    const bearer = { authorization: `Bearer ${token}`, cookie: owner.cookie };
    const send = (id = view?.id) => post(`/users/me/invitations/${id}/send`, {}, bearer);
    expect(await refusalOf(await send(crypto.randomUUID() as InvitationId))).toContain(
      'invitation_unknown',
    );
    // The owner sees it, and agrees.
    for (let count = 0; count < 2; count += 1) expect((await send()).status).toBe(200);
    const after = await listInvitations(account.id, 1);
    expect(after).toMatchObject([{ id: before?.id, via: 'sms', refusal: null }]);
    expect(after[0]?.state).toMatch(/^sen/);
    // It counts as the owner's.
    const { results } = await env.DB.prepare(
      'SELECT visitor_id FROM invitation_codes WHERE account_id = ?',
    )
      .bind(account.id)
      .all();
    expect(results).toEqual([{ visitor_id: owner.uuid }]);
  },
);

test('kept message: sent several times at once by its owner, it is sent and not withdrawn', async () => {
  const account = await keepMessage();
  await confirm({ id: account.id, headers: browserCookies() });
  await account.stub.sendKept(account.id);
  const [view] = await listInvitations(account.id, 1);
  expect(view).toMatchObject({ state: 'not_sent', refusal: 'written_elsewhere' });
  const token = await accessToken(env, { account: account.id, epoch: 1 });
  const bearer = { authorization: `Bearer ${token}`, cookie: browserCookies().cookie };
  const send = () => post(`/users/me/invitations/${view?.id}/send`, {}, bearer);
  const answers = await Promise.all([send(), account.stub.sendKept(account.id), send()]);
  expect(answers.map((answer) => answer?.status)).toEqual([200, undefined, 200]);
  const after = await listInvitations(account.id, 1);
  expect(after.map(({ state }) => state.slice(0, 3))).toEqual(['sen']);
  await runInDurableObject(account.stub, (_object: Invitee, { storage }) => {
    expect([...storage.kv.list({ prefix: 'invitation:' })]).toHaveLength(1);
    expect([...storage.kv.list({ prefix: 'kept:' })]).toEqual([]);
  });
});

test('kept message: does not reveal that the owner of the address is suspended, and is not sent then', async () => {
  const own = browserCookies();
  const account = await keepMessage(own);
  const mailbox = await hmacOf(permanentSecret(env), 'mailbox', account.email);
  await suspensionsOf(env, mailbox).suspend(mailbox, ['another account']);
  const again = await postInvitation(account.headers, { phone: account.phone });
  expect(again.status).toBe(202);
  await confirm(account);
  await account.stub.sendKept(account.id);
  const [view] = await listInvitations(account.id, 1);
  expect(view).toMatchObject({ state: 'not_sent', refusal: 'invitations_paused' });
});

test('kept message: only a confirmed owner can agree, and may write it again instead', async () => {
  const account = await keepMessage();
  const [view] = await listInvitations(account.id, 0);
  const send = await post(`/users/me/invitations/${view?.id}/send`, {}, account.headers);
  expect(await refusalOf(send)).toContain('email_unverified');
  await confirm({ id: account.id, headers: {} });
  const token = await accessToken(env, { account: account.id, epoch: 1 });
  const again = { authorization: `Bearer ${token}` };
  expect((await postInvitation(again, { phone: account.phone })).status).toBe(200);
  const all = await listInvitations(account.id, 1);
  expect(all.map(({ state }) => state.slice(0, 3))).toEqual(['sen']);
});

test('kept message: the object’s alarm sends it when the confirmation could not', async () => {
  const account = await keepMessage();
  await verify(account.id);
  await runInDurableObject(account.stub, async (object: Invitee, { storage }) => {
    vi.setSystemTime(morning + 60_000);
    await object.alarm();
    expect([...storage.kv.list({ prefix: 'invitation:' })]).toHaveLength(1);
  });
});

test('kept message: is sent in the morning after a confirmation during the invitee’s night', async () => {
  const account = await keepMessage();
  vi.setSystemTime(morning + 13 * hour);
  await confirm(account);
  const [view] = await listInvitations(account.id, 1);
  expect(view).toMatchObject({ state: 'sending', sends_at: Date.parse('2026-11-21T08:00:00Z') });
});

test('kept message: a second Send to the number replaces it; another number adds one, five at most', async () => {
  const { id, headers, phone } = await keepMessage();
  const again = await postInvitation(headers, { phone, duration: 'hour' });
  expect(again.status).toBe(202);
  expect(await listInvitations(id, 0)).toMatchObject([{ duration: 'hour' }]);
  const statuses = [];
  for (let count = 0; count < 5; count += 1) statuses.push((await postInvitation(headers)).status);
  expect(statuses).toEqual([202, 202, 202, 202, 429]);
});

test('kept message: nothing is sent if it is deleted before the confirmation, or while it is being sent', async () => {
  const account = await keepMessage();
  const [view] = await listInvitations(account.id, 0);
  const path = `/api/v1/users/me/invitations/${view?.id}`;
  const remove = { method: 'DELETE', headers: account.headers };
  expect((await request(path, remove)).status).toBe(200);
  await confirm(account);
  expect(await listInvitations(account.id, 1)).toEqual([]);

  const other = await keepMessage();
  const [its] = await listInvitations(other.id, 0);
  await verify(other.id);
  if (!its) throw new Error('nothing kept');
  await Promise.all([other.stub.sendKept(other.id), other.stub.cancel(its.id, other.id)]);
  await runInDurableObject(other.stub, (_object: Invitee, { storage }) => {
    expect([...storage.kv.list({ prefix: 'sms:' })]).toEqual([]);
  });
});

test('kept message: is not sent after the plan has ended, and the reason is shown', async () => {
  const account = await keepMessage();
  await storePlan(account.id, null);
  await confirm(account);
  const [view] = await listInvitations(account.id, 1);
  expect(view).toMatchObject({ state: 'not_sent', refusal: 'main_plan_required' });
  expect(view?.reason).toMatch(/plan/i);
});

test('kept message: is deleted with the plan and with the account', async () => {
  for (const end of ['endWithPlan', 'forgetRequester'] as const) {
    const { id, stub } = await keepMessage();
    await stub[end](id, Date.now());
    await runInDurableObject(stub, (_object: Invitee, { storage }) => {
      expect([...storage.kv.list({ prefix: 'kept:' })]).toEqual([]);
    });
  }
});

test('kept message: an unconfirmed account can neither store nor read a message in the app', async () => {
  const { id } = await keepMessage();
  const token = await accessToken(env, { account: id, epoch: 0, app: true });
  const headers = { authorization: `Bearer ${token}` };
  expect(await refusalOf(await postInvitation(headers))).toContain('email_unverified');
  const response = await request('/api/v1/users/me/invitations', { headers });
  expect(await response.json()).toMatchObject({ data: [], email_verified: false });
});
