import { env } from 'cloudflare:test';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Env } from '../../worker/env.ts';
import { builtInDocuments } from '../../worker/funnel/documents.ts';
import { ask } from './ask.ts';

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
  vi.restoreAllMocks();
});

const store = (preview: unknown) => env.FUNNEL.put(`preview/${token}`, JSON.stringify(preview));

async function visit(path: string, headers: Record<string, string> = {}, more: Partial<Env> = {}) {
  const bindings = { EXPOSURES: { send: exposed } as never, ...more };
  const response = await ask(path, { headers: { ...browser, ...headers } }, bindings);
  const html = await response.text();
  const facts = {
    arm: /data-arm="([^"]*)"/,
    flow: /data-flow="([^"]*)"/,
    theme: /theme="([^"]*)"/,
  };
  const { arm, flow, theme } = Object.fromEntries(
    Object.entries(facts).map(([name, mark]) => [name, mark.exec(html)?.[1]]),
  );
  return {
    html,
    arm,
    flow,
    theme,
    mark: /Preview: (?:<!-- -->)?([\w/]+)/.exec(html)?.[1],
    control: response.headers.get('cache-control'),
    timing: response.headers.get('server-timing'),
    cookies: response.headers.getSetCookie(),
  };
}

const previewed = { arm: 'intro/7d', flow: 'lp11ch8', theme: 'family-locator', mark: 'intro/7d' };
const usual = { arm: 'fullPrice', flow: 'default', theme: 'geozilla', mark: undefined };

test('a link forces arm, country, language and theme, and keeps doing so in that browser', async () => {
  const opened = await visit(link);
  expect(opened).toMatchObject({ ...previewed, control: 'no-store' });
  expect(opened.html).toContain('Germany');
  const cookie = opened.cookies.find((each) => each.startsWith('preview='));
  expect(cookie).toBe(`preview=${token}; Path=/; HttpOnly; SameSite=Lax`);
  expect(await visit('/signup', inBrowser)).toMatchObject({ ...previewed, control: 'no-store' });
});

test('on https no other host can set the cookie of a preview', async () => {
  const opened = await visit(`https://get.funnel.test${link}`);
  expect(opened.cookies).toContain(
    `__Host-preview=${token}; Path=/; HttpOnly; Secure; SameSite=Lax`,
  );
  expect(await visit('https://get.funnel.test/', inBrowser)).toMatchObject(usual);
  const own = { cookie: `__Host-preview=${token}` };
  expect(await visit('https://get.funnel.test/', own)).toMatchObject(previewed);
});

test('a preview is not counted, is given no arm, and leaves the pages of others alone', async () => {
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

test('what a preview leaves out is the visitor’s own', async () => {
  await store({ arm: 'intro/7d' });
  const shown = await visit('/', { ...inBrowser, 'cf-ipcountry': 'FR' });
  expect(shown).toMatchObject({ arm: 'intro/7d', theme: 'geozilla' });
  expect(shown.html).toContain('France');
});

test('the parameter does not travel', async () => {
  const { html } = await visit(link);
  expect(html).not.toContain(token);
});

test('?preview=off ends it', async () => {
  const ended = await visit('/?preview=off', inBrowser);
  expect(ended).toMatchObject(usual);
  expect(ended.cookies.join()).toMatch(/preview=; Max-Age=0; Path=\//);
});

test('an arm that is gone shows, and marks, the visitor’s own', async () => {
  await store({ arm: 'gone' });
  expect(await visit('/', inBrowser)).toMatchObject({ ...usual, mark: 'fullPrice' });
  expect(exposed).not.toHaveBeenCalled();
});

test.each([
  ['too short', 'AbC'],
  ['a path', '../../config.json.....'],
  ['unknown', 'ZZZZZZZZZZZZZZZZZZZZZZ'],
])('a token that is %s is ignored, and forgotten', async (_what, wrong) => {
  const path = `/?preview=${encodeURIComponent(wrong)}`;
  const opened = await visit(path);
  expect(opened).toMatchObject(usual);
  expect(opened.cookies.join()).not.toContain('preview=');
  const kept = await visit('/', { cookie: `preview=${encodeURIComponent(wrong)}` });
  expect(kept).toMatchObject(usual);
  expect(kept.cookies.join()).toContain('preview=; Max-Age=0');
});

test('with KV slow or down the page comes, unforced, uncounted, and the preview stays', async () => {
  for (const get of [() => new Promise(() => {}), () => Promise.reject(new Error('KV'))]) {
    const start = Date.now();
    const shown = await visit('/', inBrowser, { FUNNEL: { get } as never });
    expect(Date.now() - start).toBeLessThan(1000);
    expect(shown).toMatchObject(usual);
    expect(shown.cookies.filter((each) => !each.startsWith('userUuid='))).toEqual([]);
  }
  expect(exposed).not.toHaveBeenCalled();
});
