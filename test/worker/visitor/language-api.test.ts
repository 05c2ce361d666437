import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { type Country, countryOf } from '../../../worker/rendering/country-facts.ts';
import { attributes, open, withoutCss } from '../open-page.ts';
import { request } from '../request.ts';

const germany: Country = {
  code: 'DE',
  name: 'Germany',
  callingCode: '49',
  exampleNumber: '01512 3456789',
  groups: expect.stringMatching(/^0;/),
};

test('country facts: without their file a country has its name and calling code', async () => {
  const log = vi.fn();
  const lost = { ASSETS: { fetch: async () => new Response('', { status: 404 }) } };
  const bare = { code: 'DE', name: 'Germany', callingCode: '49', exampleNumber: '', groups: '' };
  vi.useFakeTimers({ toFake: ['Date'] });
  for (const _ of [1, 2]) expect(await countryOf('DE', 'en', lost, log)).toEqual(bare);
  expect(log.mock.calls).toEqual([
    ['error', 'lookup_data_missing', { dataset: 'countries', reason: 'RangeError' }],
  ]);
  vi.advanceTimersByTime(60_000);
  expect(await countryOf('DE', 'en', env, log)).toEqual(germany);
  vi.useRealTimers();
});

test.each([
  ['DE', 'en', germany],
  [
    'US',
    'en',
    { code: 'US', name: 'United States', callingCode: '1', exampleNumber: '(201) 555-0123' },
  ],
  ['DE', 'fr', { ...germany, name: 'Allemagne' }],
])('country facts: %s in %s', async (...[code, language, country]) => {
  expect(await countryOf(code, language, env, () => {})).toMatchObject(country);
});

test.each(['T1', 'XX', 'AQ', '', '__proto__', 'toString'])(
  'country facts: %j, a country without phone numbers, becomes the United States',
  async (country) => expect((await countryOf(country, 'en', env, () => {})).code).toBe('US'),
);

const form = { 'content-type': 'application/x-www-form-urlencoded' };
type Headers = Record<string, string>;
const choose = (language: string, headers: Headers = {}) =>
  request('/language', {
    method: 'POST',
    headers: { ...form, ...headers },
    body: new URLSearchParams({ language }).toString(),
  });
const cookieOf = (response: Response) =>
  response.headers.getSetCookie().find((cookie) => cookie.startsWith('lng='));
const languageOf = async (path: string, headers: Headers) => {
  const { lang, dir } = attributes((await open(path, headers)).html, 'html');
  return [lang, dir];
};

test('language: the choice lasts a year and leads back to the page', async () => {
  const response = await choose('ar', { referer: 'http://localhost/signup?gclid=1&custom_lng=de' });
  expect(response.status).toBe(303);
  expect(response.headers.get('location')).toBe('/signup?gclid=1');
  expect(cookieOf(response)).toBe('lng=ar; Max-Age=31536000; Path=/; SameSite=Lax');
});

test('language: where consent is required the choice lasts for the session', async () => {
  expect(cookieOf(await choose('de', { 'cf-ipcountry': 'DE' }))).toBe(
    'lng=de; Path=/; SameSite=Lax',
  );
});

test.each(['xx', '', '__proto__', 'en<script>'])(
  'language: the unsupported language %j is not stored',
  async (language) => expect(cookieOf(await choose(language))).toBeUndefined(),
);
test.each([
  ['another site', 'https://elsewhere.test/signup', '/'],
  ['an address that leads elsewhere', 'http://localhost//elsewhere.test', '/'],
  ['no address', 'about:client', '/'],
  ['the link into the app', 'http://localhost/d', '/d'],
])('language: a choice on %s redirects within the site', async (_, referer, location) => {
  expect((await choose('de', { referer })).headers.get('location')).toBe(location);
});

test('language: the query wins over the choice, the choice over the browser', async () => {
  const browser = { 'accept-language': 'de-DE,de;q=0.9' };
  const chosen = { ...browser, cookie: 'lng=ar' };
  expect(await languageOf('/signup', browser)).toEqual(['de', 'ltr']);
  expect(await languageOf('/signup?custom_lng=en', browser)).toEqual(['en', 'ltr']);
  expect(await languageOf('/signup?custom_lng=en', chosen)).toEqual(['en', 'ltr']);
  expect(await languageOf('/signup', chosen)).toEqual(['ar', 'rtl']);
  expect(await languageOf('/signup', { ...browser, cookie: 'lng=xx' })).toEqual(['de', 'ltr']);
});

test('language: pages are cached per language', async () => {
  const html = async (language: string) =>
    withoutCss((await open('/one_pager_l1', { 'accept-language': language })).html);
  const german = await html('de');
  expect(await html('ar')).not.toBe(german);
  expect(await html('de-AT')).toBe(german);
  expect(german).toContain('Frag, wo sie sind.');
});

test('language: every screen offers every language in its own name', async () => {
  const { html } = await open('/one_pager_l1', { 'accept-language': 'de' });
  expect(html).toMatch(/<form[^>]* action="\/language" method="post"/);
  for (const [code, name] of [
    ['ar', 'العربية'],
    ['de', 'Deutsch'],
    ['en', 'English'],
  ])
    expect(html).toMatch(new RegExp(`<button[^>]*value="${code}"[^>]*lang="${code}"[^>]*>${name}`));
});

test.each([
  ['de', 'Die Telefonnummer stimmt nicht'],
  ['ar', 'رقم الهاتف غير صحيح'],
])('language: the API’s errors are in the visitor’s language, %s', async (language, message) => {
  const response = await request('/api/v1/phone-number-info', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-language': language },
    body: JSON.stringify({ phone: '123' }),
  });
  expect(await response.json()).toEqual({
    errors: { code: 'phone_incorrect', messages: [message] },
  });
});
