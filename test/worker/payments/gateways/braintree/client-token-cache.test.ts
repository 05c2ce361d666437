import { env } from 'cloudflare:test';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  cachedClientToken,
  clearClientTokens,
} from '../../../../../worker/payments/gateways/braintree/client-token-cache.ts';
import { openBraintree } from './braintree-fixture.ts';

const log = vi.fn();
const hour = 3_600_000;

beforeEach(clearClientTokens);
afterEach(() => {
  vi.unstubAllGlobals();
  log.mockReset();
});

const creating = (answer: () => Promise<string>) => ({ create: vi.fn(answer), waitMs: 5 });

test('client token: cached for an hour per currency', async () => {
  const options = creating(async () => `token ${options.create.mock.calls.length}`);
  expect(await cachedClientToken(env, 'USD', log, 0, options)).toBe('token 1');
  expect(await cachedClientToken(env, 'USD', log, hour - 1, options)).toBe('token 1');
  expect(await cachedClientToken(env, 'EUR', log, 0, options)).toBe('token 2');
  expect(await cachedClientToken(env, 'USD', log, hour, options)).toBe('token 3');
  expect(log).not.toHaveBeenCalled();
});

test.each([
  ['fails', () => Promise.reject(new Error('no'))],
  ['does not answer', () => new Promise<string>(() => {})],
])(
  'client token: a Braintree that %s is called again after 30 s, and the failure is logged',
  async (_, answer) => {
    const options = creating(answer);
    expect(await cachedClientToken(env, 'USD', log, 0, options)).toBeNull();
    expect(await cachedClientToken(env, 'USD', log, 29_999, options)).toBeNull();
    expect(options.create).toHaveBeenCalledTimes(1);
    expect(log.mock.calls[0]?.slice(0, 2)).toEqual(['error', 'client_token_failed']);
    await cachedClientToken(env, 'USD', log, 30_000, options);
    expect(options.create).toHaveBeenCalledTimes(2);
  },
);

test('client token: without its secrets Braintree is not called', async () => {
  const options = creating(async () => 'token');
  const unconfigured = { ...env, BRAINTREE_PRIVATE_KEY: undefined };
  expect(await cachedClientToken(unconfigured, 'USD', log, 0, options)).toBeNull();
  expect(options.create).not.toHaveBeenCalled();
});

test('client token: it names no customer', async () => {
  openBraintree();
  const token = await cachedClientToken(env, 'USD', log, 0);
  expect(atob(token ?? '')).not.toContain('customer_id');
});
