import { env } from 'cloudflare:test';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { everyCall } from '../all-routes.ts';
import { post, request, statusAndCode } from '../request.ts';
import { newAccount } from './account-fixture.ts';
import { address, productApi } from './product-api.ts';

const product = { PRODUCT_API_URL: address };
const json = (body: unknown) => Response.json(body);

/** The calls of the specification's section 7, with the number in a body instead of our URL. */
const productCalls = [
  'GET /cf-country',
  'GET /polling/get-result/:id',
  'GET /users/me/deeplink-qr-code',
  'GET /users/me/payments-settings',
  'POST /authorize_social_via_access_token',
  'POST /phone-number-info',
  'POST /signup',
  'POST /users/me/subscriptions/:plan',
  'POST /users/me/subscriptions/polling/:plan',
];

test('product API: exactly the specified calls are forwarded', async () => {
  const forwarded = new Set<string>();
  for (const { method, route, path } of everyCall) {
    const requests = productApi(() => json({}));
    const body = method === 'GET' ? undefined : JSON.stringify({ phone: '+4915123456789' });
    const headers = { authorization: 'Bearer t', 'content-type': 'application/json' };
    await request(path, { method, headers, body }, product);
    const call = `${method} ${route.replace('/api/v1', '')}`;
    if (requests.some(({ url }) => url.startsWith(address))) forwarded.add(call);
    vi.restoreAllMocks();
  }
  expect([...forwarded].sort()).toEqual(productCalls);
});

test('product API: consent, coupons and geocoding stay here', async () => {
  const forwarded = productApi(() => json({}));
  expect((await post('/consent', { choice: 'yes' }, {}, product)).status).toBe(200);
  const coupon = await post('/coupons', { coupon: 'NONE', plan: 'monthly_usd' }, {}, product);
  expect(await statusAndCode(coupon)).toEqual([422, 'coupon_unknown']);
  expect(await statusAndCode(request('/api/v1/geocode', {}, product))).toEqual([
    404,
    'geocoding_failed',
  ]);
  expect(forwarded).toEqual([]);
});

test('product API: earlier sessions of ours still work', async () => {
  const forwarded = productApi(() => json({}));
  const { headers } = await newAccount();
  expect((await request('/api/v1/users/me/purchases', { headers }, product)).status).toBe(200);
  expect((await post('/users/me/deeplink', {}, headers, product)).status).toBe(200);
  const theirs = { headers: { authorization: 'Bearer t' } };
  const refused = await request('/api/v1/users/me/purchases', theirs, product);
  expect(await statusAndCode(refused)).toEqual([401, 'unauthorized']);
  expect(forwarded).toEqual([]);
});

const hostile = fc.oneof(
  fc.constantFrom(
    ...'.. . %2e%2e %2E. %5C..%5C.. \\..\\ %2f..%2f.. //evil.test ;x=1 @evil.test :80'.split(' '),
    ...'%00 %0d%0aHost:x ?a=b %3Fa %23 %252e%252e ．． %EF%BC%8E'.split(' '),
    ...['monthly_usd', 'polling', 'users', 'me', 'signup', 'get-result', 'admin', ''],
  ),
  fc
    .string({ unit: 'binary', maxLength: 12 })
    .map((text) => encodeURIComponent(text.toWellFormed())),
  fc.string({ maxLength: 12 }),
);
const starts = [
  'users/me/subscriptions',
  'users/me/subscriptions/polling',
  'polling/get-result',
  '',
];
const hostilePath = fc
  .tuple(fc.constantFrom(...starts), fc.array(hostile, { minLength: 1, maxLength: 4 }))
  .map(([start, parts]) => [start, ...parts].join('/'));
const below =
  /^(signup|authorize_social_via_access_token|cf-country|users\/me\/(payments-settings|deeplink-qr-code)|phone-number-info\/(%2B)?\d+|users\/me\/subscriptions\/(polling\/)?\w+|polling\/get-result\/[\w-][\w.%~-]*)$/;

test('product API: any path reaches listed calls only, below the base path', async () => {
  const forwarded = productApi(() => json({}));
  const headers = { authorization: 'Bearer t', 'content-type': 'application/json' };
  await fc.assert(
    fc.asyncProperty(hostilePath, fc.constantFrom('GET', 'POST'), async (path, method) => {
      const body = method === 'GET' ? undefined : '{}';
      const url = new URL('https://funnel.test/');
      url.pathname = `/api/v1/${path}`;
      // The client's own URL parser must not normalize the path, unlike a raw socket.
      const href = `https://funnel.test/api/v1/${path}`;
      forwarded.length = 0;
      await request(URL.canParse(href) ? href : url.href, { method, headers, body }, product);
      for (const { url } of forwarded) expect(url.replace(`${address}/`, '')).toMatch(below);
    }),
    { numRuns: env.SLOW ? 300 : 50 },
  );
});

test('product API: a phone number is one path segment', async () => {
  const forwarded = productApi(() => json({ data: {} }));
  const number = fc.oneof(hostile, fc.stringMatching(/^[+\d ()./\\%-]{0,20}$/));
  await fc.assert(
    fc.asyncProperty(number, async (phone) => {
      forwarded.length = 0;
      await post('/phone-number-info', { phone }, {}, product);
      for (const { url } of forwarded) expect(url.replace(`${address}/`, '')).toMatch(below);
    }),
    { numRuns: env.SLOW ? 300 : 50 },
  );
});
