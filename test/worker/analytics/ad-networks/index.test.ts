import { env } from 'cloudflare:test';
import { Hono } from 'hono';
import { expect, test, vi } from 'vitest';
import { networkVars as everyVariable } from '../../../../scripts/development-vars.ts';
import {
  adClickDataOf,
  configuredNetworks,
  pixelSettings,
} from '../../../../worker/analytics/ad-networks/index.ts';
import {
  isPlainResponse,
  NetworkAmbiguousError,
  postJson,
} from '../../../../worker/analytics/ad-networks/types.ts';
import type { AdClickData } from '../../../../worker/analytics/rules/conversion.ts';
import type { App } from '../../../../worker/platform/env.ts';
import { visitor } from '../../../../worker/visitor/visitor.ts';
import { networkNames } from '../../../every-network.ts';
import { browserCookies } from '../../accounts/browser.ts';
import { networkVars } from '../conversion-fixture.ts';

const names = (vars: object) => configuredNetworks({ ...env, ...vars }).map(({ name }) => name);

test('ad networks: a network needs both its id and its secret', () => {
  expect(names({})).toEqual([]);
  expect(names(networkVars)).toEqual(['meta', 'tiktok', 'google']);
  expect(names({ ...networkVars, META_TOKEN: undefined })).toEqual(['tiktok', 'google']);
  expect(names({ META_PIXEL_ID: '1', GOOGLE_ADS_ID: 'AW-1' })).toEqual([]);
});

const set = (vars: object) => pixelSettings({ ...env, ...vars });

test('pixel settings: null unless a network is configured', () => {
  expect(set({})).toBeNull();
  expect(set({ META_PIXEL_ID: '1' })).toEqual({ vendors: '', suffix: '_test', meta: '1' });
});

test('pixel settings: every network has a variable', () => {
  const { vendors: _, suffix: __, ...networks } = set(everyVariable) ?? {};
  const configured = Object.entries(networks).flatMap(([name, value]) => (value ? [name] : []));
  expect(configured.sort()).toEqual(networkNames);
});

test('pixel settings: the ads tag counts conversions only outside production', () => {
  const vars = { GOOGLE_ADS_ID: 'AW-1', GOOGLE_ADS_LABEL: 'l', META_TOKEN: 'secret' };
  expect(set(vars)?.google).toEqual({ ads: 'AW-1', label: 'l' });
  const production = set({ ...vars, ENVIRONMENT: 'production' });
  expect(production).toEqual({ vendors: '', suffix: '', google: { ads: 'AW-1' } });
});

test('ad networks: an unreachable network is ambiguous, and the error quotes nothing', async () => {
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('could not reach https://x.test/?secret');
  });
  const error = await postJson('https://x.test/', {}).catch((thrown) => thrown);
  expect([error instanceof NetworkAmbiguousError, error.message]).toEqual([true, 'TypeError']);
});

test.each([
  ['', true],
  ['success', true],
  ['{"code":200}', true],
  ['<html>', false],
  ['\r\n <!doctype html>', false],
])('ad networks: the response %j is plain: %s', async (text, plain) => {
  expect(await isPlainResponse(new Response(text))).toBe(plain);
});

test('ad networks: a response that breaks off is not plain', async () => {
  const broken = new ReadableStream({ start: (controller) => controller.error(new Error('off')) });
  expect(await isPlainResponse(new Response(broken))).toBe(false);
});

const app = new Hono<App>()
  .use(visitor)
  .post('/', async (c) => c.json(adClickDataOf(c, await c.req.json())));

const yes = 'consent=3.yes';
const headers = { 'user-agent': 'Browser/1', 'cf-connecting-ip': '192.0.2.1' };
const trace = async (
  payload: unknown,
  more: Record<string, string> = {},
  vars: object = networkVars,
) => {
  const init = { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(payload) };
  const response = await app.request('https://funnel.test/', init, { ...env, ...vars });
  return response.json() as Promise<AdClickData>;
};

const named = { user_data: { fbc: 'fb.1.1.c', ttp: 't1' } };
const german = { 'cf-ipcountry': 'DE' };
const { uuid: visitorId, cookie: identity } = browserCookies();

test('ad click data: is absent without permission or without a network', async () => {
  expect(await trace(named, german)).toBeNull();
  expect(await trace(named, { ...german, cookie: 'consent=3.no' })).toBeNull();
  expect(await trace(named, { 'sec-gpc': '1' })).toBeNull();
  expect(await trace(named, { cookie: yes }, {})).toBeNull();
});

