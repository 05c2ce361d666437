import { env } from 'cloudflare:test';
import { beforeEach, expect, test } from 'vitest';
import { endSuspension } from '../../../worker/invitations/sms/sms-limiter-object.ts';
import { newAccount, verify } from '../accounts/account-fixture.ts';
import { browserCookies } from '../accounts/browser.ts';
import { post, request } from '../request.ts';
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

/** The next account of a person whose first one was blocked, and whether it is the same person for us. */
const nexts: [
  string,
  (
    email: string,
    cookies: ReturnType<typeof browserCookies>,
    first: Requester,
  ) => Promise<Requester>,
  boolean,
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
    true,
  ],
  ['the mailbox with a tag', (email) => requesterIn(email.replace('@', '+2@')), true],
  ['the mailbox with a dot', (email) => requesterIn(email.replace(/^(..)/, '$1.')), true],
  [
    'another mailbox in the same browser',
    (_, cookies) => requesterIn(`${name()}@x.example`, cookies),
    true,
  ],
  ['another mailbox in another browser', () => requesterIn(`${name()}@x.example`), false],
];

const cases = nexts.flatMap((next) =>
  [false, true].map((report) => [report ? 'reported' : 'blocked', ...next] as const),
);

test.each(cases)(
  'new account: of somebody who was %s, with %s',
  async (what, _with, open, isSame) => {
    const email = `${name()}@gmail.com`;
    const cookies = browserCookies();
    const first = await requesterIn(email, cookies);
    const phone = freshNumber();
    const { code } = await invite(first, phone);
    const report = what === 'reported';
    expect((await post('/invitations/block', { code, report })).status).toBe(200);
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
