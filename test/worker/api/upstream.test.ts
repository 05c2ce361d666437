import { afterEach, expect, test, vi } from 'vitest';
import { ask, post, refusalOf } from '../ask.ts';
import { address, productApi } from '../product-api.ts';

const product = { PRODUCT_API_URL: address };
const json = (body: unknown, status = 200) => Response.json(body, { status });
const read = (path: string, headers = {}) => ask(`/api/v1${path}`, { headers }, product);
const send = (path: string, body: unknown, headers = {}) => post(path, body, headers, product);
const failed = [502, 'upstream_failed', 'An error has occurred'];

afterEach(() => void vi.restoreAllMocks());

test('without an address nothing is forwarded', async () => {
  const seen = productApi(() => json({}));
  expect((await ask('/api/v1/cf-country')).status).toBe(200);
  expect(seen).toHaveLength(0);
});

test('a call goes on with its method, body and token, and nothing else of the visitor', async () => {
  const seen = productApi(() => json({ data: { polling_result_id: '1' } }));
  const headers = {
    authorization: 'Bearer t',
    cookie: 'userUuid=u',
    connection: 'keep-alive',
    'x-forwarded-for': '192.0.2.1',
    'user-agent': 'browser',
  };
  const body = { gateway: 'stripe', payment_method_nonce: 'pm_1' };
  const response = await send('/users/me/subscriptions/polling/monthly_usd', body, headers);
  expect(await response.json()).toEqual({ data: { polling_result_id: '1' } });
  expect(seen).toHaveLength(1);
  expect(seen[0]).toMatchObject({
    method: 'POST',
    redirect: 'manual',
    url: `${address}/users/me/subscriptions/polling/monthly_usd`,
    body: JSON.stringify(body),
  });
  const { 'content-length': _length, ...sent } = seen[0]?.headers ?? {};
  expect(sent).toEqual({
    accept: 'application/json',
    'content-type': 'application/json',
    authorization: 'Bearer t',
  });
});

test('a card’s number in the place of its name goes nowhere', async () => {
  const seen = productApi(() => json({}));
  const body = { gateway: 'stripe', payment_method_nonce: '4242424242424242' };
  const response = await send('/users/me/subscriptions/polling/monthly_usd', body, {});
  expect([response.status, seen]).toEqual([400, []]);
});

test('another kind of authority stays here', async () => {
  const seen = productApi(() => json({}));
  await read('/users/me/payments-settings', { authorization: 'Basic x' });
  expect(seen[0]?.headers).toEqual({ accept: 'application/json' });
});

test('a slash at the end of the address does not double, and the query goes along', async () => {
  const seen = productApi(() => json({}));
  const more = { PRODUCT_API_URL: `${address}/` };
  await ask('/api/v1/geocode?city=Porto&country=PT', {}, more);
  expect(seen[0]?.url).toBe(`${address}/geocode?city=Porto&country=PT`);
});

test.each([
  [200, { country_code: 'PT' }],
  [202, { data: {} }],
  [404, { errors: { messages: ['No such poll'] } }],
  [500, { errors: { messages: ['Down'] } }],
])('status %i passes through with its JSON', async (status, body) => {
  productApi(() => Response.json(body, { status, headers: { 'set-cookie': 'a=b' } }));
  const response = await read('/polling/get-result/1');
  expect(response.status).toBe(status);
  expect(await response.json()).toEqual(body);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('set-cookie') ?? '').not.toContain('a=b');
});

test('an answer without a body passes through', async () => {
  productApi(() => new Response(null, { status: 204 }));
  expect((await read('/cf-country')).status).toBe(204);
});

test('events stay here', async () => {
  const seen = productApi(() => json({}));
  expect((await send('/events', { events: [] })).status).toBe(204);
  expect(seen).toHaveLength(0);
});

test.each([
  ['+4915123456789', undefined],
  ['0151 23456789', 'DE'],
  ['0049 151-23456789', 'US'],
])('the number %s goes out in the path, in one spelling', async (phone, country) => {
  const seen = productApi(() => json({ data: { country: 'DE' } }));
  const response = await send('/phone-number-info', { phone, country });
  expect(await response.json()).toEqual({ data: { country: 'DE' } });
  expect(seen[0]).toMatchObject({
    method: 'GET',
    url: `${address}/phone-number-info/%2B4915123456789`,
    body: '',
  });
});

test('a number that only the product API may know is escaped', async () => {
  const seen = productApi(() => json({ data: {} }));
  await send('/phone-number-info', { phone: '../users/me?x=#1' });
  expect(seen[0]?.url).toBe(`${address}/phone-number-info/..%2Fusers%2Fme%3Fx%3D%231`);
});

test('a number that it refuses, in whatever way, is incorrect', async () => {
  const incorrect = [400, 'phone_incorrect', 'Phone number is incorrect'];
  productApi(() => json({ message: 'nope' }, 404));
  expect(await refusalOf(await send('/phone-number-info', { phone: '1' }))).toEqual(incorrect);
  expect(await refusalOf(await send('/phone-number-info', {}))).toEqual(incorrect);
});

test.each([
  [422, { errors: { messages: ['The email has already been taken.'] } }],
  [400, { errors: { messages: ['THE EMAIL HAS ALREADY. BEEN TAKEN'] } }],
  [409, { error: 'UserEmailTaken' }],
  [422, { errors: { messages: ['User.Email.Taken'] } }],
])('a sign-up refused with %i %j is a taken e-mail', async (status, body) => {
  productApi(() => json(body, status));
  const refusal = await refusalOf(await send('/signup', { email: 'a@example.com' }));
  expect(refusal).toEqual([422, 'email_taken', 'The email has already been taken']);
});

test('any other refusal of a sign-up passes through', async () => {
  const body = { errors: { messages: ['The name is too long.'] } };
  productApi(() => json(body, 422));
  expect(await (await send('/signup', { email: 'a@example.com' })).json()).toEqual(body);
});

test.each([
  ['HTML', () => new Response('<h1>Bad gateway</h1>', { status: 502 })],
  ['a redirect', () => new Response(null, { status: 302, headers: { location: '/' } })],
  ['a broken line', () => Promise.reject(new TypeError('ada@example.com: connection lost'))],
])('%s is a failure of the product API', async (_what, answer) => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  productApi(answer);
  expect(await refusalOf(await read('/cf-country'))).toEqual(failed);
  expect(String(log.mock.calls)).toContain('upstream_failed');
  expect(String(log.mock.calls)).not.toContain('ada@');
});

test('it has 10 seconds', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  const { timeout } = AbortSignal;
  const limit = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(20));
  productApi(() => new Promise(() => {}));
  expect(await refusalOf(await read('/cf-country'))).toEqual(failed);
  expect(limit).toHaveBeenCalledWith(10_000);
  expect(String(log.mock.calls)).toContain('TimeoutError');
});

test('the guard and the type of a body hold before it', async () => {
  const seen = productApi(() => json({}));
  const foreign = await send('/signup', {}, { origin: 'https://elsewhere.test' });
  const text = await send('/signup', {}, { 'content-type': 'text/plain' });
  expect([foreign.status, text.status]).toEqual([403, 415]);
  expect(seen).toHaveLength(0);
});
