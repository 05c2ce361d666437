import { afterEach, expect, test, vi } from 'vitest';
import errors from '../../../locales/en/errors.json';
import type { Env } from '../../../worker/env.ts';
import { ask, post, refusalOf } from '../request.ts';

const address = '192.0.2.7';
const from = (ip: string) => ({ 'cf-connecting-ip': ip });
const consent = (headers: Record<string, string>, more: Partial<Env> = {}) =>
  post('/consent', { choice: 'no' }, headers, more);
const signUp = (headers: Record<string, string>, more: Partial<Env> = {}) => {
  const email = `${crypto.randomUUID()}@example.com`;
  const who = { email, user_uuid: crypto.randomUUID(), landing_type: 'split_fullPrice' };
  return post('/signup', who, headers, more);
};

/** A limit of the platform that is reached at once, and all names that it was asked for. */
function spent() {
  const names: string[] = [];
  const limit = async ({ key }: { key: string }) => {
    names.push(key);
    return { success: false };
  };
  return { names, limit };
}

const logs = vi.spyOn(console, 'warn');
afterEach(() => void logs.mockClear());

test('who tries out codes is stopped by the platform’s own count, and nobody else', async () => {
  const tried = () => post('/deeplink/redeem', { code: 'x' }, from(address));
  let response = await tried();
  expect((await refusalOf(response)).slice(0, 2)).toEqual([404, 'deeplink_unknown']);
  // It counts by the minutes of the clock, and one may begin meanwhile.
  for (let tries = 0; tries < 1000 && response.status === 404; tries += 1) response = await tried();
  expect(await refusalOf(response)).toEqual([429, 'calls_enough', errors.calls_enough]);
  expect((await signUp(from('192.0.2.8'))).status).toBe(200);
  expect((await signUp({})).status).toBe(200);
  expect((await consent(from(address))).status).toBe(200);
});

test.each([
  ['/signup', 'SIGNUPS'],
  ['/authorize_social_via_access_token', 'SIGNUPS'],
  ['/mail-link', 'SIGNUPS'],
  ['/mail-link/check', 'SIGNUPS'],
  ['/mail-link/open', 'SIGNUPS'],
  ['/deeplink/redeem', 'SIGNUPS'],
  ['/deeplink/mail', 'SIGNUPS'],
  ['/consent', 'POSTS'],
  ['/events', 'POSTS'],
  ['/nothing', 'POSTS'],
] as const)('POST %s spends %s, under a name that is no address', async (path, rate) => {
  const counter = spent();
  const response = await post(path, {}, from(address), { [rate]: counter });
  expect((await refusalOf(response)).slice(0, 2)).toEqual([429, 'calls_enough']);
  expect(counter.names).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
});

test('a form is counted as well, and is told by a page', async () => {
  const body = new URLSearchParams({ email: 'somebody@example.com' });
  for (const rate of ['POSTS', 'SIGNUPS']) {
    const init = { method: 'POST', body, headers: from(address) };
    const response = await ask('/signup', init, { [rate]: spent() });
    expect(response.status).toBe(429);
    expect(await response.text()).toContain(errors.calls_enough);
  }
});

test('reports of browsers are counted by themselves', async () => {
  const [reports, posts] = [spent(), spent()];
  const sent = (counters: Partial<Env>) => {
    const headers = { ...from(address), 'content-type': 'application/reports+json' };
    const init = { method: 'POST', headers, body: '[]' };
    return ask('/api/v1/reports', init, counters);
  };
  const refusal = await refusalOf(await sent({ REPORTS: reports }));
  expect(refusal.slice(0, 2)).toEqual([429, 'calls_enough']);
  expect(reports.names).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
  expect((await sent({ POSTS: posts, SIGNUPS: posts })).status).toBe(204);
  expect(posts.names).toEqual([]);
});

test('whoever reads is never counted', async () => {
  const counter = spent();
  const more = { POSTS: counter, SIGNUPS: counter };
  for (const path of ['/', '/signup', '/api/v1/cf-country', '/config.json']) {
    expect((await ask(path, { headers: from(address) }, more)).status).toBe(200);
  }
  expect(counter.names).toEqual([]);
});

test('without the platform’s limits, or when they fail, everything passes', async () => {
  const none = { POSTS: undefined, SIGNUPS: undefined };
  expect((await signUp(from(address), none)).status).toBe(200);
  const broken = { limit: () => Promise.reject(new TypeError('down')) };
  const response = await signUp(from(address), { POSTS: broken, SIGNUPS: broken });
  expect(response.status).toBe(200);
  expect(String(logs.mock.calls.at(-1))).toContain('rate_uncounted');
});
