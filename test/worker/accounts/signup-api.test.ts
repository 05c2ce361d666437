import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { redeemCode } from '../../../worker/accounts/one-time-codes.ts';
import type { Env } from '../../../worker/platform/env.ts';
import { post, refusalOf, request, statusAndCode } from '../request.ts';
import { accountRow, signedUp } from './account-fixture.ts';
import { browserCookies } from './browser.ts';

const visitor = () => crypto.randomUUID();
const fields = (email: string, user_uuid: string = visitor()) => ({
  registration_source: 'email',
  email,
  user_uuid,
  landing_type: 'split_intro_7d',
});
const emailTaken = [422, 'email_taken', 'The email has already been taken'];

/** Bindings whose purchases objects all return this for whether they were ever paid. */
const purchases = (everPaid: () => Promise<boolean>) =>
  ({ PURCHASES: { getByName: () => ({ everPaid }) } }) as unknown as Partial<Env>;

test('sign-up: creates an account and a session', async () => {
  const { uuid, cookie } = browserCookies();
  const browser = { cookie, 'cf-ipcountry': 'DE' };
  const response = await post('/signup', fields('Ada@Example.com', uuid), browser);
  const { entity, access_token, deeplink_token } = await signedUp(response);
  expect(entity.uuid).toBe(uuid);
  expect(response.headers.get('cache-control')).toBe('no-store');
  const headers = { authorization: `Bearer ${access_token}` };
  expect((await request('/api/v1/users/me/payments-settings', { headers })).status).toBe(200);
  const account = entity.external_user_id;
  expect(await redeemCode(env.DB, deeplink_token, 'app', Date.now())).toMatchObject({ account });
  expect(await accountRow(account)).toMatchObject({
    email: 'Ada@Example.com',
    email_key: 'ada@example.com',
    name: 'Ada@Example.com',
    visitor_id: uuid,
    landing_type: 'split_intro_7d',
    country: 'DE',
    language: 'en',
    experiment: null,
    arm: 'fullPrice',
    created_at: expect.closeTo(Date.now(), -5),
  });
});

test('sign-up: stores the name', async () => {
  const sent = { ...fields(' grace@example.com '), name: ' Grace ' };
  const { entity } = await signedUp(await post('/signup', sent));
  expect(await accountRow(entity.external_user_id)).toMatchObject({
    email: 'grace@example.com',
    name: 'Grace',
  });
});

test('sign-up: another visitor gets email_taken, ignoring case', async () => {
  await signedUp(await post('/signup', fields('one@example.com')));
  expect(await refusalOf(await post('/signup', fields('ONE@example.com')))).toEqual(emailTaken);
});

test('sign-up: a visitor who has not paid gets back in', async () => {
  const { cookie } = browserCookies();
  const first = await signedUp(await post('/signup', fields('back@example.com'), { cookie }));
  const second = await signedUp(await post('/signup', fields('Back@example.com'), { cookie }));
  expect(second.entity).toEqual(first.entity);
  expect(second.deeplink_token).not.toBe(first.deeplink_token);
});

test('sign-up: a visitor who has paid does not get back in', async () => {
  const { cookie } = browserCookies();
  await signedUp(await post('/signup', fields('paid@example.com'), { cookie }));
  const response = await post(
    '/signup',
    fields('paid@example.com'),
    { cookie },
    purchases(async () => true),
  );
  expect(await refusalOf(response)).toEqual(emailTaken);
});

test.each([
  ['email', undefined, 422, 'email_invalid'],
  ['email', { $ne: '' }, 422, 'email_invalid'],
  ['user_uuid', 'me', 400, 'malformed_body'],
  ['user_uuid', '5d6c3c5e-8a0e-1b6f-9d5f-0a1b2c3d4e5f', 400, 'malformed_body'],
  ['user_uuid', undefined, 400, 'malformed_body'],
  ['landing_type', 'x'.repeat(101), 400, 'malformed_body'],
  ['landing_type', undefined, 400, 'malformed_body'],
  ['registration_source', 'carrier pigeon', 400, 'malformed_body'],
  ['name', 'x'.repeat(201), 400, 'malformed_body'],
])('sign-up: %s %j is refused', async (field, value, status, code) => {
  const response = await post('/signup', { ...fields('check@example.com'), [field]: value });
  expect(await statusAndCode(response)).toEqual([status, code]);
});

const failed = [503, 'signup_failed', 'Failed to create an account'];
const broken = {
  prepare: () => ({ bind: () => ({ first: () => Promise.reject(new Error('D1')) }) }),
};

test('sign-up: after a D1 failure the next call works', async () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {});
  const sent = fields('later@example.com');
  const down = await post('/signup', sent, {}, { DB: broken as never });
  expect(await refusalOf(down)).toEqual(failed);
  expect(String(error.mock.calls)).toContain('signup_failed');
  expect(String(error.mock.calls)).not.toContain('later@');
  await signedUp(await post('/signup', sent));
});

test('sign-up: when the purchases object fails, the account stays closed', async () => {
  const sent = fields('unsure@example.com');
  const own = { cookie: browserCookies().cookie };
  await signedUp(await post('/signup', sent, own));
  const unsure = purchases(() => Promise.reject(new Error('overloaded')));
  expect(await refusalOf(await post('/signup', sent, own, unsure))).toEqual(failed);
});

test('sign-up: a call that failed halfway is completed by the next', async () => {
  const sent = fields('half@example.com');
  const own = { cookie: browserCookies().cookie };
  const batch = () => Promise.reject(new Error('lost'));
  const half = { prepare: (sql: string) => env.DB.prepare(sql), batch } as unknown as Env['DB'];
  expect(await refusalOf(await post('/signup', sent, own, { DB: half }))).toEqual(failed);
  await signedUp(await post('/signup', sent, own));
});
