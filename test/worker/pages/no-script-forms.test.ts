import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import errors from '../../../locales/en/errors.json';
import { accountById } from '../../../worker/accounts/account-table.ts';
import { phoneKinds, textedCountries } from '../../phone-kinds.ts';
import { pollTimeout } from '../../poll-timeout.ts';
import { address, productApi } from '../accounts/product-api.ts';
import { request } from '../request.ts';

type Fields = Record<string, string>;

const submit = (path: string, fields: Fields = {}, headers: Fields = {}, more = {}) =>
  request(path, { method: 'POST', headers, body: new URLSearchParams(fields) }, more);

const locationOf = (response: Response) => [response.status, response.headers.get('location')];

function carried(response: Response) {
  const all = response.headers.getSetCookie().find((cookie) => cookie.startsWith('carry=')) ?? '';
  const [pair = ''] = all.split(';');
  return { pair, carry: JSON.parse(decodeURIComponent(pair.slice('carry='.length))) };
}

async function expectNotice(response: Response, status: number, code: keyof typeof errors) {
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toContain('text/html');
  const html = await response.text();
  expect(html).toContain(errors[code]);
  return html;
}

test('forms: a phone number is stored for the next screen', async () => {
  const response = await submit('/one_pager', { phone: '0151 23456789', country: 'DE' });
  expect(locationOf(response)).toEqual([303, '/searching']);
  expect(response.headers.get('cache-control')).toBe('no-store');
  const map = { phone: '+49 1512 3456789', country: 'DE', byLink: false };
  expect(carried(response).carry).toEqual({ map });
});

test('forms: the country defaults to the visitor’s', async () => {
  const response = await submit('/one_pager', { phone: '0151 23456789' }, { 'cf-ipcountry': 'DE' });
  expect(response.status).toBe(303);
});

test('forms: multipart forms are parsed', async () => {
  const body = new FormData();
  body.set('phone', '+4915123456789');
  body.set('file', new File(['x'], 'x.txt'));
  const response = await request('/one_pager', { method: 'POST', body });
  expect(locationOf(response)).toEqual([303, '/searching']);
});

test('forms: allowed query parameters are passed on, others are not', async () => {
  const path = '/one_pager?gclid=a%26b&next=https://elsewhere.test';
  const response = await submit(path, { phone: '+4915123456789' });
  expect(locationOf(response)).toEqual([303, '/searching?gclid=a%26b']);
});

test.each([{ phone: '' }, {}])('forms: %j is refused with a link back', async (fields) => {
  const response = await submit('/one_pager?gclid=1', fields as Fields);
  const html = await expectNotice(response, 400, 'phone_incorrect');
  expect(html).toContain('href="/one_pager?gclid=1"');
  expect(response.headers.getSetCookie().join()).not.toContain('carry=');
});

/** The notice's ways on, in their order. */
const waysOn = (html: string) =>
  [...html.matchAll(/<a [^>]*id="(?:continue-button|onward)"[^>]*>/g)].map(
    ([link]) => /href="([^"]+)"/.exec(link)?.[1],
  );

const digitsOf = (text: string) => text.replace(/\D/g, '');

function stored(response: Response): [digits: string, byLink: boolean] {
  const { map } = carried(response).carry;
  return [digitsOf(map.phone), map.byLink];
}

test.each(phoneKinds)('forms: %s: %s is told before the e-mail', async (...kind) => {
  const [, phone, , code] = kind;
  const more = { SMS_COUNTRIES: textedCountries };
  const response = await submit('/one_pager?gclid=1', { phone }, {}, more);
  if (code === null) {
    expect(locationOf(response)).toEqual([303, '/searching?gclid=1']);
    expect(stored(response)).toEqual([digitsOf(phone), false]);
    return;
  }
  const ways = waysOn(await expectNotice(response, response.status, code));
  const [again, onward] = ['/one_pager?gclid=1', '/searching?gclid=1'];
  if (code === 'phone_incorrect') return expect(ways).toEqual([again]);
  expect(ways).toEqual([again, onward]);
  expect(stored(response)).toEqual([digitsOf(phone), true]);
});

test('forms: another number replaces one that goes by link', async () => {
  const { pair } = carried(await submit('/one_pager', { phone: '+49 30 12345678' }));
  const next = await submit('/one_pager', { phone: '+4915123456789' }, { cookie: pair });
  expect(carried(next).carry).toMatchObject({ map: { byLink: false } });
});

test('forms: a flow without a look-up leads from the notice to the e-mail', async () => {
  const flows = { short: ['one_pager', 'signup', 'checkout_v3_tr', 'success'] };
  const variants = [{ key: 'fullPrice', weight: 100, flow: 'short' }];
  await env.FUNNEL.put('flows.json', JSON.stringify({ flows, aliases: {} }));
  await env.FUNNEL.put('config.json', JSON.stringify({ experiment: 'short', variants }));
  const more = { CONFIG_CACHE_SECONDS: '0' };
  await vi.waitFor(async () => {
    const response = await submit('/one_pager', { phone: '+49 30 12345678' }, {}, more);
    expect(waysOn(await response.text())).toEqual(['/one_pager', '/signup']);
  }, pollTimeout);
});

