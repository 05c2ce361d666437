import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { ask, post } from '../ask.ts';
import { address, productApi } from '../product-api.ts';

const product = { PRODUCT_API_URL: address };
const json = (body: unknown) => Response.json(body);

afterEach(() => void vi.restoreAllMocks());

const hostile = fc.oneof(
  fc.constantFrom(
    ...['..', '.', '%2e%2e', '%2E.', '%5C..%5C..', '\\..\\', '%2f..%2f..', '//evil.test', ';x=1'],
    ...[
      '@evil.test',
      ':80',
      '%00',
      '%0d%0aHost:x',
      '?a=b',
      '%3Fa',
      '%23',
      '%252e%252e',
      '．．',
      '%EF%BC%8E',
    ],
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

test('whatever path is asked for, only a call of the list leaves, below the base path', async () => {
  const seen = productApi(() => json({}));
  const headers = { authorization: 'Bearer t', 'content-type': 'application/json' };
  await fc.assert(
    fc.asyncProperty(hostilePath, fc.constantFrom('GET', 'POST'), async (path, method) => {
      const body = method === 'GET' ? undefined : '{}';
      const asked = new URL('https://funnel.test/');
      asked.pathname = `/api/v1/${path}`;
      // The client's own URL parser must not clean what a socket would send.
      const href = `https://funnel.test/api/v1/${path}`;
      seen.length = 0;
      await ask(URL.canParse(href) ? href : asked.href, { method, headers, body }, product);
      for (const { url } of seen) expect(url.replace(`${address}/`, '')).toMatch(below);
    }),
    { numRuns: 300 },
  );
});

test('whatever number is looked up, it stays one segment', async () => {
  const seen = productApi(() => json({ data: {} }));
  const number = fc.oneof(hostile, fc.stringMatching(/^[+\d ()./\\%-]{0,20}$/));
  await fc.assert(
    fc.asyncProperty(number, async (phone) => {
      seen.length = 0;
      await post('/phone-number-info', { phone }, {}, product);
      for (const { url } of seen) expect(url.replace(`${address}/`, '')).toMatch(below);
    }),
    { numRuns: 300 },
  );
});
