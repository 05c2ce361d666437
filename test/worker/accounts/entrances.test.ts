import { env } from 'cloudflare:test';
import { beforeEach, expect, test } from 'vitest';
import type { SignedUp } from '../../../worker/accounts/signup-api.ts';
import { post, request } from '../request.ts';
import { sampled } from '../sampled.ts';
import {
  type Browser,
  bearer,
  browser,
  dataOf,
  knowing,
  newEmail,
  signInByEmail,
} from './browser.ts';
import { claims, clientId, googleKey, publish } from './google-keys.ts';

const { jwk, sign } = await googleKey();
beforeEach(() => void publish(() => Response.json({ keys: [jwk] })));

/** How a person proves who they are to Google. `linked` is the Google user who opened the account. */
type GoogleUser = 'hosted' | 'other' | 'linked';

/** Everything is paid: the objects of the accounts say so. */
const paid = {
  PURCHASES: {
    getByName: () => ({
      everPaid: async () => true,
      hasActiveMainPlan: async () => true,
      runningCurrency: async () => null,
      proveMailbox: async () => {},
    }),
  },
};

async function byGoogle(one: Browser, email: string, user: GoogleUser, more: object = {}) {
  const access_token = await sign({
    ...claims,
    email,
    sub: `${user} ${email}`,
    hd: user === 'hosted' ? 'example.com' : undefined,
  });
  const body = { access_token, driver: 'google', landing_type: 'x', user_uuid: one.uuid };
  const headers = { cookie: one.cookie };
  const bindings = { GOOGLE_CLIENT_ID: clientId, ...more } as object;
  return post('/authorize_social_via_access_token', body, headers, bindings);
}

async function byMail(one: Browser, email: string, more: object): Promise<Response | null> {
  Object.assign(one.more, more);
  const before = one.sent.length;
  await one.send('/sign-in-link', { email });
  if (one.sent.length === before) return null;
  return Response.json({ data: { access_token: (await signInByEmail(one, email)).access_token } });
}

const tokenOf = async (response: Response) => (await dataOf<SignedUp>(response)).access_token;
const isOpen = async (token: string) =>
  (await request('/api/v1/users/me/payments-settings', { headers: bearer(token) })).status === 200;
const isVerified = async (email: string) =>
  (await env.DB.prepare('SELECT verified_at FROM accounts WHERE email = ?')
    .bind(email)
    .first()) as {
    verified_at: number | null;
  } | null;

interface Account {
  email: string;
  owner: Browser;
  /** A session that is open before somebody enters. */
  before: string | null;
}

async function unverified() {
  const [owner, email] = [browser(), newEmail()];
  return { owner, email, before: await tokenOf(await owner.signUp(email)) };
}

async function linked() {
  const [owner, email] = [browser(), newEmail()];
  return { owner, email, before: await tokenOf(await byGoogle(owner, email, 'linked')) };
}

const accounts: Record<string, () => Promise<Account>> = {
  none: async () => ({ email: newEmail(), owner: browser(), before: null }),
  unverified,
  verified: async () => {
    const account = await unverified();
    return { ...account, before: (await signInByEmail(account.owner, account.email)).access_token };
  },
  linked,
  'linked, verified': async () => {
    const account = await linked();
    await signInByEmail(account.owner, account.email);
    // The Google user enters again, without the mailbox.
    const entered = await byGoogle(account.owner, account.email, 'linked');
    return { ...account, before: await tokenOf(entered) };
  },
};

const accountOf = (kind: string) => (accounts[kind] ?? unverified)();

type Entrance = 'sign-up' | 'mail' | `Google, ${GoogleUser}`;

const callers = {
  /** The browser that opened the account, with its key. */
  own: (owner: Browser) => browser(owner),
  known: knowing,
  none: () => browser(),
};

function enter(entrance: Entrance, one: Browser, email: string, more: object) {
  if (entrance === 'mail') return byMail(one, email, more);
  if (entrance !== 'sign-up')
    return byGoogle(one, email, entrance.slice('Google, '.length) as GoogleUser, more);
  const body = { email, user_uuid: one.uuid, landing_type: 'x' };
  return post('/signup', body, { cookie: one.cookie }, more);
}

/**
 * `new`: a new account. `alone`: enters, and every earlier session ends. `beside`: enters, and the others stay.
 * `taken`: refused. `-`: nothing is sent. `*`: the account is verified afterwards.
 */
