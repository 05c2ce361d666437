import { env } from 'cloudflare:test';
import { Hono } from 'hono';
import { sign } from 'hono/jwt';
import { afterEach, expect, test, vi } from 'vitest';
import type { App } from '../../worker/env.ts';
import { Refusal } from '../../worker/errors.ts';
import { accessToken, bearer } from '../../worker/token.ts';

const minute = 60 * 1000;
const app = new Hono<App>()
  .get('/', bearer, (c) => c.text(c.var.account))
  .onError((error, c) => c.text(error instanceof Refusal ? error.code : error.message, 401));

const get = (authorization?: string, bindings = env) =>
  app.request('/', { headers: authorization ? { authorization } : {} }, bindings);

afterEach(() => void vi.useRealTimers());

test('a token names its account', async () => {
  const response = await get(`Bearer ${await accessToken(env, 'a1')}`);
  expect(await response.text()).toBe('a1');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.has('x-access-token')).toBe(false);
});

test('it ends after 60 minutes', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 });
  const token = await accessToken(env, 'a1');
  vi.setSystemTime(1_800_000_000_000 + 60 * minute - 1000);
  expect((await get(`Bearer ${token}`)).status).toBe(200);
  vi.setSystemTime(1_800_000_000_000 + 60 * minute);
  expect(await (await get(`Bearer ${token}`)).text()).toBe('unauthorized');
});

test('with less than 15 minutes left the answer brings the next one', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 });
  const token = await accessToken(env, 'a1');
  vi.setSystemTime(1_800_000_000_000 + 45 * minute);
  expect((await get(`Bearer ${token}`)).headers.has('x-access-token')).toBe(false);
  vi.setSystemTime(1_800_000_000_000 + 46 * minute);
  const next = (await get(`Bearer ${token}`)).headers.get('x-access-token');
  vi.setSystemTime(1_800_000_000_000 + 61 * minute);
  expect(await (await get(`Bearer ${next}`)).text()).toBe('a1');
});

test('nothing else opens the door', async () => {
  const later = Math.floor(Date.now() / 1000) + 600;
  const ours = { sub: 'a1', aud: 'access', exp: later };
  const token = await accessToken(env, 'a1');
  const none = btoa('{"alg":"none","typ":"JWT"}').replace(/=+$/, '');
  const bad = [
    undefined,
    token,
    `Basic ${token}`,
    'Bearer ',
    'Bearer x',
    `Bearer ${token}x`,
    `Bearer ${none}.${token.split('.')[1]}.`,
    `Bearer ${await sign(ours, 'another secret, also of 32 letters')}`,
    `Bearer ${await sign({ ...ours, aud: 'other' }, env.TOKEN_SECRET)}`,
    `Bearer ${await sign({ aud: 'access', exp: later }, env.TOKEN_SECRET)}`,
    `Bearer ${await sign({ sub: 'a1', aud: 'access' }, env.TOKEN_SECRET)}`,
    `Bearer ${await sign(ours, env.TOKEN_SECRET, 'HS512')}`,
    `Bearer ${'a'.repeat(5000)}`,
  ];
  for (const header of bad) expect(await (await get(header)).text()).toBe('unauthorized');
});

test('a short secret signs and reads nothing', async () => {
  const short = { ...env, TOKEN_SECRET: 'short' };
  expect(() => accessToken(short, 'a1')).toThrow('TOKEN_SECRET');
  const response = await get(`Bearer ${await accessToken(env, 'a1')}`, short);
  expect(await response.text()).toContain('TOKEN_SECRET');
});
