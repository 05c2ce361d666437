import { env } from 'cloudflare:test';
import { beforeEach, expect, test } from 'vitest';
import type { SignedUp } from '../../../worker/accounts/signup-api.ts';
import type { Env } from '../../../worker/platform/env.ts';
import { post, refusalOf, request, statusAndCode } from '../request.ts';
import { accountRow, signedUp } from './account-fixture.ts';
import { browserCookies } from './browser.ts';
import { type Claims, claims, clientId, googleKey, publish } from './google-keys.ts';

const path = '/authorize_social_via_access_token';
const configured = { GOOGLE_CLIENT_ID: clientId };
const { jwk, sign } = await googleKey();

beforeEach(() => void publish(() => Response.json({ keys: [jwk] })));
const fields = async (changes: Partial<Claims>) => ({
  access_token: await sign({ ...claims, ...changes }),
  driver: 'google',
  landing_type: 'split_intro_7d',
  user_uuid: crypto.randomUUID(),
});
const authorize = (body: object, { cookie } = browserCookies(), more: Partial<Env> = {}) =>
  post(path, body, { cookie }, { ...configured, ...more });

test('Google sign-in: creates an account like a sign-up by e-mail', async () => {
  const own = browserCookies();
  const { uuid } = own;
  const response = await authorize(await fields({ email: 'Grace@Example.com' }), own);
  expect(response.headers.get('cache-control')).toBe('no-store');
  const { entity, access_token, deeplink_token } = await signedUp(response);
  expect([entity.uuid, typeof deeplink_token]).toEqual([uuid, 'string']);
  const headers = { authorization: `Bearer ${access_token}` };
  expect((await request('/api/v1/users/me/payments-settings', { headers })).status).toBe(200);
  expect(await accountRow(entity.external_user_id)).toMatchObject({
    email: 'Grace@Example.com',
    name: 'Ada Lovelace',
    visitor_id: uuid,
    landing_type: 'split_intro_7d',
    verified_at: null,
  });
});

test.each([undefined, '   ', 7])(
  'Google sign-in: the name %j falls back to the e-mail',
  async (name) => {
    const email = `${crypto.randomUUID()}@example.com`;
    const { entity } = await signedUp(await authorize(await fields({ email, name })));
    expect(await accountRow(entity.external_user_id)).toMatchObject({ name: email });
  },
);

const newEmail = (host = 'example.com') => `${crypto.randomUUID()}@${host}`;

/** A sign-up by e-mail from a new browser. */
async function signUp(email: string): Promise<SignedUp> {
  const { uuid, cookie } = browserCookies();
  return signedUp(await post('/signup', { email, user_uuid: uuid, landing_type: 'x' }, { cookie }));
}

/** A separate Google user. */
const person = (more: Partial<Claims> = {}) => ({
  email: newEmail(),
  sub: crypto.randomUUID(),
  ...more,
});

const opens = async ({ access_token }: SignedUp) => {
  const headers = { authorization: `Bearer ${access_token}` };
  return (await request('/api/v1/users/me/purchases', { headers })).status;
};

const paid = {
  PURCHASES: {
    getByName: () => ({ hasActiveMainPlan: async () => true, runningCurrency: async () => null }),
  },
} as never;

test('Google sign-in: works from a second browser, also after paying', async () => {
  const grace = person();
  const first = await signedUp(await authorize(await fields(grace)));
  const [other, again] = [browserCookies(), await fields(grace)];
  const second = await signedUp(await authorize(again, other, paid));
  expect(second.entity).toEqual({ ...first.entity, uuid: other.uuid });
  expect([await opens(first), await opens(second)]).toEqual([200, 200]);
});

