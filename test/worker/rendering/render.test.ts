import { expect, test, vi } from 'vitest';
import { builtInFlows } from '../../../worker/experiments/rules/flows.ts';
import { attributes, open, withoutCss } from '../open-page.ts';
import { request } from '../request.ts';

const from = (country: string) => ({ 'cf-ipcountry': country });
const cacheOf = (headers: Headers) => /cache;desc=(\w+)/.exec(headers.get('server-timing') ?? '');

test.for(builtInFlows.default ?? [])(
  'render: %s is streamed once, then served from the cache with the same content',
  async (id) => {
    const [miss, hit] = [await open(`/${id}`), await open(`/${id}`)];
    expect([cacheOf(miss.headers)?.[1], cacheOf(hit.headers)?.[1]]).toEqual(['miss', 'hit']);
    expect(withoutCss(hit.html)).toBe(withoutCss(miss.html));
    expect(hit.html.length).toBeLessThan(miss.html.length);
    expect(hit.headers.get('content-type')).toBe('text/html; charset=utf-8');
  },
);

test('render: Server-Timing has visit, render and cache', async () => {
  expect((await open('/one_pager_l1')).headers.get('server-timing')).toMatch(
    /^visit;dur=\d+, render;dur=[\d.]+, cache;desc=miss$/,
  );
});

test('render: the country’s name is inserted, escaped, into the cached page', async () => {
  const first = await open('/one_pager', from('TT'));
  const bosnia = await open('/one_pager', from('BA'));
  const ivory = await open('/one_pager', from('CI'));
  const again = await open('/one_pager', from('TT'));
  // All four belong to one market, so one rendering serves them.
  const caches = [first, bosnia, ivory, again].map((page) => cacheOf(page.headers)?.[1]);
  expect(caches).toEqual(['miss', 'hit', 'hit', 'hit']);
  expect(withoutCss(again.html)).toBe(withoutCss(first.html));
  expect(first.html).toContain('Trinidad &amp; Tobago');
  expect(bosnia.html).toContain('Bosnia &amp; Herzegovina');
  expect(ivory.html).toContain('Côte d’Ivoire');
  const islands = bosnia.html.matchAll(/<x-island[^>]*>/g);
  const props = [...islands].map(([tag]) => attributes(tag, 'x-island').props ?? '');
  expect(props.find((text) => text.includes('Herzegovina'))).toBeTruthy();
  for (const text of props) expect(() => JSON.parse(text)).not.toThrow();
  for (const page of [first, bosnia, ivory]) expect(page.html).not.toMatch(/[\uE000\uE001]/);
});

test('render: pages are cached by market, theme and language', async () => {
  const us = await open('/signup', from('US'));
  const german = await open('/signup', from('DE'));
  const found = await open('/signup?theme=fo', from('US'));
  expect(attributes(found.html, 'html')['data-theme']).toBe('found');
  expect(attributes(german.html, 'main')['data-storage']).toBe('memory');
  expect(attributes(us.html, 'main')).not.toHaveProperty('data-storage');
  for (const [path, country, page] of [
    ['/signup', 'US', us],
    ['/signup', 'DE', german],
    ['/signup?theme=fo', 'US', found],
  ] as const) {
    const again = await open(path, from(country));
    expect(cacheOf(again.headers)?.[1]).toBe('hit');
    expect(withoutCss(again.html)).toBe(withoutCss(page.html));
  }
});

test('render: prices are in the visitor’s currency', async () => {
  expect((await open('/checkout_v3_tr', from('US'))).html).toContain('monthly_usd');
  const german = (await open('/checkout_v3_tr', from('DE'))).html;
  expect(german).toContain('monthly_eur');
  expect(german).not.toMatch(/(?:value="|&quot;)\w+_usd/);
});

test('render: browsers revalidate a page, proxies do not store it', async () => {
  const { headers } = await open('/signup');
  expect(headers.get('cache-control')).toBe('private, no-cache');
  expect(headers.get('content-language')).toBe('en');
});

test('render: without KV, a prefetched page is requested again', async () => {
  const { headers } = await open('/checkout_v3_tr', { 'x-purpose': 'prefetch' });
  expect(headers.get('cache-control')).toBe('private, no-cache');
});

test('render: a failed rendering is not cached', async () => {
  const stringify = JSON.stringify;
  const broken = vi.spyOn(JSON, 'stringify').mockImplementation((value: unknown) => {
    if (value instanceof Object && 'action' in value) throw new TypeError('an island is broken');
    return stringify(value);
  });
  expect((await open('/one_pager_all')).status).toBe(500);
  broken.mockRestore();
  const whole = await open('/one_pager_all');
  expect([whole.status, cacheOf(whole.headers)?.[1]]).toEqual([200, 'miss']);
});

test('render: the page of a refused form is never cached', async () => {
  const refused = async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const response = await request('/one_pager', { method: 'POST', headers, body: 'phone=1' });
    return [response.status, cacheOf(response.headers)?.[1]];
  };
  expect([await refused(), await refused()]).toEqual([
    [400, 'miss'],
    [400, 'miss'],
  ]);
});
