import { env } from 'cloudflare:test';
import { createHmac } from 'node:crypto';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { clientIpHash, ipPrefix } from '../../../worker/http/client-ip.ts';
import type { App } from '../../../worker/platform/env.ts';
import { hmacBytesOf, hmacOf } from '../../../worker/platform/hmac.ts';

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8:0:0:ffff::', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
])('client IP: the prefix of %s is %s', (address, network) =>
  expect(ipPrefix(address)).toBe(network),
);

test('client IP: a /48 is the first three groups', () => {
  expect(ipPrefix('2001:db8:1:2:3:4:5:6', 3)).toBe('2001:db8:1');
  expect(ipPrefix('2001:db8::1', 3)).toBe('2001:db8:0');
  expect(ipPrefix('192.0.2.1', 3)).toBe('192.0.2.1');
});

const app = new Hono<App>().get('/', async (c) => c.json(await clientIpHash(c)));
const keyOf = async (address?: string, more = {}) => {
  const headers: HeadersInit = address ? { 'cf-connecting-ip': address } : {};
  return (await app.request('/', { headers }, { ...env, ...more })).json();
};

test('client IP: the hash is stable and needs the secret', async () => {
  const key = await keyOf('192.0.2.1');
  expect(key).toMatch(/^[\w-]{43}$/);
  expect(await keyOf('192.0.2.1')).toBe(key);
  expect(await keyOf('192.0.2.2')).not.toBe(key);
  expect(await keyOf('192.0.2.1', { TOKEN_SECRET: 'x'.repeat(32) })).not.toBe(key);
  expect(await keyOf('2001:db8::1')).toBe(await keyOf('2001:db8::2'));
});

test('client IP: without the header there is no hash', async () =>
  expect(await keyOf()).toBeNull());

const expected = createHmac('sha256', 'secret').update('visitor:text');

test('hmac: returns HMAC-SHA-256 of kind and text, in base64url without padding', async () => {
  const digest = expected.digest();
  expect(new Uint8Array(await hmacBytesOf('secret', 'visitor', 'text'))).toEqual(
    new Uint8Array(digest),
  );
  expect(await hmacOf('secret', 'visitor', 'text')).toBe(digest.toString('base64url'));
});

test('hmac: the same text of another kind has another hash', async () => {
  expect(await hmacOf('secret', 'visitor', 'text')).not.toBe(
    await hmacOf('secret', 'mailbox', 'text'),
  );
});
