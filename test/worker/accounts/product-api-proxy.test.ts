import { afterEach, expect, test, vi } from 'vitest';
import { ask, post, refusalOf } from '../request.ts';
import { newAccount } from './account-fixture.ts';
import { address, productApi } from './product-api.ts';

const product = { PRODUCT_API_URL: address };
const json = (body: unknown, status = 200) => Response.json(body, { status });
const read = (path: string, headers = {}) => ask(`/api/v1${path}`, { headers }, product);
const send = (path: string, body: unknown, headers = {}) => post(path, body, headers, product);
const failed = [502, 'product_api_failed', 'An error has occurred'];

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
  const headers = { authorization: 'Bearer t' };
  const response = await send('/users/me/subscriptions/polling/monthly_usd', body, headers);
  expect([response.status, seen]).toEqual([400, []]);
});

test('another kind of authority stays here', async () => {
  const seen = productApi(() => json({}));
  const response = await read('/users/me/payments-settings', { authorization: 'Basic x' });
  expect((await refusalOf(response)).slice(0, 2)).toEqual([401, 'unauthorized']);
  expect(seen).toEqual([]);
});

test('an access token of ours is never sent to the product API', async () => {
  const seen = productApi(() => json({}));
  const { headers } = await newAccount();
  const settings = await read('/users/me/payments-settings', headers);
  const order = await send('/users/me/subscriptions/polling/monthly_usd', {}, headers);
  expect([settings.status, order.status]).toEqual([401, 401]);
  await send('/signup', { email: 'a@example.com' }, headers);
  expect(seen.map((one) => one.headers.authorization)).toEqual([undefined]);
});

test('a call that needs no session is sent without one', async () => {
  const seen = productApi(() => json({}));
  await read('/polling/get-result/1', { authorization: 'Bearer t' });
  await send('/signup', { email: 'a@example.com' }, { authorization: 'Bearer t' });
  expect(seen.map((one) => one.headers.authorization)).toEqual([undefined, undefined]);
});

test('a slash at the end of the address does not double, and the query stays here', async () => {
  const seen = productApi(() => json({}));
  const more = { PRODUCT_API_URL: `${address}/` };
  await ask('/api/v1/polling/get-result/1?next=//evil.test&x=@y', {}, more);
  expect(seen[0]?.url).toBe(`${address}/polling/get-result/1`);
});

test('a POST without a body goes on without one', async () => {
  const seen = productApi(() => json({ data: {} }));
  const headers = { authorization: 'Bearer t' };
  const path = '/api/v1/users/me/subscriptions/polling/monthly_usd';
  const response = await ask(path, { method: 'POST', headers }, product);
  const { 'content-length': _length, ...sent } = seen[0]?.headers ?? {};
  expect([response.status, seen[0]?.body, sent]).toEqual([
    200,
    '',
    { accept: 'application/json', authorization: 'Bearer t' },
  ]);
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

test('of the headers of an answer none passes', async () => {
  const headers = {
    'x-access-token': 'x',
    'www-authenticate': 'Basic',
    link: '<https://evil.test>',
  };
  productApi(() => Response.json({}, { headers }));
  const response = await read('/cf-country');
  for (const name of Object.keys(headers))
    expect(response.headers.get(name)).not.toBe(headers[name as 'link']);
  expect(response.headers.get('content-type')).toBe('application/json');
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

test('a number that only the product API may know is asked for by its digits', async () => {
  const seen = productApi(() => json({ data: {} }));
  await send('/phone-number-info', { phone: '+999 (12) 345-678' });
  expect(seen[0]?.url).toBe(`${address}/phone-number-info/%2B99912345678`);
});

test.each(['..', '.', '../users/me?x=#1', '+', '()', 'a', '', '12', '4242424242424242'])(
  'what is no number, %j, is asked of nobody',
  async (phone) => {
    const seen = productApi(() => json({ data: {} }));
    const response = await send('/phone-number-info', { phone });
    expect([response.status, seen]).toEqual([400, []]);
  },
);

test('a number that it refuses, in whatever way, is incorrect', async () => {
  const incorrect = [400, 'phone_incorrect', 'Phone number is incorrect'];
  productApi(() => json({ message: 'nope' }, 404));
  expect(await refusalOf(await send('/phone-number-info', { phone: '123456' }))).toEqual(incorrect);
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
  expect(String(log.mock.calls)).toContain('product_api_failed');
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
