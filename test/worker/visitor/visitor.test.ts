import * as v from 'valibot';
import { expect, test } from 'vitest';
import type { Env } from '../../../worker/platform/env.ts';
import {
  attributionSchema,
  eventSenderSchema,
  withoutForeignAppDomain,
} from '../../../worker/visitor/attribution.ts';
import { newIdentity } from '../../../worker/visitor/visitor.ts';
import { visitorIdOf } from '../../../worker/visitor/visitor-key.ts';
import { attributes, open } from '../open-page.ts';
import { request } from '../request.ts';

const uuid = '5d6c3c5e-8a0e-4b6f-9d5f-0a1b2c3d4e5f';
const own = newIdentity();
const had = ['arm=e1%3Aa', '_fbp=fb.1.1.2', '_ga=GA1.1.1.2', 'lng=de', '__stripe_mid=m', 'x_fbc=1'];
const page = 'http://get.funnel.test/one_pager';

/** The cookies set by the response to a browser with these cookies. */
async function setBy(cookies: readonly string[], headers = {}, address = page) {
  const cookie = [`userUuid=${own.uuid}`, `visitorKey=${own.key}`, ...cookies].join('; ');
  const response = await request(address, {
    headers: { 'cf-ipcountry': 'DE', cookie, ...headers },
  });
  return response.headers.getSetCookie().sort();
}

const gone = [
  ...['_fbp', '_ga'].flatMap((name) => [
    `${name}=; Max-Age=0; Domain=funnel.test; Path=/`,
    `${name}=; Max-Age=0; Domain=get.funnel.test; Path=/`,
    `${name}=; Max-Age=0; Path=/`,
  ]),
  'arm=; Max-Age=0; Path=/',
];

const short = [
  `userUuid=${own.uuid}; Path=/; SameSite=Lax`,
  `visitorKey=${own.key}; Path=/; HttpOnly; SameSite=Lax`,
];
test('tracking cookies: when consent has expired the id becomes a session cookie and the others are deleted', async () =>
  expect(await setBy(had)).toEqual([...gone, ...short]));

test('tracking cookies: consent to an older text counts as expired', async () => {
  const cookies = await setBy([...had, 'consent=0.yes']);
  expect(cookies).toEqual([...gone, 'consent=; Max-Age=0; Path=/', ...short]);
});

test('tracking cookies: are deleted again after a refusal, and kept after consent', async () => {
  expect(await setBy([...had, 'consent=3.no'])).toEqual(gone);
  expect(await setBy([...had.slice(1), 'consent=3.yes'])).toEqual([]);
});

test.each([
  ['a call of a script', {}, 'http://get.funnel.test/api/v1/cf-country'],
  ['a page fetched in advance', { 'sec-purpose': 'prefetch' }, page],
  ['a country that asks for no yes', { 'cf-ipcountry': 'US' }, page],
])('tracking cookies: %s changes nothing', async (_, headers, address) => {
  expect(await setBy(had.slice(1), headers, address)).toEqual([]);
});

const read = (value: unknown) => v.parse(attributionSchema, value);
test('attribution: ids of ad networks are accepted', () => {
  expect(read({})).toEqual({});
  const attribution = {
    appsflyer_id: '1613130000000-4523451',
    google_client_id: '1234567890.1600000000',
    user_data: {
      fbc: 'fb.1.1596403881668.Iw-AR_x~',
      fbp: 'fb.1.1596403881668.1116446470',
      fb_click_id: 'Iw-AR_x~',
      source_url: 'app.example.com',
    },
  };
  expect(read(attribution)).toEqual(attribution);
});

test.each(['fbc', 'ttp', 'fb_click_id', 'source_url'])(
  'attribution: personal data is never accepted as %s',
  (name) => {
    const wrong = [
      ...['ada@example.com', 'ada%40example.com', 'ada%2540example.com', '+49151', '%2B4915112345'],
      ...['212-555-0100', '212.555.0100', '015112345678', '', 'x'.repeat(513), 5, 'a b'],
    ];
    for (const value of wrong) {
      const sender = { google_client_id: '12.34', user_data: { [name]: value } };
      expect(read(sender)).toEqual({ google_client_id: '12.34', user_data: {} });
    }
  },
);
test('attribution: digits alone are refused, as they could be a phone number', () => {
  const digits = {
    fb_click_id: '4915112345678',
    tt_click_id: '2125550100',
    google_click_id: '5550100',
  };
  expect(read({ user_data: digits })).toEqual({ user_data: {} });
});

test('attribution: only our own app domains are kept', () => {
  const env = { APP_DOMAINS: 'app.example.com' } as Env;
  const sender = (source_url: string) => ({ user_data: { fbc: 'a', source_url } });
  expect(withoutForeignAppDomain(sender('app.example.com'), env)).toEqual(
    sender('app.example.com'),
  );
  expect(withoutForeignAppDomain(sender('evil.example'), env)).toEqual({ user_data: { fbc: 'a' } });
  expect(withoutForeignAppDomain({}, env)).toEqual({});
});