test('Google sign-in: a mailbox that Google runs opens its account and ends earlier sessions', async () => {
  for (const grace of [person({ email: newEmail('gmail.com') }), person({ hd: 'example.com' })]) {
    const planted = await signUp(grace.email);
    const headers = { authorization: `Bearer ${planted.access_token}` };
    const response = await post('/users/me/other-browser-link', {}, headers);
    const { data } = (await response.json()) as { data: { link: string } };
    const second = browserCookies();
    const { uuid } = second;
    const own = await signedUp(await authorize(await fields(grace), second));
    expect(own.entity).toEqual({ external_user_id: planted.entity.external_user_id, uuid });
    expect([await opens(planted), await opens(own)]).toEqual([401, 200]);
    expect((await post('/sign-in-link/open', { code: data.link.split('#')[1] })).status).toBe(410);
    expect((await post('/deeplink/redeem', { code: planted.deeplink_token })).status).toBe(410);
    expect(await accountRow(own.entity.external_user_id)).toMatchObject({
      name: 'Ada Lovelace',
      visitor_id: uuid,
      google_sub: grace.sub,
      verified_at: expect.any(Number),
    });
  }
});

test('Google sign-in: signing out everywhere unlinks the Google user', async () => {
  const grace = person();
  const own = await signedUp(await authorize(await fields(grace)));
  await post('/users/me/sign-out', {}, { authorization: `Bearer ${own.access_token}` });
  const elsewhere = await authorize(await fields(grace));
  expect(await statusAndCode(elsewhere)).toEqual([422, 'email_taken']);
});

test.each([
  ['driver', 'carrier pigeon', 400, 'malformed_body'],
  ['driver', undefined, 400, 'malformed_body'],
  ['user_uuid', 'me', 400, 'malformed_body'],
  ['landing_type', 'x'.repeat(101), 400, 'malformed_body'],
  ['access_token', undefined, 401, 'google_refused'],
  ['access_token', '', 401, 'google_refused'],
  ['access_token', 'x'.repeat(8193), 401, 'google_refused'],
])('Google sign-in: %s %j is refused', async (field, value, status, code) => {
  const response = await authorize({ ...(await fields({})), [field]: value });
  expect(await statusAndCode(response)).toEqual([status, code]);
});

test.each([
  [{ aud: 'other.apps.googleusercontent.com' }, 401, 'google_refused'],
  [{ email_verified: false }, 422, 'google_email_unverified'],
  [{ email: 'nowhere@localhost' }, 422, 'google_email_unverified'],
])(
  'Google sign-in: a credential with %j is refused and creates nothing',
  async (changes, status, code) => {
    const email = `${crypto.randomUUID()}@example.com`;
    const response = await authorize(await fields({ email, ...changes }));
    expect(await statusAndCode(response)).toEqual([status, code]);
    const count = env.DB.prepare('SELECT count(*) AS n FROM accounts WHERE email_key = ?');
    expect(await count.bind(email).first('n')).toBe(0);
  },
);

test('Google sign-in: without a client id it is off', async () => {
  const response = await authorize(await fields({}), undefined, { GOOGLE_CLIENT_ID: undefined });
  expect(await statusAndCode(response)).toEqual([503, 'google_not_configured']);
});

test('Google sign-in: a credential counts once, also in parallel and with another spelling of its signature', async () => {
  const sent = await fields(person());
  const codes = await Promise.all([1, 2, 3].map(async () => (await authorize(sent)).status));
  expect(codes.sort()).toEqual([200, 401, 401]);
  const token = sent.access_token;
  const last = token.at(-1) === 'A' ? 'B' : 'A';
  const again = { ...sent, access_token: token.slice(0, -1) + last };
  expect(await statusAndCode(authorize(again))).toEqual([401, 'google_refused']);
});

test('Google sign-in: strangers on the network do not keep the linked Google user out', async () => {
  const here = { 'cf-connecting-ip': '198.51.100.201' };
  const from = async (who: Partial<Claims>) =>
    post(path, await fields(who), { ...here, cookie: browserCookies().cookie }, configured);
  const [grace, other] = [person(), person()];
  await signedUp(await authorize(await fields(grace)));
  await signedUp(await authorize(await fields(other)));
  for (let at = 0; at < 5; at += 1)
    expect((await from({ ...other, sub: 'a stranger' })).status).toBe(422);
  const code = async (who: Partial<Claims>) => (await refusalOf(await from(who)))[1];
  expect(await code({ ...other, sub: 'a stranger' })).toBe('too_many_signups');
  expect(await code(person())).toBe('too_many_signups');
  expect((await from(grace)).status).toBe(200);
});
