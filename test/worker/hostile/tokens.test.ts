import { env } from 'cloudflare:test';
import { sign } from 'hono/jwt';
import { expect, test } from 'vitest';
import { accessToken } from '../../../worker/accounts/access-token.ts';
import { manualCodeFor } from '../../../worker/accounts/app-link-api.ts';
import { manualCodeSeed } from '../../../worker/accounts/manual-code-table.ts';
import { createCode, type Purpose } from '../../../worker/accounts/one-time-codes.ts';
import type { AccountId } from '../../../worker/platform/types.ts';
import { seeded } from '../../seeded-random.ts';
import { newAccount } from '../accounts/account-fixture.ts';
import { authenticated } from '../all-routes.ts';
import { scaled } from '../payments/payments-fixture.ts';
import { post, refusalOf, request, statusAndCode } from '../request.ts';

/** The claims of one of our tokens. */
interface Claims {
  sub: string;
  aud: string;
  exp: number;
  epoch: number;
}

type ForgeToken = (ours: Claims, random: () => number) => string | Promise<string>;

const secret = () => env.TOKEN_SECRET;
const url = (text: string) =>
  btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
const unsigned = (head: object, claims: object, signature = '') =>
  `${url(JSON.stringify(head))}.${url(JSON.stringify(claims))}.${signature}`;
const letters = (random: () => number, length: number) =>
  Array.from({ length }, () => Math.floor(random() * 36).toString(36)).join('');
const withoutClaim = (claims: Claims, name: keyof Claims) => {
  const { [name]: _gone, ...rest } = claims;
  return sign(rest, secret(), 'HS256');
};

/** One of our tokens with one letter of a part changed. */
async function withChangedLetter(ours: Claims, random: () => number, part: number) {
  const parts = (await sign({ ...ours }, secret(), 'HS256')).split('.');
  const text = parts[part] ?? '';
  // The last letter of a signature has unused bits.
  const at = Math.floor(random() * (text.length - 1));
  const other = text[at] === 'A' ? 'B' : 'A';
  parts[part] = text.slice(0, at) + other + text.slice(at + 1);
  return parts.join('.');
}

/** Invalid tokens, by their fault. */
const forgeries: Record<string, ForgeToken> = {
  'no algorithm': (ours) => unsigned({ alg: 'none', typ: 'JWT' }, ours),
  'no algorithm in capitals': (ours) => unsigned({ alg: 'NONE', typ: 'JWT' }, ours),
  'no algorithm, with a signature': (ours) => unsigned({ alg: 'none' }, ours, 'AAAA'),
  'an empty header': (ours) => unsigned({}, ours, 'AAAA'),
  'another key': (ours, random) => sign({ ...ours }, letters(random, 40), 'HS256'),
  'an empty key': (ours) => sign({ ...ours }, '\0', 'HS256'),
  HS512: (ours) => sign({ ...ours }, secret(), 'HS512'),
  HS384: (ours) => sign({ ...ours }, secret(), 'HS384'),
  'the algorithm RS256': (ours) => unsigned({ alg: 'RS256', typ: 'JWT' }, ours, 'AAAA'),
  'a key in the header': (ours) =>
    unsigned({ alg: 'HS256', jwk: { kty: 'oct', k: 'AAAA' }, kid: '../../dev/null' }, ours, 'AAAA'),
  'the URL of a key': (ours) =>
    unsigned({ alg: 'HS256', jku: 'https://evil.example/k' }, ours, 'AAAA'),
  expired: (ours, random) =>
    sign({ ...ours, exp: Math.floor(Date.now() / 1000 - 1 - random() * 1e6) }, secret(), 'HS256'),
  'no expiry': (ours) => withoutClaim(ours, 'exp'),
  'an expiry that is text': (ours) =>
    sign({ ...ours, exp: 'never' as unknown as number }, secret(), 'HS256'),
  'another audience': (ours) => sign({ ...ours, aud: 'refresh' }, secret(), 'HS256'),
  'a list of audiences': (ours) =>
    sign({ ...ours, aud: ['mail', 'admin'] as unknown as string }, secret(), 'HS256'),
  'no audience': (ours) => withoutClaim(ours, 'aud'),
  'no epoch': (ours) => withoutClaim(ours, 'epoch'),
  'a later epoch': (ours) => sign({ ...ours, epoch: ours.epoch + 1 }, secret(), 'HS256'),
  'an earlier epoch': (ours) => sign({ ...ours, epoch: ours.epoch - 1 }, secret(), 'HS256'),
  'an epoch that is text': (ours) =>
    sign({ ...ours, epoch: '0' as unknown as number }, secret(), 'HS256'),
  'no subject': (ours) => withoutClaim(ours, 'sub'),
  'a list of subjects': (ours) =>
    sign({ ...ours, sub: [ours.sub] as unknown as string }, secret(), 'HS256'),
  'not yet valid': (ours) => sign({ ...ours, nbf: ours.exp }, secret(), 'HS256'),
  'a changed header': async (ours, random) => withChangedLetter(ours, random, 0),
  'changed claims': async (ours, random) => withChangedLetter(ours, random, 1),
  'a changed signature': async (ours, random) => withChangedLetter(ours, random, 2),
  'no signature': async (ours) =>
    (await sign({ ...ours }, secret(), 'HS256')).replace(/[^.]*$/, ''),
  'a truncated token': async (ours, random) => {
    const token = await sign({ ...ours }, secret(), 'HS256');
    return token.slice(0, Math.floor(random() * (token.length - 4)));
  },
  'four parts': async (ours) => `${await sign({ ...ours }, secret(), 'HS256')}.x`,
  'a second token after a comma': async (ours) => `${await sign({ ...ours }, secret(), 'HS256')},x`,
  'a token of 100 KB': async (ours) =>
    `${await sign({ ...ours }, secret(), 'HS256')}${'A'.repeat(100_000)}`,
  'a claim of 8 KB': (ours) => sign({ ...ours, x: 'x'.repeat(8192) }, secret(), 'HS256'),
  'the code of a link': (_, random) => letters(random, 22),
  'a random id': () => crypto.randomUUID(),
  'dots only': () => '..',
  'parts that are not JSON': () => `${url('{')}.${url('{')}.AAAA`,
  'parts that are lists': () => unsigned([], [], 'AAAA'),
  'parts of nested lists': () => `${url('['.repeat(500))}.${url('['.repeat(200))}.AAAA`,
};