test('attribution: every account id is accepted, whatever its digits', () => {
  const sender = {
    user_id: '1a2b3c4d-1234-4567-8901-abcdefabcdef',
    appsflyer_id: 'a1b2c3d4-1234-4567-8901-012345678901-p',
  };
  expect(v.parse(eventSenderSchema, sender)).toEqual(sender);
});

type Headers = Record<string, string>;
const v4 = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const form = { 'content-type': 'application/x-www-form-urlencoded' };
async function cookieOf(headers: Headers, path = '/one_pager') {
  const response = await request(path, { headers });
  const found = response.headers.getSetCookie().filter((cookie) => cookie.startsWith('userUuid='));
  expect(found.length).toBeLessThan(2);
  const [pair = '', ...flags] = found[0]?.split('; ') ?? [];
  return { value: pair.slice('userUuid='.length), flags: flags.sort() };
}

/** The query that the response to a form passes on. */
async function carriedOn(path: string, headers: Headers = {}, more = {}) {
  const response = await request(path, { method: 'POST', headers: { ...form, ...headers } }, more);
  expect(response.status).toBe(303);
  const location = new URL(response.headers.get('location') ?? '', 'http://localhost');
  return Object.fromEntries(location.searchParams);
}

test('visitor: a new visitor gets an id of their own for 365 days', async () => {
  const one = await cookieOf({});
  expect(one.value).toMatch(v4);
  expect(one.flags).toEqual(['Max-Age=31536000', 'Path=/', 'SameSite=Lax']);
  expect((await cookieOf({})).value).not.toBe(one.value);
});

test('visitor: on https the cookie is Secure', async () =>
  expect((await cookieOf({}, 'https://localhost/one_pager')).flags).toContain('Secure'));

test('visitor: a returning visitor keeps the id', async () => {
  const cookie = `userUuid=${own.uuid}; visitorKey=${own.key}`;
  expect((await cookieOf({ cookie })).value).toBe('');
});

test.each([
  ['no key', ''],
  ['a malformed key', '; visitorKey=short'],
])(
  'visitor: a browser with an id and %s gets a new id and key at a page, and none at a call',
  async (_, key) => {
    const cookie = `userUuid=${uuid}${key}`;
    const response = await request('/one_pager', { headers: { cookie } });
    const set = response.headers.getSetCookie().join('\n');
    const [, id, newKey] =
      /^userUuid=([^;]+);[^\n]*\nvisitorKey=([^;]+);.*HttpOnly/.exec(set) ?? [];
    expect(visitorIdOf(newKey)).toBe(id);
    expect(id).not.toBe(uuid);
    expect((await cookieOf({ cookie }, '/api/v1/cf-country')).value).toBe('');
  },
);

test.each(['me', '', uuid.toUpperCase(), uuid.replace('-4', '-1'), `${uuid}0`, '<script>'])(
  'visitor: the invalid uuid %j is replaced',
  async (kept) => expect((await cookieOf({ cookie: `userUuid=${kept}` })).value).toMatch(v4),
);
test.each(['DE', 'SE', 'NO', 'GB', 'CH'])(
  'visitor: in %s, where consent is required, the cookie ends with the browser’s session',
  async (country) => {
    const { value, flags } = await cookieOf({ 'cf-ipcountry': country });
    expect([value, flags]).toEqual([expect.stringMatching(v4), ['Path=/', 'SameSite=Lax']]);
  },
);
test('visitor: a prefetch sets no id', async () => {
  expect((await cookieOf({ 'x-purpose': 'prefetch' })).value).toBe('');
  expect((await cookieOf({ 'sec-purpose': 'prefetch;prerender' })).value).toBe('');
});

test.each(['/i', '/api/v1/invitations/open'])(
  'visitor: an invitee gets no cookie from %s',
  async (path) => {
    const response = await request(path, { method: path === '/i' ? 'GET' : 'POST' });
    expect(response.headers.getSetCookie()).toEqual([]);
  },
);
test.each([
  ['US', 'US'],
  ['de', 'DE'],
  ['T1', 'US'],
  ['<b>', 'US'],
  ['USA', 'US'],
])('visitor: the country %j becomes %s', async (sender, country) => {
  const response = await request('/api/v1/cf-country', { headers: { 'cf-ipcountry': sender } });
  expect(await response.json()).toEqual({ country_code: country });
});

test('visitor: an unknown country is DEFAULT_COUNTRY, else the United States', async () => {
  const country = async (more: object) =>
    (await (await request('/api/v1/cf-country', {}, more)).json()) as { country_code: string };
  expect((await country({ DEFAULT_COUNTRY: 'fr' })).country_code).toBe('FR');
  expect((await country({})).country_code).toBe('US');
});

test('visitor: production ignores the country header', async () => {
  const headers = { 'cf-ipcountry': 'DE' };
  const response = await request('/api/v1/cf-country', { headers }, { ENVIRONMENT: 'production' });
  expect(await response.json()).toEqual({ country_code: 'US' });
});

