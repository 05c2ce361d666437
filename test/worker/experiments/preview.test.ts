import { env } from 'cloudflare:test';
import type { KVNamespace } from '@cloudflare/workers-types';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { isPreviewToken, readPreview } from '../../../worker/experiments/preview.ts';
import { builtInDocuments } from '../../../worker/experiments/rules/config-documents.ts';
import type { Env } from '../../../worker/platform/env.ts';
import { request } from '../request.ts';

const token = 'AbCdEfGhIjKlMnOpQrSt-_';
const browser = { 'user-agent': 'Chrome', 'accept-language': 'en' };
const link = `/?preview=${token}`;
const inBrowser = { cookie: `preview=${token}` };
const exposed = vi.fn(async () => {});

beforeAll(async () => {
  const config = {
    experiment: 'prices',
    variants: [
      { key: 'fullPrice', weight: 100, flow: 'default' },
      { key: 'intro/7d', weight: 0, flow: 'lp11ch8' },
    ],
  };
  await env.FUNNEL.put('config.json', JSON.stringify(config));
  await env.FUNNEL.put('flows.json', builtInDocuments['flows.json']);
});

beforeEach(() => store({ arm: 'intro/7d', country: 'DE', theme: 'fl', lng: 'en' }));
afterEach(() => {
  exposed.mockClear();
});

const store = (preview: unknown) => env.FUNNEL.put(`preview/${token}`, JSON.stringify(preview));

async function visit(path: string, headers: Record<string, string> = {}, more: Partial<Env> = {}) {
  const bindings = { EXPOSURE_QUEUE: { sendBatch: exposed } as never, ...more };
  const response = await request(path, { headers: { ...browser, ...headers } }, bindings);
  const html = await response.text();
  const facts = {
    arm: /data-arm="([^"]*)"/,
    flow: /data-flow="([^"]*)"/,
    theme: /theme="([^"]*)"/,
  };
  const { arm, flow, theme } = Object.fromEntries(
    Object.entries(facts).map(([name, pattern]) => [name, pattern.exec(html)?.[1]]),
  );
  return {
    html,
    arm,
    flow,
    theme,
    badge: /Preview: (?:<!-- -->)?([\w/]+)/.exec(html)?.[1],
    control: response.headers.get('cache-control'),
    timing: response.headers.get('server-timing'),
    cookies: response.headers.getSetCookie(),
  };
}

const previewed = { arm: 'intro/7d', flow: 'lp11ch8', theme: 'family-locator', badge: 'intro/7d' };
const usual = { arm: 'fullPrice', flow: 'default', theme: 'geozilla', badge: undefined };

test('preview: a link forces arm, country, language and theme for the session', async () => {
  const opened = await visit(link);
  expect(opened).toMatchObject({ ...previewed, control: 'no-store' });
  expect(opened.html).toContain('Germany');
  const cookie = opened.cookies.find((each) => each.startsWith('preview='));
  expect(cookie).toBe(`preview=${token}; Path=/; HttpOnly; SameSite=Lax`);
  expect(await visit('/signup', inBrowser)).toMatchObject({ ...previewed, control: 'no-store' });
});

test('preview: on https the cookie is bound to the host', async () => {
  expect((await visit(`https://get.funnel.test${link}`)).cookies).toContain(
    `__Host-preview=${token}; Path=/; HttpOnly; Secure; SameSite=Lax`,
  );
  expect(await visit('https://get.funnel.test/', inBrowser)).toMatchObject(usual);
  const own = { cookie: `__Host-preview=${token}` };
  expect(await visit('https://get.funnel.test/', own)).toMatchObject(previewed);
});

test('preview: is not counted, sets no arm and caches no page', async () => {
  for (let time = 0; time < 2; time++) {
    const { cookies, timing } = await visit('/', inBrowser);
    expect(cookies.filter((each) => each.startsWith('arm='))).toEqual([]);
    expect(timing).toContain('cache;desc=miss');
  }
  const { cookies } = await visit('/', { ...inBrowser, cookie: `preview=${token}; arm=x` });
  expect(cookies.filter((each) => each.startsWith('arm='))).toEqual([]);
  expect(exposed).not.toHaveBeenCalled();
  await visit('/');
  expect(await visit('/')).toMatchObject({ ...usual, control: 'private, no-cache' });
  expect(exposed).toHaveBeenCalledTimes(2);
});

