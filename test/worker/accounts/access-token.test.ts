import { env } from 'cloudflare:test';
import { Hono } from 'hono';
import { beforeEach, expect, test, vi } from 'vitest';
import { accessToken, bearer } from '../../../worker/accounts/access-token.ts';
import { signOutEverywhere } from '../../../worker/accounts/account-table.ts';
import type { App } from '../../../worker/platform/env.ts';
import { Refusal } from '../../../worker/platform/errors.ts';
import type { AccountId } from '../../../worker/platform/types.ts';
import { newAccount } from './account-fixture.ts';

const minute = 60 * 1000;
const app = new Hono<App>()
  .get('/', bearer, (c) => c.text(c.var.account))
  .onError((error, c) => c.text(error instanceof Refusal ? error.code : error.message, 401));

const get = (authorization?: string, bindings = env) =>
  app.request('/', { headers: authorization ? { authorization } : {} }, bindings);

let id: AccountId;
const session = (more: object = {}) => ({ account: id, epoch: 0, ...more });

beforeEach(async () => {
  id = (await newAccount()).id;
});
test('access token: authenticates its account', async () => {
  const response = await get(`Bearer ${await accessToken(env, session())}`);
  expect(await response.text()).toBe(id);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.has('x-access-token')).toBe(false);
});

test('access token: expires after 60 minutes', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 });
  const token = await accessToken(env, session());
  vi.setSystemTime(1_800_000_000_000 + 60 * minute - 1000);
  expect((await get(`Bearer ${token}`)).status).toBe(200);
  vi.setSystemTime(1_800_000_000_000 + 60 * minute);
  expect(await (await get(`Bearer ${token}`)).text()).toBe('unauthorized');
});

test('access token: with less than 15 minutes left the response has the next token', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 });
  const token = await accessToken(env, session());
  vi.setSystemTime(1_800_000_000_000 + 45 * minute);
  expect((await get(`Bearer ${token}`)).headers.has('x-access-token')).toBe(false);
  vi.setSystemTime(1_800_000_000_000 + 46 * minute);
  const next = (await get(`Bearer ${token}`)).headers.get('x-access-token');
  vi.setSystemTime(1_800_000_000_000 + 61 * minute);
  expect(await (await get(`Bearer ${next}`)).text()).toBe(id);
});

test('access token: a short secret neither signs nor verifies', async () => {
  const short = { ...env, TOKEN_SECRET: 'short' };
  expect(() => accessToken(short, session())).toThrow('TOKEN_SECRET');
  const response = await get(`Bearer ${await accessToken(env, session())}`, short);
  expect(await response.text()).toContain('TOKEN_SECRET');
});

test('access token: ends when the epoch rises or the account is deleted', async () => {
  const token = await accessToken(env, session());
  await signOutEverywhere(env.DB, { account: id, epoch: 0 });
  expect(await (await get(`Bearer ${token}`)).text()).toBe('unauthorized');
  const next = await accessToken(env, session({ epoch: 1 }));
  expect(await (await get(`Bearer ${next}`)).text()).toBe(id);
  await env.DB.prepare('DELETE FROM accounts WHERE id = ?').bind(id).run();
  expect(await (await get(`Bearer ${next}`)).text()).toBe('unauthorized');
});

test('access token: the previous secret verifies and never signs', async () => {
  const token = await accessToken(env, session());
  const replaced = { ...env, TOKEN_SECRET: 'a new secret, also of 32 characters' };
  expect(await (await get(`Bearer ${token}`, replaced)).text()).toBe('unauthorized');
  const both = { ...replaced, TOKEN_SECRET_PREVIOUS: env.TOKEN_SECRET };
  expect(await (await get(`Bearer ${token}`, both)).text()).toBe(id);
  const next = await accessToken(both, session());
  expect(await (await get(`Bearer ${next}`, replaced)).text()).toBe(id);
  expect(await (await get(`Bearer ${next}`)).text()).toBe('unauthorized');
  const short = { ...both, TOKEN_SECRET_PREVIOUS: 'short' };
  expect(await (await get(`Bearer ${next}`, short)).text()).toContain('TOKEN_SECRET_PREVIOUS');
});
