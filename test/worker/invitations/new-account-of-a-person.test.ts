import { env, runInDurableObject } from 'cloudflare:test';
import { beforeEach, expect, test, vi } from 'vitest';
import { phoneHash } from '../../../worker/invitations/invitation-index.ts';
import type { Invitee } from '../../../worker/invitations/invitee-object.ts';
import { endSuspension } from '../../../worker/invitations/sms/sms-limiter-object.ts';
import { newAccount, verify } from '../accounts/account-fixture.ts';
import { browserCookies } from '../accounts/browser.ts';
import { post, request } from '../request.ts';
import { sampled } from '../sampled.ts';
import { storePlan } from './plan-fixture.ts';
import { freshNumber, postInvitation, stubSmsVendor } from './sms/sms-fixture.ts';

beforeEach(() => void stubSmsVendor());

/** An account with a plan and a verified mailbox, in a browser. */
async function requesterIn(email: string, { cookie } = browserCookies()) {
  const account = await newAccount(email);
  await verify(account.id);
  await storePlan(account.id);
  return { ...account, headers: { ...account.headers, cookie } };
}

type Requester = Awaited<ReturnType<typeof requesterIn>>;

async function invite({ headers }: Requester, phone: string) {
  const response = await postInvitation(headers, { phone, via: 'link' });
  const { link = '', errors } = (await response.json()) as {
    link?: string;
    errors?: { code: string };
  };
  return { code: link.split('#')[1] ?? '', refusal: errors?.code ?? null };
}

const name = () => `p${crypto.randomUUID().slice(0, 8)}`;

/** The next account after the first one was refused, and what it shares with the first. */
const nexts: [
  string,
  (
    email: string,
    cookies: ReturnType<typeof browserCookies>,
    first: Requester,
  ) => Promise<Requester>,
  'mailbox' | 'browser' | 'nothing',
][] = [
  [
    'the same mailbox, after the first account was deleted',
    async (email, _, first) => {
      const { status } = await request('/api/v1/users/me', {
        method: 'DELETE',
        headers: first.headers,
      });
      expect(status).toBe(200);
      return requesterIn(email);
    },
    'mailbox',
  ],
  ['the mailbox with a tag', (email) => requesterIn(email.replace('@', '+2@')), 'mailbox'],
  ['the mailbox with a dot', (email) => requesterIn(email.replace(/^(..)/, '$1.')), 'mailbox'],
  [
    'another mailbox in the same browser',
    (_, cookies) => requesterIn(`${name()}@x.example`, cookies),
    'browser',
  ],
  ['another mailbox in another browser', () => requesterIn(`${name()}@x.example`), 'nothing'],
];

/** What the invitee did. */
const answers: Record<string, (code: string, first: Requester) => Promise<unknown>> = {
  blocked: (code) => post('/invitations/block', { code, report: false }),
  reported: (code) => post('/invitations/block', { code, report: true }),
  declined: async (code) => {
    await post('/invitations/open', { code });
    return post('/invitations/decline', { code });
  },
  'asked and not answered': async () => null,
  'stopped after they had seen the place': async (code, { headers }) => {
    await post('/invitations/open', { code });
    expect((await post('/invitations/accept', { code, position })).status).toBe(200);
    expect((await list(headers)).map(({ state }) => state)).toEqual(['accepted']);
    return post('/invitations/stop', { code });
  },
};

const position = { latitude: 52.5, longitude: 13.4, accuracy: 20 };

async function list(headers: Record<string, string>) {
  const response = await request('/api/v1/users/me/invitations', { headers });
  const { data } = (await response.json()) as {
    data: { state: string; position: object | null; refusal: string | null }[];
  };
  return data;
}

const cases = nexts.flatMap((next) =>
  Object.keys(answers).map((answer) => [answer, ...next] as const),
);

test.each(sampled(cases, 3))(
  'new account: of somebody who was %s, with %s',
  async (answer, _with, open, shared) => {
    const email = `${name()}@gmail.com`;
    const cookies = browserCookies();
    const first = await requesterIn(email, cookies);
    const phone = freshNumber();
    await answers[answer]?.((await invite(first, phone)).code, first);
    const report = answer === 'reported';
    // People share browsers, so there only a block and a report hold.
    const isSame =
      shared === 'mailbox' || (shared === 'browser' && /blocked|reported/.test(answer));
    const next = await open(email, cookies, first);
    const elsewhere = freshNumber();
    expect([(await invite(next, phone)).refusal, (await invite(next, elsewhere)).refusal]).toEqual([
      isSame ? (report ? 'invitations_paused' : 'number_unavailable') : null,
      isSame && report ? 'invitations_paused' : null,
    ]);
    if (!report) return;
    // An operator ends the suspension of the person; the block stays.
    expect(await endSuspension(env, first.id)).toBe(true);
    expect([
      (await invite(next, phone)).refusal,
      (await invite(next, freshNumber())).refusal,
    ]).toEqual([isSame ? 'number_unavailable' : null, null]);
  },
);