test('ad click data: has ids, and the IP address only if a network needs it', async () => {
  const german_yes = { ...german, cookie: `${yes}; __Host-${identity}` };
  expect(await trace(named, german_yes)).toEqual({
    user: named,
    visitor: visitorId,
    agent: 'Browser/1',
  });
  expect(await trace({}, german_yes)).toEqual({
    user: {},
    visitor: visitorId,
    agent: 'Browser/1',
    address: '192.0.2.1',
  });
  const google = { GOOGLE_ANALYTICS_ID: 'G', GOOGLE_ANALYTICS_SECRET: 's' };
  expect(await trace({}, german_yes, google)).toEqual({ user: {}, visitor: visitorId });
  const guessed = { ...german, cookie: `${yes}; userUuid=${visitorId}` };
  expect(await trace({}, guessed, google)).not.toMatchObject({ visitor: visitorId });
});

test('ad click data: has the session of our own GA4 property, in either form of its cookie', async () => {
  const cookies = [
    'GS2.1.s1700000001$o1$g0$t1700000009$j60$l0$h0',
    'GS2.1.s1700000001%24o1%24g0',
    'GS1.1.1700000001.1.0.1700000009.0.0.0',
  ];
  for (const own of cookies) {
    const cookie = `_ga_OTHER=GS1.1.1600000000.1; _ga_FAKE=${own}`;
    expect(await trace(named, { cookie })).toMatchObject({
      user: { google_session_id: '1700000001' },
    });
  }
  const cookie = '_ga_OTHER=GS1.1.1600000000.1';
  expect((await trace(named, { cookie })).user).toEqual(named);
});

const day = 24 * 60 * 60 * 1000;
const now = 1_700_000_000_000;
const weekAgo = now - 7 * day;
const old = now - 91 * day;
test.each<[string, object, number, string | undefined]>([
  ['no cookie', {}, now, `fb.1.${now}.F`],
  ['no cookie, a click of last week', {}, weekAgo, `fb.1.${weekAgo}.F`],
  ['no cookie, a click of 90 days ago', {}, now - 90 * day, `fb.1.${now - 90 * day}.F`],
  ['no cookie, an older click', {}, old, undefined],
  ['a clock that is ahead', {}, now + day, `fb.1.${now}.F`],
  ['the click’s cookie', { fbc: 'fb.1.5.F' }, weekAgo, 'fb.1.5.F'],
  ['the builder’s cookie', { fbc: 'fb.2.5.F.AgEBAQIA' }, weekAgo, 'fb.2.5.F.AgEBAQIA'],
  ['an older click’s cookie', { fbc: 'fb.1.5.E' }, weekAgo, `fb.1.${weekAgo}.F`],
  ['a later click’s cookie', { fbc: `fb.1.${now}.G.Bg` }, weekAgo, `fb.1.${now}.G.Bg`],
  ['a cookie that names no click', { fbc: 'x' }, weekAgo, `fb.1.${weekAgo}.F`],
  ['an id that cannot be in a cookie', { fb_click_id: 'F.1' }, weekAgo, undefined],
])('ad click data: with %s, fbc names the click and its time', async (_, more, at, fbc) => {
  vi.spyOn(Date, 'now').mockReturnValue(now);
  const user_data = { fb_click_id: 'F', ...more };
  const { user } = await trace({ user_data, clicked_at: { fb_click_id: at } });
  expect(user.user_data?.fbc).toBe(fbc);
  expect(user).not.toHaveProperty('clicked_at');
});

test('ad click data: no network’s click is used for more than 90 days', async () => {
  const clicks = { tt_click_id: 'T', google_click_id: 'G', gbraid: 'B', wbraid: 'W' };
  const clicked = (days: number) => ({
    user_data: clicks,
    clicked_at: Object.fromEntries(
      Object.keys(clicks).map((name) => [name, Date.now() - days * day]),
    ),
  });
  expect((await trace(clicked(89))).user.user_data).toEqual(clicks);
  expect((await trace(clicked(91))).user.user_data).toEqual({});
  const malformed = { user_data: clicks, clicked_at: { tt_click_id: 'x', gbraid: -1, other: 1 } };
  expect((await trace(malformed)).user.user_data).toEqual(clicks);
});

test('ad click data: other fields of the browser are dropped', async () => {
  const payload = {
    ...named,
    uuid: 'u',
    email: 'grace@example.com',
    price: 1,
    user_data: { em: 'x', fbc: 'a@b' },
  };
  expect(await trace(payload)).toMatchObject({ user: { user_data: {} } });
  expect(JSON.stringify([await trace(payload), await trace('grace@example.com')])).not.toMatch(
    /grace|@/,
  );
});
