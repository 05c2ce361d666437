import { env } from 'cloudflare:test';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  cachedClientToken,
  clearClientTokens,
} from '../../../../../worker/payments/gateways/braintree/client-token-cache.ts';
import { openBraintree } from './bank.ts';

const log = vi.fn();
const hour = 3_600_000;

beforeEach(clearClientTokens);
afterEach(() => {
  vi.unstubAllGlobals();
  log.mockReset();
});

const asking = (answer: () => Promise<string>) => ({ wanted: vi.fn(answer), wait: 5 });

test('a token of Braintree is kept for an hour, one a currency', async () => {
  const tool = asking(async () => `token ${tool.wanted.mock.calls.length}`);
  expect(await cachedClientToken(env, 'USD', log, 0, tool)).toBe('token 1');
  expect(await cachedClientToken(env, 'USD', log, hour - 1, tool)).toBe('token 1');
  expect(await cachedClientToken(env, 'EUR', log, 0, tool)).toBe('token 2');
  expect(await cachedClientToken(env, 'USD', log, hour, tool)).toBe('token 3');
  expect(log).not.toHaveBeenCalled();
});

test.each([
  ['refuses', () => Promise.reject(new Error('no'))],
  ['says nothing', () => new Promise<string>(() => {})],
])('a Braintree that %s costs the token, once in 30 s, and a line of log', async (_, answer) => {
  const tool = asking(answer);
  expect(await cachedClientToken(env, 'USD', log, 0, tool)).toBeNull();
  expect(await cachedClientToken(env, 'USD', log, 29_999, tool)).toBeNull();
  expect(tool.wanted).toHaveBeenCalledTimes(1);
  expect(log.mock.calls[0]?.slice(0, 2)).toEqual(['error', 'client_token_failed']);
  await cachedClientToken(env, 'USD', log, 30_000, tool);
  expect(tool.wanted).toHaveBeenCalledTimes(2);
});

test('without its secrets Braintree is not asked', async () => {
  const tool = asking(async () => 'token');
  const closed = { ...env, BRAINTREE_PRIVATE_KEY: undefined };
  expect(await cachedClientToken(closed, 'USD', log, 0, tool)).toBeNull();
  expect(tool.wanted).not.toHaveBeenCalled();
});

test('the token is nobody’s in particular', async () => {
  openBraintree();
  const token = await cachedClientToken(env, 'USD', log, 0);
  expect(atob(token ?? '')).not.toContain('customer_id');
});
