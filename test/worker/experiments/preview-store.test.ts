import { env } from 'cloudflare:test';
import type { KVNamespace } from '@cloudflare/workers-types';
import { expect, test, vi } from 'vitest';
import { isPreviewToken, readPreview } from '../../../worker/experiments/preview-store.ts';

const token = 'AbCdEfGhIjKlMnOpQrSt-_';
const holding = (text: string) => ({ get: async () => text }) as unknown as KVNamespace;

test('a token is 22 characters of base64url', () => {
  expect(isPreviewToken(token)).toBe(true);
  for (const text of ['', `${token}x`, token.slice(1), 'AbCdEfGhIjKlMnOpQrSt-/', `${token}\n`]) {
    expect(isPreviewToken(text)).toBe(false);
  }
});

test('a preview is read by its token', async () => {
  await env.FUNNEL.put(`preview/${token}`, '{"arm":"intro/7d","country":"de","lng":"pt-BR"}');
  const found = await readPreview(env.FUNNEL, token);
  expect(found).toEqual({ arm: 'intro/7d', country: 'DE', lng: 'pt-BR' });
  expect(await readPreview(env.FUNNEL, token.toLowerCase())).toBeNull();
});

test('the edge may keep what it read for a minute', async () => {
  const get = vi.fn(async () => null);
  await readPreview({ get } as unknown as KVNamespace, token);
  expect(get).toHaveBeenCalledWith(`preview/${token}`, { cacheTtl: 60 });
});

test.each(['', '{', 'null', '[]', '{"arm":1}', '{"arm":"a b"}', '{"arm":"a","country":"DEU"}'])(
  '%j is none',
  async (text) => expect(await readPreview(holding(text), token)).toBeNull(),
);

test('KV that is down or slow does not say', async () => {
  const down = { get: () => Promise.reject(new Error('down')) } as unknown as KVNamespace;
  expect(await readPreview(down, token)).toBe('late');
  const slow = { get: () => new Promise(() => {}) } as unknown as KVNamespace;
  const start = Date.now();
  expect(await readPreview(slow, token)).toBe('late');
  expect(Date.now() - start).toBeLessThan(600);
});
