import { expect, test, vi } from 'vitest';
import {
  allowedQuery,
  appDomains,
  clickIds,
  isAllowedValue,
} from '../../../worker/http/query-allowlist.ts';
import type { Env } from '../../../worker/platform/env.ts';
import { request } from '../request.ts';

const env = { ENVIRONMENT: 'test', APP_DOMAINS: ' app.example.com, Other.example ,' } as Env;

test('query allow-list: app domains are comma-separated', () => {
  expect(appDomains(env)).toEqual(['app.example.com', 'other.example']);
  expect(appDomains({})).toEqual([]);
});

test.each([
  ['appDomain', 'app.example.com'],
  ['appDomain', 'OTHER.example'],
  ['utm_content', '23851234567890123456'],
  ['utm_campaign', 'Spring sale 2026-11-21'],
  ['fbclid', 'IwAR2x-0AbC_1234567890'],
  ['gbraid', '0AAAAADp-abC_1'],
  ['wbraid', 'ClsKCQiA-abC_1'],
  ['utm_id', '120210334455667'],
])('query allow-list: %s=%s is allowed', (name, value) =>
  expect(isAllowedValue(name, value, env)).toBe(true),
);

test.each([
  ['appDomain', 'evil.example'],
  ['appDomain', 'app.example.com.evil.example'],
  ['appDomain', 'app.example.com/x'],
  ['appDomain', ''],
  ['utm_content', 'grace@example.com'],
  ['utm_term', 'grace%2540example.com'],
  ['utm_term', '+1 212-555-0100'],
  ['fbclid', '4915112345678'],
  ['gbraid', '4915112345678'],
  ['wbraid', '2125550100'],
  ['email', 'grace@example.com'],
  ['grace@example.com', ''],
])('query allow-list: %s=%s is not allowed', (name, value) =>
  expect(isAllowedValue(name, value, env)).toBe(false),
);

test('query allow-list: a form’s query follows the same rules', () => {
  const referer = 'http://localhost/one_pager?gclid=1&utm_term=grace%40example.com&appDomain=evil';
  const request = new Request('http://localhost/one_pager', {
    method: 'POST',
    headers: { referer },
  });
  expect(allowedQuery(request, env)).toEqual({ gclid: '1' });
});

test.each([
  ['GET', '/api/v1/users/me/purchases', { gclid: '1' }],
  ['GET', '/api/v1/users/me/purchases?gclid=2', { gclid: '2' }],
  ['POST', '/api/v1/signup', { gclid: '1' }],
  ['GET', '/one_pager', {}],
])(
  'query allow-list: %s %s has the query of its page only if it is no page itself',
  (method, path, query) => {
    const headers = { referer: 'http://localhost/one_pager?gclid=1' };
    expect(allowedQuery(new Request(`http://localhost${path}`, { method, headers }), env)).toEqual(
      query,
    );
    const foreign = { referer: 'https://other.example/one_pager?gclid=1' };
    const asked = new Request(`http://localhost${path.split('?')[0]}`, {
      method,
      headers: foreign,
    });
    expect(allowedQuery(asked, env)).toEqual({});
  },
);

test('query allow-list: every network’s click id travels from screen to screen', () => {
  const clicks = Object.fromEntries(clickIds.map((id) => [id, `of ${id}`]));
  const page = new Request(`http://localhost/one_pager?${new URLSearchParams(clicks)}&dclid=D`);
  expect(allowedQuery(page, env)).toEqual(clicks);
});

const APP_DOMAINS = 'app.example.com';

/** The target of a redirect; null for a direct response. */
async function redirectOf(address: string) {
  const response = await request(address, {}, { APP_DOMAINS });
  const location = response.headers.get('location');
  if (location) {
    expect(response.status).toBe(303);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.getSetCookie()).toEqual([]);
  }
  return location;
}

test.each([
  ['/?utm_content=grace%40example.com', '/'],
  [
    '/one_pager?gclid=G1&utm_term=grace%252540example.com&fbclid=F1',
    '/one_pager?gclid=G1&fbclid=F1',
  ],
  ['/one_pager?utm_campaign=%2B1+212-555-0100&utm_source=s', '/one_pager?utm_source=s'],
  ['/one_pager?utm_campaign=+4915112345678', '/one_pager'],
  ['/one_pager?phone=(212)+555-0100', '/one_pager'],
  ['/one_pager?phone=4915112345678&user_email=&gclid=G1', '/one_pager?gclid=G1'],
  ['http://localhost//evil.example?utm_content=grace%40example.com&gclid=G1', '/?gclid=G1'],
  ['/no/page?utm_content=grace%40example.com', '/'],
  ['/manage/card?utm_content=grace%40example.com', '/manage/card'],
  ['/manage/receipt?email=grace%40example.com&gclid=G1', '/manage/receipt?gclid=G1'],
  ['/one_pager?appDomain=evil.example&gclid=G1', '/one_pager?gclid=G1'],
])('personal query: %s redirects to %s', async (address, clean) =>
  expect(await redirectOf(address)).toBe(clean),
);

test.each([
  '/one_pager',
  '/one_pager?gbraid=0AAAAADp&wbraid=ClsKCQiA',
  '/one_pager?appDomain=app.example.com&utm_campaign=120210334455667&utm_term=Spring+sale',
  '/api/v1/geocode?city=grace%40example.com&country=US',
])('personal query: %s is not redirected', async (address) =>
  expect(await redirectOf(address)).toBeNull(),
);

test('personal query: the log has the number of parameters only', async () => {
  const log = vi.spyOn(console, 'info').mockImplementation(() => {});
  await redirectOf('/one_pager?utm_content=grace%40example.com&appDomain=evil.example');
  const lines = log.mock.calls.map(([line]) => String(line));
  log.mockRestore();
  expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({ event: 'personal_query_removed', count: 2 });
  expect(lines.join()).not.toMatch(/grace|evil/);
});
