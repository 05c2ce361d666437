import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { cardToken } from '../../../worker/accounts/access-token.ts';
import type { Env } from '../../../worker/platform/env.ts';
import { post, refusalOf, request, statusAndCode } from '../request.ts';
import { newAccount } from './account-fixture.ts';
import { address, productApi } from './product-api.ts';

const product = { PRODUCT_API_URL: address };
const json = (body: unknown, status = 200) => Response.json(body, { status });
const read = (path: string, headers = {}) => request(`/api/v1${path}`, { headers }, product);
const send = (path: string, body: unknown, headers = {}) => post(path, body, headers, product);
const failed = [502, 'product_api_failed', 'An error has occurred'];

test('product API: without PRODUCT_API_URL nothing is forwarded', async () => {
  const forwarded = productApi(() => json({}));
  expect((await request('/api/v1/cf-country')).status).toBe(200);
  expect(forwarded).toHaveLength(0);
});

test('product API: only method, body and token are forwarded', async () => {
  const forwarded = productApi(() => json({ data: { polling_result_id: '1' } }));
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
  expect(forwarded).toHaveLength(1);
  expect(forwarded[0]).toMatchObject({
    method: 'POST',
    redirect: 'manual',
    url: `${address}/users/me/subscriptions/polling/monthly_usd`,
    body: JSON.stringify(body),
  });
  const { 'content-length': _length, ...sent } = forwarded[0]?.headers ?? {};
  expect(sent).toEqual({
    accept: 'application/json',
    'content-type': 'application/json',
    authorization: 'Bearer t',
  });
});

test('product API: a card number as nonce is refused', async () => {
  const forwarded = productApi(() => json({}));
  const body = { gateway: 'stripe', payment_method_nonce: '4242424242424242' };
  const headers = { authorization: 'Bearer t' };
  const response = await send('/users/me/subscriptions/polling/monthly_usd', body, headers);
  expect([response.status, forwarded]).toEqual([400, []]);
  const field = 'payment_method_nonce';
  expect(await response.json()).toMatchObject({ errors: { code: 'malformed_body', field } });
});

test('product API: other authorization schemes are not forwarded', async () => {
  const forwarded = productApi(() => json({}));
  const response = await read('/users/me/payments-settings', { authorization: 'Basic x' });
  expect(await statusAndCode(response)).toEqual([401, 'unauthorized']);
  expect(forwarded).toEqual([]);
});

test('product API: our access token and that of a card link are never forwarded', async () => {
  const forwarded = productApi(() => json({}));
  const { headers, id } = await newAccount();
  const token = await cardToken(env as unknown as Env, { account: id, epoch: 0 });
  const card = { authorization: `Bearer ${token}` };
  expect((await read('/users/me/payments-settings', card)).status).toBe(401);
  const settings = await read('/users/me/payments-settings', headers);
  const order = await send('/users/me/subscriptions/polling/monthly_usd', {}, headers);
  expect([settings.status, order.status]).toEqual([401, 401]);
  await send('/signup', { email: 'a@example.com' }, headers);
  expect(forwarded.map((one) => one.headers.authorization)).toEqual([undefined]);
});

test('product API: calls without a session are forwarded without a token', async () => {
  const forwarded = productApi(() => json({}));
  await read('/polling/get-result/1', { authorization: 'Bearer t' });
  await send('/signup', { email: 'a@example.com' }, { authorization: 'Bearer t' });
  expect(forwarded.map((one) => one.headers.authorization)).toEqual([undefined, undefined]);
});

test('product API: no double slash, and the query stays here', async () => {
  const forwarded = productApi(() => json({}));
  const more = { PRODUCT_API_URL: `${address}/` };
  await request('/api/v1/polling/get-result/1?next=//evil.test&x=@y', {}, more);
  expect(forwarded[0]?.url).toBe(`${address}/polling/get-result/1`);
});

