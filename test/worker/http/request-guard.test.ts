import { expect, test, vi } from 'vitest';
import errors from '../../../locales/en/errors.json';
import type { Env } from '../../../worker/platform/env.ts';
import { post, refusalOf, request, statusAndCode } from '../request.ts';

const origin = 'http://localhost';
const sent = { events: [{ id: '1', name: 'load' }] };

test.each([
  [{}],
  [{ origin }],
  [{ 'sec-fetch-site': 'same-origin', origin }],
  [{ 'sec-fetch-site': 'same-origin', origin: 'null' }],
  [{ 'sec-fetch-site': 'none' }],
])('request guard: %j is allowed to POST', async (headers: Record<string, string>) => {
  expect((await post('/events', sent, headers)).status).toBe(204);
});

test('request guard: GET is allowed from any origin', async () => {
  const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.test' };
  expect((await request('/api/v1/cf-country', { headers })).status).toBe(200);
});

test('request guard: a body over 64 KB is refused', async () => {
  const padded = (length: number) => {
    const body = JSON.stringify(sent);
    return body + ' '.repeat(length - body.length);
  };
  const events = (body: BodyInit) => {
    const headers = { 'content-type': 'application/json' };
    return request('/api/v1/events', { method: 'POST', headers, body });
  };
  expect((await events(padded(64 * 1024))).status).toBe(204);
  const refusal = await refusalOf(await events(padded(64 * 1024 + 1)));
  expect(refusal.slice(0, 2)).toEqual([413, 'body_too_large']);
  expect((await events(new Blob([padded(70_000)]).stream())).status).toBe(413);
});

const address = '192.0.2.7';
const from = (ip: string) => ({ 'cf-connecting-ip': ip });
const consent = (headers: Record<string, string>) => post('/consent', { choice: 'no' }, headers);
const signUp = (headers: Record<string, string>, more: Partial<Env> = {}) => {
  const email = `${crypto.randomUUID()}@example.com`;
  const who = { email, user_uuid: crypto.randomUUID(), landing_type: 'split_fullPrice' };
  return post('/signup', who, headers, more);
};

/** A platform limit that is reached at once, and all names that it was called with. */
function exhaustedLimiter() {
  const names: string[] = [];
  const limit = async ({ key }: { key: string }) => {
    names.push(key);
    return { success: false };
  };
  return { names, limit };
}

test('rate limit: guessing codes is stopped for one IP only', async () => {
  const tried = () => post('/deeplink/redeem', { code: 'x' }, from(address));
  let response = await tried();
  expect(await statusAndCode(response)).toEqual([404, 'deeplink_unknown']);
  // It counts by minutes of the clock, and a new one may begin meanwhile.
  for (let tries = 0; tries < 1000 && response.status === 404; tries += 1) response = await tried();
  expect(await refusalOf(response)).toEqual([429, 'rate_limited', errors.rate_limited]);
  expect((await signUp(from('192.0.2.8'))).status).toBe(200);
  expect((await signUp({})).status).toBe(200);
  expect((await consent(from(address))).status).toBe(200);
});

test.each([
  ['/signup', 'SIGNUP_RATE_LIMIT'],
  ['/authorize_social_via_access_token', 'SIGNUP_RATE_LIMIT'],
  ['/sign-in-link', 'SIGNUP_RATE_LIMIT'],
  ['/sign-in-link/check', 'SIGNUP_RATE_LIMIT'],
  ['/sign-in-link/open', 'SIGNUP_RATE_LIMIT'],
  ['/card-link/check', 'SIGNUP_RATE_LIMIT'],
  ['/card-link/open', 'SIGNUP_RATE_LIMIT'],
  ['/deeplink/redeem', 'SIGNUP_RATE_LIMIT'],
  ['/deeplink/email', 'SIGNUP_RATE_LIMIT'],
  ['/consent', 'POST_RATE_LIMIT'],
  ['/events', 'POST_RATE_LIMIT'],
  ['/nothing', 'POST_RATE_LIMIT'],
] as const)('rate limit: POST %s uses %s, under a hashed name', async (path, rate) => {
  const counter = exhaustedLimiter();
  const response = await post(path, {}, from(address), { [rate]: counter });
  expect(await statusAndCode(response)).toEqual([429, 'rate_limited']);
  expect(counter.names).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
});

