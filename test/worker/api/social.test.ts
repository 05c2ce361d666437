import { env } from 'cloudflare:test';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SignedUp } from '../../../worker/api/signup.ts';
import type { Env } from '../../../worker/env.ts';
import { ask, post, refusalOf } from '../ask.ts';
import { claims, clientId, googleKey, publish } from '../vendors/google-keys.ts';

const path = '/authorize_social_via_access_token';
const configured = { GOOGLE_CLIENT_ID: clientId };
const { jwk, sign } = await googleKey();

beforeEach(() => void publish(() => Response.json({ keys: [jwk] })));
afterEach(() => void vi.restoreAllMocks());

const fields = async (said: Partial<typeof claims>, user_uuid: string = crypto.randomUUID()) => ({
  access_token: await sign({ ...claims, ...said }),
  driver: 'google',
  landing_type: 'split_intro_7d',
  user_uuid,
});
const authorize = (body: object, more: Partial<Env> = {}) =>
  post(path, body, {}, { ...configured, ...more });

async function signedUp(response: Response): Promise<SignedUp> {
  expect(response.status).toBe(200);
  return ((await response.json()) as { data: SignedUp }).data;
}

const rowOf = (id: string) =>
  env.DB.prepare('SELECT * FROM accounts WHERE id = ?').bind(id).first();

test('a credential makes an account, as a sign-up by e-mail does', async () => {
  const uuid = crypto.randomUUID();
  const response = await authorize(await fields({ email: 'Grace@Example.com' }, uuid));
  expect(response.headers.get('cache-control')).toBe('no-store');
  const { entity, access_token, deeplink_token } = await signedUp(response);
  expect([entity.uuid, typeof deeplink_token]).toEqual([uuid, 'string']);
  const headers = { authorization: `Bearer ${access_token}` };
  expect((await ask('/api/v1/users/me/payments-settings', { headers })).status).toBe(200);
  expect(await rowOf(entity.external_user_id)).toMatchObject({
    email: 'Grace@Example.com',
    name: 'Ada Lovelace',
    user_uuid: uuid,
    landing_type: 'split_intro_7d',
    verified_at: expect.any(Number),
  });
});

test.each([undefined, '   ', 7])('the name %j falls back to the e-mail', async (name) => {
  const email = `${crypto.randomUUID()}@example.com`;
  const { entity } = await signedUp(await authorize(await fields({ email, name })));
  expect(await rowOf(entity.external_user_id)).toMatchObject({ name: email });
});

test('an e-mail that another visitor signed up with is taken, whatever its case', async () => {
  const mail = { email: 'mail@example.com', user_uuid: crypto.randomUUID(), landing_type: 'x' };
  await signedUp(await post('/signup', mail));
  const refused = await refusalOf(await authorize(await fields({ email: 'Mail@example.com' })));
  expect(refused).toEqual([422, 'email_taken', 'The email has already been taken']);
});

test('a visitor gets back into their own account until it is paid', async () => {
  const uuid = crypto.randomUUID();
  const mail = { email: 'own@example.com', user_uuid: uuid, landing_type: 'x' };
  const first = await signedUp(await post('/signup', mail));
  const back = await fields({ email: 'own@example.com' }, uuid);
  expect((await signedUp(await authorize(back))).entity).toEqual(first.entity);
  const paid = { PURCHASES: { getByName: () => ({ paid: async () => true }) } } as never;
  expect((await refusalOf(await authorize(back, paid)))[1]).toBe('email_taken');
});

test.each([
  ['driver', 'carrier pigeon', 400, 'bad_body'],
  ['driver', undefined, 400, 'bad_body'],
  ['user_uuid', 'me', 400, 'bad_body'],
  ['landing_type', 'x'.repeat(101), 400, 'bad_body'],
  ['access_token', undefined, 401, 'google_refused'],
  ['access_token', '', 401, 'google_refused'],
  ['access_token', 'x'.repeat(8193), 401, 'google_refused'],
])('%s %j is refused', async (field, value, status, code) => {
  const response = await authorize({ ...(await fields({})), [field]: value });
  expect((await refusalOf(response)).slice(0, 2)).toEqual([status, code]);
});

test.each([
  [{ aud: 'other.apps.googleusercontent.com' }, 401, 'google_refused'],
  [{ email_verified: false }, 422, 'google_email_unverified'],
  [{ email: 'nowhere@localhost' }, 422, 'google_email_unverified'],
])('a credential that says %j is refused, and makes nothing', async (said, status, code) => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const email = `${crypto.randomUUID()}@example.com`;
  const response = await authorize(await fields({ email, ...said }));
  expect((await refusalOf(response)).slice(0, 2)).toEqual([status, code]);
  const count = env.DB.prepare('SELECT count(*) AS n FROM accounts WHERE email_key = ?');
  expect(await count.bind(email).first('n')).toBe(0);
});

test('without a client id nobody is let in by Google', async () => {
  const response = await authorize(await fields({}), { GOOGLE_CLIENT_ID: undefined });
  expect((await refusalOf(response)).slice(0, 2)).toEqual([503, 'google_unconfigured']);
});

test('no line of log holds who it was', async () => {
  const lines = (['info', 'warn', 'error'] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation(() => {}),
  );
  const who = { email: 'canary@example.com', name: 'Canary Bird' };
  const good = await fields(who);
  const bad = await fields({ ...who, aud: 'other' });
  for (const body of [good, bad]) await authorize(body);
  const said = JSON.stringify(lines.map(({ mock }) => mock.calls));
  expect(said).toContain('sign_in_refused');
  for (const word of ['canary', 'Canary', claims.sub, good.access_token, bad.access_token]) {
    expect(said.includes(word)).toBe(false);
  }
});