const header = (token: string) => ({ authorization: `Bearer ${token}` });

async function call(
  { method, path }: (typeof authenticated)[number],
  headers: Record<string, string>,
) {
  const body = method === 'POST' ? { body: '{}' } : {};
  const init = { method, headers: { 'content-type': 'application/json', ...headers }, ...body };
  return request(path, init);
}

test('hostile tokens: every authenticated route is covered', () =>
  expect(authenticated.length).toBeGreaterThan(18));

test('hostile tokens: no forged token is accepted', { timeout: 600_000 }, async () => {
  const random = seeded(Date.now());
  const { id } = await newAccount();
  const kinds = Object.entries(forgeries);
  for (let index = 0; index < scaled(1000); index += 1) {
    const [name, forge] = kinds[index % kinds.length] as (typeof kinds)[number];
    const route = authenticated[
      (index * 7) % authenticated.length
    ] as (typeof authenticated)[number];
    const ours = { sub: id, aud: 'access', exp: Math.floor(Date.now() / 1000) + 600, epoch: 0 };
    const response = await call(route, header(await forge(ours, random)));
    const refusal = await statusAndCode(response);
    expect([name, route.path, ...refusal]).toEqual([name, route.path, 401, 'unauthorized']);
  }
});

test.each([
  ['no scheme', (token: string) => token],
  ['another scheme', (token: string) => `Basic ${token}`],
  ['two tokens', (token: string) => `Bearer ${token} ${token}`],
  ['a scheme twice', (token: string) => `Bearer Bearer ${token}`],
])('hostile tokens: a valid token with %s is refused', async (_name, write) => {
  const { id } = await newAccount();
  const authorization = write(await accessToken(env, { account: id as AccountId, epoch: 0 }));
  for (const route of authenticated)
    expect((await call(route, { authorization })).status).toBe(401);
});

test('hostile tokens: a token in the URL, a cookie or a body is ignored', async () => {
  const token = await accessToken(env, { account: (await newAccount()).id as AccountId, epoch: 0 });
  const path = `/api/v1/users/me/export?access_token=${token}&authorization=Bearer%20${token}`;
  const cookie = `access_token=${token}; authorization=Bearer ${token}`;
  expect((await request(path, { headers: { cookie } })).status).toBe(401);
  const fields = { access_token: token, token, authorization: `Bearer ${token}` };
  expect((await post('/users/me/other-browser-link', fields)).status).toBe(401);
});

/** A code of one kind for an account. */
async function codeFor(purpose: Purpose | 'hand', account: AccountId): Promise<string> {
  const now = Date.now();
  if (purpose !== 'hand') {
    return createCode(env.DB, { account, epoch: 0, purpose, lifetimeMs: 60_000 }, now);
  }
  const seed = await manualCodeSeed(env.DB, account, 0, now);
  return manualCodeFor(env.TOKEN_SECRET, account, seed ?? '');
}

test.each([
  ['a mailed link', 'sign_in', '/deeplink/redeem', {}],
  ['a mailed link by hand', 'sign_in', '/deeplink/redeem', { email: true }],
  ['a link to another browser', 'hand_over', '/deeplink/redeem', {}],
  ['a link into the app', 'app', '/sign-in-link/open', {}],
  ['a link into the app by hand', 'app', '/deeplink/redeem', { email: true }],
  ['a code by hand as a link', 'hand', '/deeplink/redeem', {}],
  ['a code by hand as a mailed link', 'hand', '/sign-in-link/open', {}],
  ['a mailed link as an invitation', 'sign_in', '/invitations/open', {}],
  ['a link into the app as an invitation', 'app', '/invitations/decline', {}],
] as const)(
  'hostile tokens: a code works for its own purpose only: %s',
  async (_name, opens, path, more) => {
    const { id, email } = await newAccount();
    const sent = { code: await codeFor(opens, id), ...('email' in more ? { email } : {}) };
    const response = await post(path, sent);
    expect(response.status).toBeGreaterThanOrEqual(404);
    expect(response.status).toBeLessThan(500);
    expect((await refusalOf(response))[1]).toMatch(/_unknown$|_wrong$|^malformed_body$/);
  },
);

test('hostile tokens: one account’s manual code opens no other account', async () => {
  const [one, other] = [await newAccount(), await newAccount()];
  const code = await codeFor('hand', one.id);
  await codeFor('hand', other.id);
  const refusal = await refusalOf(await post('/deeplink/redeem', { code, email: other.email }));
  expect(refusal.slice(0, 2)).toEqual([422, 'manual_code_wrong']);
});

test('hostile tokens: tokens, codes and polling ids are refused at /admin', async () => {
  const { id } = await newAccount();
  const more = { ADMIN_TOKEN: 'a token of the tests' };
  for (const token of [
    await accessToken(env, { account: id as AccountId, epoch: 0 }),
    await codeFor('app', id),
    env.TOKEN_SECRET,
  ]) {
    const response = await request('/admin/check', { headers: header(token) }, more);
    expect(await statusAndCode(response)).toEqual([404, 'not_found']);
  }
});