test.each([
  '/healthz',
  '/status',
  '/tiles.pmtiles',
  '/api/v1/users/me/purchases',
  '/api/v1/polling/get-result/x',
  '/api/v1/geocode',
])(
  'rate limit: GET %s writes, calls a vendor or starts an object, and uses READ_RATE_LIMIT',
  async (path) => {
    const counter = exhaustedLimiter();
    const response = await request(path, { headers: from(address) }, { READ_RATE_LIMIT: counter });
    expect(await statusAndCode(response)).toEqual([429, 'rate_limited']);
    expect(counter.names).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
  },
);

test('rate limit: one call in ten counts for the /48 too, which has ten times the limit', async () => {
  const called = async (ip: string, at: number) => {
    const names: string[] = [];
    const limit = async ({ key }: { key: string }) => ({ success: names.push(key) > 0 });
    const random = vi.spyOn(Math, 'random').mockReturnValue(at);
    await post('/nothing', {}, from(ip), { POST_RATE_LIMIT: { limit } });
    random.mockRestore();
    return names;
  };
  const [one, other] = [
    await called('2001:db8:9:1::1', 0.09),
    await called('2001:db8:9:2::1', 0.09),
  ];
  expect([one.length, other.length]).toEqual([2, 2]);
  expect(one[0]).not.toBe(other[0]);
  expect(one[1]).toBe(other[1]);
  expect(await called('2001:db8:9:1::1', 0.1)).toEqual([one[0]]);
  expect(await called('192.0.2.9', 0.09)).toHaveLength(1);
});

test('rate limit: a call is refused when the limit of the /48 is reached', async () => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0);
  let calls = 0;
  const limit = async () => {
    calls += 1;
    return { success: calls < 2 };
  };
  const response = await post('/nothing', {}, from('2001:db8:9::1'), {
    POST_RATE_LIMIT: { limit },
  });
  random.mockRestore();
  expect(await statusAndCode(response)).toEqual([429, 'rate_limited']);
});

test('rate limit: forms count too, and the refusal is a page', async () => {
  const body = new URLSearchParams({ email: 'somebody@example.com' });
  for (const rate of ['POST_RATE_LIMIT', 'SIGNUP_RATE_LIMIT']) {
    const init = { method: 'POST', body, headers: from(address) };
    const response = await request('/signup', init, { [rate]: exhaustedLimiter() });
    expect(response.status).toBe(429);
    expect(await response.text()).toContain(errors.rate_limited);
  }
});

test('rate limit: browser reports have a limit of their own', async () => {
  const [reports, posts] = [exhaustedLimiter(), exhaustedLimiter()];
  const sent = (counters: Partial<Env>) => {
    const headers = { ...from(address), 'content-type': 'application/reports+json' };
    return request('/api/v1/reports', { method: 'POST', headers, body: '[]' }, counters);
  };
  const refusal = await refusalOf(await sent({ REPORT_RATE_LIMIT: reports }));
  expect(refusal.slice(0, 2)).toEqual([429, 'rate_limited']);
  expect(reports.names).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
  expect((await sent({ POST_RATE_LIMIT: posts, SIGNUP_RATE_LIMIT: posts })).status).toBe(204);
  expect(posts.names).toEqual([]);
});

test('rate limit: other reads are never counted', async () => {
  const counter = exhaustedLimiter();
  const more = {
    POST_RATE_LIMIT: counter,
    SIGNUP_RATE_LIMIT: counter,
    READ_RATE_LIMIT: counter,
  };
  for (const path of ['/', '/signup', '/api/v1/cf-country', '/config.json'])
    expect((await request(path, { headers: from(address) }, more)).status).toBe(200);
  expect(counter.names).toEqual([]);
});

test('rate limit: without bindings, or when they fail, everything passes', async () => {
  const logs = vi.spyOn(console, 'warn');
  const none = { POST_RATE_LIMIT: undefined, SIGNUP_RATE_LIMIT: undefined };
  expect((await signUp(from(address), none)).status).toBe(200);
  const broken = { limit: () => Promise.reject(new TypeError('down')) };
  const response = await signUp(from(address), {
    POST_RATE_LIMIT: broken,
    SIGNUP_RATE_LIMIT: broken,
  });
  expect(response.status).toBe(200);
  expect(String(logs.mock.calls.at(-1))).toContain('rate_limiter_failed');
});