test('preview: omitted values are the visitor’s own', async () => {
  await store({ arm: 'intro/7d' });
  const shown = await visit('/', { ...inBrowser, 'cf-ipcountry': 'FR' });
  expect(shown).toMatchObject({ arm: 'intro/7d', theme: 'geozilla' });
  expect(shown.html).toContain('France');
});

test('preview: the token does not appear in links', async () =>
  expect((await visit(link)).html).not.toContain(token));

test('preview: ?preview=off ends it', async () => {
  const ended = await visit('/?preview=off', inBrowser);
  expect(ended).toMatchObject(usual);
  expect(ended.cookies.join()).toMatch(/preview=; Max-Age=0; Path=\//);
});

test('preview: a removed arm shows the visitor’s own arm', async () => {
  await store({ arm: 'gone' });
  expect(await visit('/', inBrowser)).toMatchObject({ ...usual, badge: 'fullPrice' });
  expect(exposed).not.toHaveBeenCalled();
});

test.each([
  ['too short', 'AbC'],
  ['a path', '../../config.json.....'],
  ['unknown', 'ZZZZZZZZZZZZZZZZZZZZZZ'],
])('preview: a token that is %s is ignored and deleted', async (_what, wrong) => {
  const opened = await visit(`/?preview=${encodeURIComponent(wrong)}`);
  expect(opened).toMatchObject(usual);
  expect(opened.cookies.join()).not.toContain('preview=');
  const response = await visit('/', { cookie: `preview=${encodeURIComponent(wrong)}` });
  expect(response).toMatchObject(usual);
  expect(response.cookies.join()).toContain('preview=; Max-Age=0');
});

test('preview: while KV is slow or down the page is normal, uncounted, and the preview continues', async () => {
  for (const get of [() => new Promise(() => {}), () => Promise.reject(new Error('KV'))]) {
    const shown = await visit('/', inBrowser, { FUNNEL: { get } as never });
    expect(shown).toMatchObject(usual);
    expect(shown.cookies.filter((each) => !/^(userUuid|visitorKey)=/.test(each))).toEqual([]);
  }
  expect(exposed).not.toHaveBeenCalled();
});

const holding = (text: string) => ({ get: async () => text }) as unknown as KVNamespace;

test('preview: a token is 22 characters of base64url', () => {
  expect(isPreviewToken(token)).toBe(true);
  for (const text of ['', `${token}x`, token.slice(1), 'AbCdEfGhIjKlMnOpQrSt-/', `${token}\n`])
    expect(isPreviewToken(text)).toBe(false);
});

test('preview: is read by its token', async () => {
  await env.FUNNEL.put(`preview/${token}`, '{"arm":"intro/7d","country":"de","lng":"pt-BR"}');
  const found = await readPreview(env.FUNNEL, token);
  expect(found).toEqual({ arm: 'intro/7d', country: 'DE', lng: 'pt-BR' });
  expect(await readPreview(env.FUNNEL, token.toLowerCase())).toBeNull();
});

test('preview: KV caches a read for a minute', async () => {
  const get = vi.fn(async () => null);
  await readPreview({ get } as unknown as KVNamespace, token);
  expect(get).toHaveBeenCalledWith(`preview/${token}`, { cacheTtl: 60 });
});

test.each(['', '{', 'null', '[]', '{"arm":1}', '{"arm":"a b"}', '{"arm":"a","country":"DEU"}'])(
  'preview: %j is invalid',
  async (text) => expect(await readPreview(holding(text), token)).toBeNull(),
);

test('preview: no preview if KV is down or slow', async () => {
  const down = { get: () => Promise.reject(new Error('down')) } as unknown as KVNamespace;
  await expect(readPreview(down, token)).rejects.toThrow();
  const slow = { get: () => new Promise(() => {}) } as unknown as KVNamespace;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const refused = expect(readPreview(slow, token)).rejects.toThrow();
  vi.advanceTimersByTime(300);
  await refused;
});
