import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import { withoutCss } from '../open-page.ts';
import { resetState } from '../reset-state.ts';

const version = (id: string) => ({ CF_VERSION_METADATA: { id, tag: '', timestamp: '' } });

/** A new isolate of the same data centre: the Worker's modules are evaluated once more. */
async function isolate(more = {}) {
  resetState('rendering/serve-page');
  const { app } = await import('../../../worker/app.ts');
  return async (path: string, country = 'US', init: RequestInit = {}) => {
    const context = createExecutionContext();
    const headers = { 'accept-language': 'en', 'cf-ipcountry': country, ...init.headers };
    const response = await app.request(path, { ...init, headers }, { ...env, ...more }, context);
    const html = await response.text();
    await waitOnExecutionContext(context);
    const cache = /cache;desc=(\w+)/.exec(response.headers.get('server-timing') ?? '')?.[1];
    return { status: response.status, html, cache };
  };
}

afterEach(() => vi.restoreAllMocks());

test('shared page cache: an isolate serves what another one rendered, filled for its own visitor', async () => {
  const first = await (await isolate(version('a')))('/one_pager', 'TT');
  const visit = await isolate(version('a'));
  const second = await visit('/one_pager', 'TT');
  const bosnia = await visit('/one_pager', 'BA');
  expect([first.cache, second.cache, bosnia.cache]).toEqual(['miss', 'hit', 'hit']);
  expect(withoutCss(second.html)).toBe(withoutCss(first.html));
  expect(bosnia.html).toContain('Bosnia &amp; Herzegovina');
  expect(bosnia.html).not.toContain('Trinidad');
});

test('shared page cache: what it stores has placeholders, and nothing about the visitor', async () => {
  const put = vi.spyOn(Cache.prototype, 'put');
  await (await isolate(version('b')))('/one_pager_all', 'TT');
  expect(put.mock.calls).toHaveLength(1);
  const [address, page] = put.mock.calls[0] as [string, Response];
  expect(decodeURIComponent(address)).toContain('/pages/b/');
  expect(page.headers.get('set-cookie')).toBeNull();
  const stored = await caches.open('pages').then((cache) => cache.match(address));
  expect(await stored?.text()).toMatch(/^<!DOCTYPE html>(?!.*Trinidad).*\uE000/s);
});

test('shared page cache: another version, or none, shares nothing', async () => {
  await (await isolate(version('c')))('/one_pager_ai');
  expect((await (await isolate(version('d')))('/one_pager_ai')).cache).toBe('miss');
  const none = { CF_VERSION_METADATA: undefined };
  const open = vi.spyOn(caches, 'open');
  expect((await (await isolate(none))('/one_pager_ai')).cache).toBe('miss');
  expect(open).not.toHaveBeenCalled();
});

test('shared page cache: a refused form is neither read nor stored', async () => {
  const open = vi.spyOn(caches, 'open');
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const visit = await isolate(version('e'));
  const refused = await visit('/one_pager', 'US', { method: 'POST', headers, body: 'phone=1' });
  expect(refused.status).toBe(400);
  expect(open).not.toHaveBeenCalled();
});

test.each<[string, () => Promise<never>]>([
  ['fails', () => Promise.reject(new Error('down'))],
  ['never answers', () => new Promise(() => {})],
])('shared page cache: a cache that %s takes no page down', async (_state, answer) => {
  vi.spyOn(caches, 'open').mockImplementation(answer);
  const { status, cache, html } = await (await isolate(version('f')))('/one_pager_l1');
  expect([status, cache]).toEqual([200, 'miss']);
  expect(html).toContain('</html>');
});
