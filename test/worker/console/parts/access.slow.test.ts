import { env } from 'cloudflare:test';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { beforeEach, expect, test, vi } from 'vitest';
import { signInKey } from '../../../../worker/console/parts/rules/sign-in-key.ts';
import { resetState } from '../../reset-state.ts';
import { open, send, signIn } from '../console-client.ts';

const issuer = 'https://team.cloudflareaccess.com';
const access = {
  ENVIRONMENT: 'production',
  ACCESS_TEAM: 'team',
  ACCESS_AUDIENCE: 'console-aud',
  CONSOLE_ROLES: 'ann@example.com=owner,*@example.com=viewer',
};

async function keyPair(kid: string) {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' };
  return { kid, jwk, privateKey };
}

const [key, stranger] = [await keyPair('one'), await keyPair('one')];
const identity = { iss: issuer, aud: ['console-aud'], email: 'ann@example.com' };

const token = (claims: object = identity, seconds = 600, from = key) =>
  new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: from.kid })
    .setIssuedAt()
    .setExpirationTime(Math.floor(Date.now() / 1000) + seconds)
    .sign(from.privateKey);

/** Replaces the URL of the team's keys. */
function publishKeys(answer = () => Response.json({ keys: [key.jwk] })) {
  return vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const { url } = new Request(input, init);
    if (url !== `${issuer}/cdn-cgi/access/certs`) throw new TypeError(`nobody answers ${url}`);
    return answer();
  });
}

const asPerson = async (claims?: object, seconds?: number) => ({
  headers: { 'cf-access-jwt-assertion': await token(claims, seconds) },
  more: access,
});

beforeEach(() => {
  resetState('console/parts/access');
});
test('console access: a Cloudflare Access token opens the console with the role of its e-mail', async () => {
  publishKeys();
  const owner = await open('/console', await asPerson());
  expect(owner.status).toBe(200);
  expect(await owner.text()).toContain('ann@example.com');
  const bob = await asPerson({ ...identity, email: 'bob@example.com' });
  const viewer = await open('/console/experiments', bob);
  expect(await viewer.text()).toContain('Your role cannot publish.');
});

test('console access: Cloudflare Access may send the token as a cookie', async () => {
  publishKeys();
  const headers = { cookie: `CF_Authorization=${await token()}` };
  expect((await open('/console', { headers, more: access })).status).toBe(200);
});

test('console access: a clock that is half a minute slow is tolerated', async () => {
  // The clock is stopped, so that a slow machine adds nothing to the half minute.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  publishKeys();
  expect((await open('/console', await asPerson(identity, -30))).status).toBe(200);
});

test.each<[what: string, token: string | Promise<string>]>([
  ['expired', token(identity, -120)],
  ['of another application', token({ ...identity, aud: ['other'] })],
  ['of another team', token({ ...identity, iss: 'https://evil.cloudflareaccess.com' })],
  ['of an address without a role', token({ ...identity, email: 'eve@evil.example' })],
  ['of a service, which has no e-mail', token({ iss: issuer, aud: ['console-aud'] })],
  ['signed by a stranger', token(identity, 600, stranger)],
  ['that nobody signed', new UnsecuredJWT(identity).encode()],
  ['that is none', 'not.a.token'],
  ['that is missing', ''],
])('console access: a token %s is refused', async (_what, given) => {
  publishKeys();
  const headers = { 'cf-access-jwt-assertion': await given };
  for (const path of ['/console', '/console/audit.csv', '/console/nothing'])
    expect((await open(path, { headers, more: access })).status).toBe(403);
  const sent = await send('/console/publish', { base: 'x' }, { headers, more: access });
  expect(sent.status).toBe(403);
});

test('console access: refused while the keys cannot be read', async () => {
  publishKeys(() => new Response('', { status: 500 }));
  const team = { ...access, ACCESS_TEAM: 'silent' };
  expect((await open('/console', { ...(await asPerson()), more: team })).status).toBe(503);
});

test('console access: in production without Access the path does not exist', async () => {
  const visit = { ...(await asPerson()), more: { ENVIRONMENT: 'production' } };
  for (const path of ['/console', '/console/sign-in?code=x', '/console/style.css'])
    expect((await open(path, visit)).status).toBe(404);
});

test('console access: the local link opens the console once', async () => {
  const code = crypto.randomUUID();
  await env.FUNNEL.put(signInKey(code), 'unused');
  const page = await (await open(`/console/sign-in?code=${code}`)).text();
  expect(page).toContain('Open the console');
  const first = await send('/console/sign-in', { code });
  expect([first.status, first.headers.get('location')]).toEqual([303, '/console']);
  expect(first.headers.get('set-cookie')).toMatch(/^__Host-console=.*HttpOnly.*SameSite=Strict/);
  expect((await send('/console/sign-in', { code })).status).toBe(403);
});

test('console access: the local link does not exist where Access signs people in', async () => {
  const code = crypto.randomUUID();
  await env.FUNNEL.put(signInKey(code), 'unused');
  const sent = await send('/console/sign-in', { code }, { more: access });
  expect([sent.status, sent.headers.get('set-cookie')]).toEqual([403, null]);
});

test('console access: refused without a session, or with a session of another kind', async () => {
  expect((await open('/console')).status).toBe(403);
  const headers = { cookie: '__Host-console=eyJhbGciOiJIUzI1NiJ9.e30.x' };
  expect((await open('/console', { headers })).status).toBe(403);
});

test('console access: a page allows our origin only, is not stored, and sets no visitor cookie', async () => {
  const response = await open('/console', { headers: await signIn() });
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy.replaceAll("'self'", '').replaceAll("'none'", '')).not.toMatch(/https?:|\*|unsafe/);
  expect(policy).toContain("default-src 'none'");
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('set-cookie')).toBeNull();
});