const deletes = async ({ headers }: Requester) => {
  expect((await request('/api/v1/users/me', { method: 'DELETE', headers })).status).toBe(200);
};

test.each(sampled(Object.keys(answers), 2))(
  'new account: of somebody who was %s, deleted the account and was reported after that: as reported before',
  async (answer) => {
    const email = `${name()}@gmail.com`;
    const cookies = browserCookies();
    const first = await requesterIn(email, cookies);
    const { code } = await invite(first, freshNumber());
    await answers[answer]?.(code, first);
    await deletes(first);
    expect((await post('/invitations/block', { code, report: true })).status).toBe(200);
    const results = [
      await invite(await requesterIn(email), freshNumber()),
      await invite(await requesterIn(`${name()}@x.example`, cookies), freshNumber()),
      await invite(await requesterIn(`${name()}@x.example`), freshNumber()),
    ];
    expect(results.map(({ refusal }) => refusal)).toEqual([
      'invitations_paused',
      'invitations_paused',
      null,
    ]);
    expect(await endSuspension(env, first.id)).toBe(true);
  },
);

test('new account: of a deleted one the hashes and the page are gone when no code works any more', async () => {
  // Later than the real clock, so that no alarm runs by itself.
  const morning = Date.parse('2040-11-20T09:00:00Z');
  vi.useFakeTimers({ toFake: ['Date'], now: morning });
  const email = `${name()}@gmail.com`;
  const first = await requesterIn(email);
  const phone = freshNumber();
  const { code } = await invite(first, phone);
  await answers['stopped after they had seen the place']?.(code, first);
  await deletes(first);
  const inviteeKey = await phoneHash(env, phone);
  const codes = () =>
    env.DB.prepare('SELECT account_id, visitor_id FROM invitation_codes WHERE invitee_key = ?')
      .bind(inviteeKey)
      .all();
  expect((await codes()).results).toEqual([{ account_id: '', visitor_id: null }]);
  const stub = env.INVITATIONS.getByName(inviteeKey);
  const hashes = () =>
    runInDurableObject(stub, (_: Invitee, { storage }) => [
      ...storage.kv.list({ prefix: 'identities:' }),
    ]);
  const end = morning + 67 * 24 * 60 * 60_000;
  await runInDurableObject(stub, async (object: Invitee, { storage }) => {
    expect(await storage.getAlarm()).toBe(end);
    vi.setSystemTime(end - 1);
    await object.alarm();
  });
  expect(await hashes()).toHaveLength(1);
  await runInDurableObject(stub, async (object: Invitee) => {
    vi.setSystemTime(end);
    await object.alarm();
  });
  expect(await hashes()).toEqual([]);
  expect((await post('/invitations/block', { code, report: true })).status).toBe(404);
  const again = await requesterIn(email);
  expect((await invite(again, phone)).refusal).toBeNull();
});

test.each([
  ['in the same browser', true],
  ['in another browser', false],
])('older account: a report of the newer one hides what it reads, %s', async (_where, isSame) => {
  const cookies = browserCookies();
  const older = await requesterIn(`${name()}@x.example`);
  const { code } = await invite(older, freshNumber());
  await post('/invitations/open', { code });
  await post('/invitations/accept', { code, position });
  const { cookie } = isSame ? cookies : browserCookies();
  // It invited from another browser than it reads in.
  const read = () => list({ ...older.headers, cookie });
  expect(await read()).toMatchObject([{ state: 'accepted', refusal: null }]);
  const newer = await requesterIn(`${name()}@y.example`, cookies);
  const { code: other } = await invite(newer, freshNumber());
  await post('/invitations/block', { code: other, report: true });
  const [seen] = await read();
  expect([seen?.position !== null, seen?.refusal]).toEqual(
    isSame ? [false, 'invitations_paused'] : [true, null],
  );
});