test('product API: an empty POST stays empty', async () => {
  const forwarded = productApi(() => json({ data: {} }));
  const headers = { authorization: 'Bearer t' };
  const path = '/api/v1/users/me/subscriptions/polling/monthly_usd';
  const response = await request(path, { method: 'POST', headers }, product);
  const { 'content-length': _length, ...sent } = forwarded[0]?.headers ?? {};
  expect([response.status, forwarded[0]?.body, sent]).toEqual([
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
])('product API: status %i passes with its JSON', async (status, body) => {
  productApi(() => Response.json(body, { status, headers: { 'set-cookie': 'a=b' } }));
  const response = await read('/polling/get-result/1');
  expect(response.status).toBe(status);
  expect(await response.json()).toEqual(body);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('set-cookie') ?? '').not.toContain('a=b');
});

test('product API: no response header passes', async () => {
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

test('product API: an empty response passes', async () => {
  productApi(() => new Response(null, { status: 204 }));
  expect((await read('/cf-country')).status).toBe(204);
});

test.each([
  ['+4915123456789', undefined],
  ['0151 23456789', 'DE'],
  ['0049 151-23456789', 'US'],
])('product API: the number %s is normalized in the path', async (phone, country) => {
  const forwarded = productApi(() => json({ data: { country: 'DE' } }));
  const response = await send('/phone-number-info', { phone, country });
  expect(await response.json()).toEqual({ data: { country: 'DE' } });
  expect(forwarded[0]).toMatchObject({
    method: 'GET',
    url: `${address}/phone-number-info/%2B4915123456789`,
    body: '',
  });
});

test('product API: a number without SMS is answered with our refusal', async () => {
  productApi(() => json({ data: { country: 'DE' }, more: 1 }));
  const response = await send('/phone-number-info', { phone: '+49 30 12345678' });
  expect(await response.json()).toEqual({
    data: {
      country: 'DE',
      sms_refusal: { code: 'number_not_mobile', message: expect.any(String) },
    },
    more: 1,
  });
});

test('product API: an unknown number is forwarded by its digits', async () => {
  const forwarded = productApi(() => json({ data: {} }));
  await send('/phone-number-info', { phone: '+999 (12) 345-678' });
  expect(forwarded[0]?.url).toBe(`${address}/phone-number-info/%2B99912345678`);
});

test.each(['..', '.', '../users/me?x=#1', '+', '()', 'a', '', '12', '4242424242424242'])(
  'product API: %j is not a number and is not forwarded',
  async (phone) => {
    const forwarded = productApi(() => json({ data: {} }));
    expect([(await send('/phone-number-info', { phone })).status, forwarded]).toEqual([400, []]);
  },
);

test('product API: any refused number is phone_incorrect', async () => {
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
])('product API: a sign-up refused with %i %j is email_taken', async (status, body) => {
  productApi(() => json(body, status));
  const refusal = await refusalOf(await send('/signup', { email: 'a@example.com' }));
  expect(refusal).toEqual([422, 'email_taken', 'The email has already been taken']);
});

test('product API: another refused sign-up passes through', async () => {
  const body = { errors: { messages: ['The name is too long.'] } };
  productApi(() => json(body, 422));
  expect(await (await send('/signup', { email: 'a@example.com' })).json()).toEqual(body);
});

test.each([
  ['HTML', () => new Response('<h1>Bad gateway</h1>', { status: 502 })],
  ['a redirect', () => new Response(null, { status: 302, headers: { location: '/' } })],
  ['a broken line', () => Promise.reject(new TypeError('ada@example.com: connection lost'))],
])('product API: %s is product_api_failed', async (_what, answer) => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  productApi(answer);
  expect(await refusalOf(await read('/cf-country'))).toEqual(failed);
  expect(String(log.mock.calls)).toContain('product_api_failed');
  expect(String(log.mock.calls)).not.toContain('ada@');
});

test('product API: times out after 10 s', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  const { timeout } = AbortSignal;
  const limit = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(20));
  productApi(() => new Promise(() => {}));
  expect(await refusalOf(await read('/cf-country'))).toEqual(failed);
  expect(limit).toHaveBeenCalledWith(10_000);
  expect(String(log.mock.calls)).toContain('TimeoutError');
});

test('product API: the request guard comes first', async () => {
  const forwarded = productApi(() => json({}));
  const foreign = await send('/signup', {}, { origin: 'https://elsewhere.test' });
  const text = await send('/signup', {}, { 'content-type': 'text/plain' });
  expect([foreign.status, text.status]).toEqual([403, 415]);
  expect(forwarded).toHaveLength(0);
});