test('forms: answers to the questions are stored, and other fields are not', async () => {
  const response = await submit('/questions', { who: 'child', matters: 'outing' });
  expect(carried(response).carry).toEqual({ answers: { child: true, outing: true } });
  const forged = await submit('/questions', { who: 'everyday', matters: '<b>' });
  expect(forged.status).toBe(303);
  expect(forged.headers.getSetCookie().join()).not.toContain('carry=');
});

test('forms: the searching screen leads to the next one', async () =>
  expect(locationOf(await submit('/searching'))).toEqual([303, '/signup']));

test('forms: an e-mail creates an account and is added to the cookie', async () => {
  const { pair, carry } = carried(await submit('/one_pager', { phone: '+4915123456789' }));
  const cookie = `${pair}; userUuid=0c5f7f0e-52d6-4f0b-8a36-3f7c2e9d1a10`;
  const response = await submit('/signup', { email: ' form@example.com ' }, { cookie });
  expect(locationOf(response)).toEqual([303, '/checkout_v3_tr']);
  const { map, signup } = carried(response).carry;
  expect(map).toEqual(carry.map);
  expect(signup).toEqual({
    email: 'form@example.com',
    token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    deeplinkToken: expect.stringMatching(/^[\w-]{22}$/),
    userId: expect.any(String),
  });
  expect(await accountById(env.DB, signup.userId)).toMatchObject({ email: 'form@example.com' });
});

test('forms: an invalid or taken e-mail is refused with a link back', async () => {
  const html = await expectNotice(await submit('/signup', { email: 'a@b' }), 422, 'email_invalid');
  expect(html).toContain('href="/signup"');
  await expectNotice(await submit('/signup'), 422, 'email_invalid');
  await submit('/signup', { email: 'twice@example.com' });
  await expectNotice(await submit('/signup', { email: 'twice@example.com' }), 422, 'email_taken');
});

const product = { PRODUCT_API_URL: address };

test('forms: with a product API the account is created there', async () => {
  const data = { access_token: 'a', deeplink_token: 'd', entity: { external_user_id: 7 } };
  const seen = productApi(() => Response.json({ data }));
  const response = await submit('/signup', { email: 'there@example.com' }, {}, product);
  expect(locationOf(response)).toEqual([303, '/checkout_v3_tr']);
  const { signup } = carried(response).carry;
  expect(signup).toMatchObject({ token: 'a', deeplinkToken: 'd', userId: '7' });
  // The session for what we answer ourselves.
  const headers = { authorization: `Bearer ${signup.own}` };
  expect((await request('/api/v1/users/me/purchases', { headers }, product)).status).toBe(200);
  expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
    registration_source: 'email',
    email: 'there@example.com',
    name: 'there@example.com',
    user_uuid: expect.any(String),
    landing_type: 'split_fullPrice',
  });
});

test.each([
  [{ errors: { messages: ['UserEmailTaken'] } }, 422, 422, 'email_taken'],
  [{ errors: { messages: ['No'] } }, 400, 503, 'signup_failed'],
  [{ data: {} }, 200, 503, 'signup_failed'],
] as const)(
  'forms: the product API’s answer %j of %i is shown',
  async (body, status, shown, code) => {
    productApi(() => Response.json(body, { status }));
    const response = await submit('/signup', { email: 'no@example.com' }, {}, product);
    await expectNotice(response, shown, code);
  },
);

test.each(['/checkout_v3_tr', '/paycheck1_pr5_h_win', '/upsell_an_private', '/upsell_guide'])(
  'forms: %s cannot be paid without JavaScript, and the page says so',
  async (path) => {
    await expectNotice(await submit(path, { plan: 'monthly_usd' }), 422, 'javascript_required');
  },
);

test.each(['/success', '/payment_declined', '/features', '/nowhere', '/__proto__'])(
  'forms: a form on %s leads to the first screen',
  async (path) => expect(locationOf(await submit(path))).toEqual([303, '/one_pager']),
);

test('forms: a body over 16 KB is refused', async () => {
  const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
  await expectNotice(await request('/one_pager', json), 415, 'unsupported_media_type');
  await expectNotice(
    await request('/one_pager', { method: 'POST' }),
    415,
    'unsupported_media_type',
  );
  await expectNotice(
    await submit('/one_pager', { phone: '1'.repeat(17_000) }),
    413,
    'body_too_large',
  );
  const headers = { 'content-type': 'multipart/form-data' };
  const broken = await request('/one_pager', { method: 'POST', headers, body: 'x' });
  await expectNotice(broken, 400, 'malformed_body');
});

test('forms: an alias posts to its screen', async () => {
  const config = {
    experiment: 'e',
    variants: [{ key: 'fullPrice', weight: 100, flow: 'default' }],
  };
  const flows = { flows: {}, aliases: { start: 'one_pager' } };
  await env.FUNNEL.put('config.json', JSON.stringify(config));
  await env.FUNNEL.put('flows.json', JSON.stringify(flows));
  const post = () =>
    submit('/start', { phone: '+4915123456789' }, {}, { CONFIG_CACHE_SECONDS: '0' });
  await vi.waitFor(
    async () => expect(locationOf(await post())).toEqual([303, '/searching']),
    pollTimeout,
  );
});
