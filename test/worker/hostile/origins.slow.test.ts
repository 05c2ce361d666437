import { env } from 'cloudflare:test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newAccount } from '../accounts/account-fixture.ts';
import { changing, isForm, paths, type Route, takesBody } from '../all-routes.ts';
import { request } from '../request.ts';

type Headers = Record<string, string>;

const origin = 'http://localhost';
const form = 'application/x-www-form-urlencoded';
const foreignEmail = 'foreign@example.com';

/** The caller's headers; one account is enough for all, because every call is refused. */
let own: Headers = {};
beforeAll(async () => {
  own = (await newAccount()).headers;
});
afterAll(async () => {
  const query = env.DB.prepare('SELECT id FROM accounts WHERE email = ?').bind(foreignEmail);
  expect(await query.all(), 'accounts of refused forms').toMatchObject({ results: [] });
});

/** Webhooks are signed or carry a server's key, and operators send a token that no browser stores. */
const open = /^\/(webhooks|admin)\//;
const guarded = changing.filter(({ route }) => !open.test(route));

/** Sends a valid request of the route from another origin, as an authorized caller. */
async function send(route: Route, headers: Headers) {
  const [body, type] = isForm(route)
    ? [`phone=%2B4915123456789&email=${foreignEmail}&language=de`, form]
    : ['{}', 'application/json'];
  const init = {
    method: route.method,
    headers: { ...own, 'content-type': type, ...headers },
    ...(takesBody(route) ? { body } : {}),
  };
  const response = await request(route.path, init);
  return { response, text: await response.text() };
}

test('hostile origins: only signed calls and operators’ calls accept other origins', () => {
  const others = changing.filter(({ route }) => open.test(route)).map(({ route }) => route);
  expect(new Set(others)).toEqual(
    new Set([
      '/webhooks/product',
      '/webhooks/twilio',
      '/webhooks/twilio/status',
      '/webhooks/:gateway',
      '/admin/people',
      '/admin/refunds',
      '/admin/rebuild',
      '/admin/entitlement-webhook',
      '/admin/dead-letters',
      '/admin/subscriptions/:attempt/end',
      '/admin/requesters/:account/release',
      '/admin/monitoring/check',
      '/admin/monitoring/snooze',
      '/admin/price-raises',
      '/admin/publications',
      '/admin/publications/due',
      '/admin/publications/sale',
      '/admin/publications/:id/cancel',
      '/admin/visitors/:visitor{[0-9a-f-]{36}}/erase',
    ]),
  );
  expect(guarded.length).toBeGreaterThan(30);
});

const foreign: Headers[] = [
  { origin: 'https://elsewhere.test' },
  { origin: 'null' },
  { origin: `${origin}.elsewhere.test` },
  { origin: 'http://localhost:8080' },
  { origin: 'https://localhost' },
  { origin: '' },
  { origin: `${origin}, https://elsewhere.test` },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site', origin },
  { 'sec-fetch-site': 'cross-site', origin },
  { 'sec-fetch-site': 'SAME-ORIGIN ', origin: 'https://elsewhere.test' },
];

test.each(guarded)('hostile origins: $method $path refuses other origins', async (route) => {
  for (const headers of foreign) {
    const { response, text } = await send(route, headers);
    expect([headers, response.status]).toEqual([headers, 403]);
    if (isForm(route)) expect(text).toContain('<main');
    else expect(JSON.parse(text).errors.code).toBe('cross_origin_request');
    // A new visitor may get an id, but nothing that was sent is stored.
    expect(response.headers.getSetCookie().join()).not.toMatch(/lng=|carry=|consent=/);
  }
});

const calls = [form, 'multipart/form-data; boundary=b', 'text/plain', 'text/html', 'image/png'];
const forms = ['application/json', 'text/plain', 'application/csp-report', 'text/html', ''];

test.each(guarded)('hostile origins: $method $path refuses other content types', async (route) => {
  for (const type of isForm(route) ? forms : calls) {
    const { response } = await send(route, { 'content-type': type });
    const beacon = route.route === '/api/v1/events' && type === 'text/plain';
    expect([type, response.status]).toEqual([type, beacon ? 400 : 415]);
  }
});

test('hostile origins: no response has CORS headers', async () => {
  const preflight = {
    origin: 'https://elsewhere.test',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization, content-type',
  };
  for (const path of paths) {
    for (const method of ['OPTIONS', 'GET', 'POST']) {
      const { headers } = await request(path, { method, headers: { ...own, ...preflight } });
      const allowed = [...headers.keys()].filter((name) => name.startsWith('access-control-'));
      expect([method, path, allowed]).toEqual([method, path, []]);
    }
  }
});