const table: [account: string, Entrance, own: string, known: string, none: string][] = [
  ['none', 'sign-up', 'new', 'new', 'new'],
  ['none', 'mail', '-', '-', '-'],
  ['none', 'Google, hosted', 'new*', 'new*', 'new*'],
  ['none', 'Google, other', 'new', 'new', 'new'],
  ['unverified', 'sign-up', 'alone', 'taken', 'taken'],
  ['unverified', 'mail', 'alone*', 'alone*', 'alone*'],
  ['unverified', 'Google, hosted', 'alone*', 'alone*', 'alone*'],
  ['unverified', 'Google, other', 'taken', 'taken', 'taken'],
  ['unverified, paid', 'sign-up', 'taken', 'taken', 'taken'],
  ['unverified, paid', 'mail', 'alone*', 'alone*', 'alone*'],
  ['unverified, paid', 'Google, hosted', 'alone*', 'alone*', 'alone*'],
  ['unverified, paid', 'Google, other', 'taken', 'taken', 'taken'],
  ['verified', 'sign-up', 'taken*', 'taken*', 'taken*'],
  ['verified', 'mail', 'beside*', 'beside*', 'beside*'],
  ['verified', 'Google, hosted', 'beside*', 'beside*', 'beside*'],
  ['verified', 'Google, other', 'taken*', 'taken*', 'taken*'],
  ['verified, paid', 'sign-up', 'taken*', 'taken*', 'taken*'],
  ['verified, paid', 'mail', 'beside*', 'beside*', 'beside*'],
  ['verified, paid', 'Google, hosted', 'beside*', 'beside*', 'beside*'],
  ['verified, paid', 'Google, other', 'taken*', 'taken*', 'taken*'],
  ['linked', 'sign-up', 'alone', 'taken', 'taken'],
  ['linked', 'mail', 'alone*', 'alone*', 'alone*'],
  ['linked', 'Google, hosted', 'alone*', 'alone*', 'alone*'],
  ['linked', 'Google, other', 'taken', 'taken', 'taken'],
  ['linked', 'Google, linked', 'beside', 'beside', 'beside'],
  ['linked, paid', 'sign-up', 'taken', 'taken', 'taken'],
  ['linked, paid', 'mail', 'alone*', 'alone*', 'alone*'],
  ['linked, paid', 'Google, hosted', 'alone*', 'alone*', 'alone*'],
  ['linked, paid', 'Google, other', 'taken', 'taken', 'taken'],
  ['linked, paid', 'Google, linked', 'beside', 'beside', 'beside'],
  ['linked, verified', 'sign-up', 'taken*', 'taken*', 'taken*'],
  ['linked, verified', 'mail', 'alone*', 'alone*', 'alone*'],
  ['linked, verified', 'Google, hosted', 'alone*', 'alone*', 'alone*'],
  ['linked, verified', 'Google, other', 'taken*', 'taken*', 'taken*'],
  ['linked, verified', 'Google, linked', 'beside*', 'beside*', 'beside*'],
];

async function outcome(kind: string, entrance: Entrance, caller: keyof typeof callers) {
  const isPaid = kind.endsWith(', paid');
  const { email, owner, before } = await accountOf(kind.replace(', paid', ''));
  const response = await enter(entrance, callers[caller](owner), email, isPaid ? paid : {});
  const mark = (await isVerified(email))?.verified_at ? '*' : '';
  if (response === null) return `-${mark}`;
  if (response.status === 422) return `taken${mark}`;
  expect(await isOpen(await tokenOf(response))).toBe(true);
  if (before === null) return `new${mark}`;
  return `${(await isOpen(before)) ? 'beside' : 'alone'}${mark}`;
}

test.each(sampled(table, 3))(
  'entrances: account %s by %s: own %s, known id %s, neither %s',
  async (kind, entrance, own, known, none) => {
    const outcomes = [];
    for (const caller of ['own', 'known', 'none'] as const)
      outcomes.push(await outcome(kind, entrance, caller));
    expect(outcomes).toEqual([own, known, none]);
  },
);

test.each([
  ['own', 200],
  ['known', 422],
  ['none', 422],
] as const)(
  'entrances: after a mailed link was opened with the key %s, the earlier Google user gets %i',
  async (caller, status) => {
    const { email, owner } = await linked();
    await signInByEmail(callers[caller](owner), email);
    expect((await byGoogle(owner, email, 'linked')).status).toBe(status);
  },
);

test('entrances: the Google user of a hosted mailbox replaces another one', async () => {
  const { email, owner } = await accountOf('linked, verified');
  await byGoogle(browser(), email, 'hosted');
  expect((await byGoogle(owner, email, 'linked')).status).toBe(422);
});