/** The cookies with the id and its key. */
const identityIn = (response: Response) =>
  response.headers.getSetCookie().filter((one) => /(userUuid|visitorKey)=/.test(one));
const keyIn = (set: readonly string[]) =>
  /^visitorKey=([\w-]{27}); /.exec(set.find((one) => one.startsWith('visitorKey=')) ?? '')?.[1];

test('visitor: a new visitor gets a key that scripts cannot read and that proves the id', async () => {
  const set = identityIn(await request('/one_pager'));
  const key = keyIn(set);
  expect(set).toEqual([
    `userUuid=${visitorIdOf(key)}; Max-Age=31536000; Path=/; SameSite=Lax`,
    `visitorKey=${key}; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax`,
  ]);
});

test('visitor: on https no other host can set the key', async () => {
  const set = identityIn(await request('https://localhost/one_pager'));
  const prefix =
    /^__Host-visitorKey=[\w-]{27}; Max-Age=31536000; Path=\/; HttpOnly; Secure; SameSite=Lax$/;
  expect(set.at(-1)).toMatch(prefix);
  const planted = { headers: { cookie: `visitorKey=${'x'.repeat(22)}` } };
  const fresh = identityIn(await request('https://localhost/one_pager', planted));
  expect(fresh.join()).not.toContain(visitorIdOf('x'.repeat(22)));
});

test.each([
  ['another id beside the key is replaced', `userUuid=${uuid}; visitorKey=${own.key}`, true],
  ['a lost id is restored from the key', `visitorKey=${own.key}`, true],
  ['an id with its key is kept', `userUuid=${own.uuid}; visitorKey=${own.key}`, false],
])('visitor: %s', async (_what, cookie, isReplaced) => {
  const set = identityIn(await request('/one_pager', { headers: { cookie } }));
  const pairs = [`userUuid=${own.uuid}`, `visitorKey=${own.key}`];
  expect(set.map((one) => one.split(';')[0])).toEqual(isReplaced ? pairs : []);
});

test('visitor: only allowed parameters are kept', async () => {
  const known = 'fbclid gclid ttclid skip_split appDomain utm_source utm_medium'.split(' ');
  const others = 'utm_campaign utm_term utm_content custom_lng theme'.split(' ');
  const all = Object.fromEntries([...known, ...others].map((name) => [name, `of ${name}`]));
  const unknown = {
    phone: '2025550100',
    email: 'a@example.com',
    next: '//evil.test',
    __proto__x: 1,
  };
  const query = new URLSearchParams({ ...all, ...unknown } as unknown as Headers);
  expect(await carriedOn(`/searching?${query}`, {}, { APP_DOMAINS: 'of appDomain' })).toEqual(all);
});

test('visitor: a parameter is cut at 512 characters and kept once', async () => {
  const query = `gclid=${'x'.repeat(5000)}&fbclid=first&fbclid=second`;
  const carried = await carriedOn(`/searching?${query}`);
  expect([carried.gclid?.length, carried.fbclid]).toEqual([512, 'first']);
});

test('visitor: production ignores language and theme parameters', async () => {
  const more = { ENVIRONMENT: 'production' };
  const query = 'custom_lng=en&theme=fo&gclid=1';
  expect(await carriedOn(`/searching?${query}`, {}, more)).toEqual({ gclid: '1' });
  const { html } = await open(`/signup?${query}`, {}, more);
  expect(attributes(html, 'html')['data-theme']).toBe('geozilla');
});

test.each([
  ['gz', 'geozilla'],
  ['fl', 'family-locator'],
  ['fo', 'found'],
  ['bb', 'brainbloom'],
  ['brainbloom', 'brainbloom'],
  ['__proto__', 'geozilla'],
  ['constructor', 'geozilla'],
  ['', 'geozilla'],
])('visitor: the theme %j is %s, from the query or the variable', async (value, theme) => {
  const themeOf = (html: string) => attributes(html, 'html')['data-theme'];
  expect(themeOf((await open(`/signup?theme=${value}`)).html)).toBe(theme);
  expect(themeOf((await open('/signup', {}, { THEME: value })).html)).toBe(theme);
});

test.each([
  ['the own page', 'http://localhost/searching?gclid=1&phone=2', { gclid: '1' }],
  ['another site', 'https://elsewhere.test/?gclid=1', {}],
  ['our host over https', 'https://localhost/?gclid=1', {}],
  ['no address', 'about:client', {}],
  ['nothing', '', {}],
])('visitor: a form without a query takes that of the Referer: %s', async (_, referer, query) => {
  expect(await carriedOn('/searching', { referer })).toEqual(query);
});

test('visitor: a form’s own query wins, and a page’s Referer is ignored', async () => {
  const referer = 'http://localhost/searching?gclid=1';
  expect(await carriedOn('/searching?fbclid=2', { referer })).toEqual({ fbclid: '2' });
  const page = await open('/one_pager', { referer: 'http://localhost/?theme=fo' });
  expect(attributes(page.html, 'html')['data-theme']).toBe('geozilla');
});
