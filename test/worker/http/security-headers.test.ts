import { expect, test } from 'vitest';
import { screenIds, takesPayment } from '../../../worker/experiments/rules/flows.ts';
import {
  contentSecurityPolicy,
  pageHeaders,
  securityHeaders,
} from '../../../worker/http/security-headers.ts';
import type { Env } from '../../../worker/platform/env.ts';
import { everyNetwork } from '../../every-network.ts';
import { open } from '../open-page.ts';
import { post, request } from '../request.ts';

const start =
  "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; " +
  "font-src 'self'; manifest-src 'self'; style-src 'self' 'unsafe-inline'";
const typed = "require-trusted-types-for 'script'; trusted-types funnel default";
const reported = 'report-uri /api/v1/reports; report-to default';
const google = 'https://accounts.google.com/gsi/';
const googleTypes = "goog#html google#safe 'allow-duplicates'";
const ordinary =
  `${start} ${google}style; script-src 'self' 'inline-speculation-rules' ${google}client; ` +
  `img-src 'self' data:; connect-src 'self' ${google}; frame-src 'self' ${google}; form-action 'self'; ` +
  `${typed} ${googleTypes}; ${reported}`;
const payment =
  `${start}; ` +
  "script-src 'self' 'inline-speculation-rules' https://js.stripe.com https://*.js.stripe.com " +
  'https://js.braintreegateway.com https://*.cardinalcommerce.com https://*.cardinaltrusted.com ' +
  'https://*.paypal.com https://www.paypalobjects.com https://pay.google.com; ' +
  "img-src 'self' data: https://*.stripe.com https://assets.braintreegateway.com " +
  'https://*.paypal.com https://www.paypalobjects.com https://www.gstatic.com; ' +
  "connect-src 'self' https://api.stripe.com https://*.braintreegateway.com " +
  'https://*.braintree-api.com https://*.cardinalcommerce.com https://*.cardinaltrusted.com ' +
  'https://*.paypal.com https://pay.google.com https://google.com/pay; ' +
  'frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com ' +
  'https://assets.braintreegateway.com https://*.cardinalcommerce.com https://*.cardinaltrusted.com ' +
  `https: https://*.paypal.com https://pay.google.com; form-action 'self' https:; ${reported}`;
const privately =
  `${start}; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; ` +
  `${typed}; ${reported}`;

test('security headers: the policy of each page kind', () => {
  expect(contentSecurityPolicy('private', false)).toBe(privately);
  expect(contentSecurityPolicy('ordinary', false)).toBe(ordinary);
  expect(contentSecurityPolicy('payment', false)).toBe(payment);
});

const answers = { 'reporting-endpoints': 'default="/api/v1/reports"' };
const nothing =
  'camera=(), microphone=(), geolocation=(), payment=(), usb=(), midi=(), display-capture=()';

test('security headers: the other headers of each page kind', () => {
  expect(pageHeaders('ordinary', false, null)).toEqual({
    ...answers,
    'content-security-policy': ordinary,
  });
  expect(pageHeaders('payment', false, null)).toEqual({
    ...answers,
    'content-security-policy': payment,
    'content-security-policy-report-only': `${typed} ${googleTypes}; ${reported}`,
    'permissions-policy': nothing.replace(
      'payment=()',
      'payment=(self "https://js.stripe.com" "https://www.paypal.com" "https://pay.google.com")',
    ),
  });
  expect(pageHeaders('private', false, null)).toEqual({
    ...answers,
    'content-security-policy': privately,
    'referrer-policy': 'no-referrer',
    'permissions-policy': nothing.replace('geolocation=()', 'geolocation=(self)'),
    'cross-origin-opener-policy': 'same-origin',
    'x-robots-tag': 'noindex',
  });
});

test('security headers: the private page’s headers override the common ones', async () => {
  const { headers } = await open('/i');
  const expected = { ...securityHeaders, ...pageHeaders('private', false, null) };
  const sent = Object.keys(expected).map((name) => [name, headers.get(name)]);
  expect(Object.fromEntries(sent)).toEqual({ ...expected, 'cache-control': 'no-store' });
});

const bare = { vendors: '', suffix: '' };
const sourcesOf = (policy: string, directive: string) =>
  new RegExp(`${directive} ([^;]*)`).exec(policy)?.[1]?.split(' ') ?? [];

test('security headers: an ad network is allowed only where it is configured', () => {
  const meta = contentSecurityPolicy('ordinary', false, { ...bare, meta: '1' });
  expect(sourcesOf(meta, 'script-src')).toContain('https://connect.facebook.net');
  expect(sourcesOf(meta, 'img-src')).toEqual(["'self'", 'data:', 'https://www.facebook.com']);
  expect(sourcesOf(meta, 'trusted-types')).toContain('connect.facebook.net/fbevents');
  expect(meta).not.toMatch(/tiktok|google-analytics|clarity|appsflyer/);
  expect(contentSecurityPolicy('ordinary', false, bare)).toBe(ordinary);
});

test('security headers: with all ad networks no script is inline or from any host, and payment pages have none', () => {
  const policy = contentSecurityPolicy('ordinary', false, everyNetwork);
  for (const host of sourcesOf(policy, 'script-src'))
    expect(host).toMatch(/^('self'|'inline-speculation-rules'|https:\/\/[\w.-]+(\/\S+)?)$/);
  expect(contentSecurityPolicy('payment', false, everyNetwork)).toBe(payment);
});

test('security headers: every screen has the policy of its kind', async () => {
  for (const id of [...screenIds, 'nowhere'] as const) {
    for (const country of ['US', 'DE']) {
      const { status, headers } = await open(`/${id}?gclid=1`, { 'cf-ipcountry': country });
      // An unknown screen is the fallback, an ordinary page.
      const pays = status === 200 && id !== 'nowhere' && takesPayment(id);
      expect([id, headers.get('content-security-policy')]).toEqual([id, pays ? payment : ordinary]);
    }
  }
});

test('security headers: vendor fakes change the frame sources only', () => {
  const own = (policy: string) => policy.replace(/(frame-src|form-action) [^;]*/g, "$1 'self'");
  expect(contentSecurityPolicy('ordinary', true)).toBe(own(ordinary));
  expect(contentSecurityPolicy('payment', true)).toBe(own(payment));
});

const expected = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'strict-transport-security': 'max-age=63072000; includeSubDomains; preload',
  'permissions-policy': nothing,
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'x-frame-options': 'DENY',
};

test('security headers: the common headers of every response', () =>
  expect(securityHeaders).toEqual({ ...expected, 'cache-control': 'no-store' }));

const form = { 'content-type': 'application/x-www-form-urlencoded' };

const operator = { ADMIN_TOKEN: 'a token of the tests' };
const spent = { limit: async () => ({ success: false }) };
const down = {
  prepare: () => {
    throw new Error('down');
  },
} as unknown as Env['DB'];
const email = 'somebody@example.com';
const who = {
  email: 'another@example.com',
  user_uuid: crypto.randomUUID(),
  landing_type: 'split_fullPrice',
};
const from = { 'cf-connecting-ip': '192.0.2.7' };
const signUp = (more: Partial<Env>) => {
  const body = new URLSearchParams({ email: `${crypto.randomUUID()}@example.com` });
  const init = { method: 'POST', headers: { ...form, ...from }, body: body.toString() };
  return request('/signup', init, more);
};
const bearer = { authorization: `Bearer ${operator.ADMIN_TOKEN}` };
const report = () => {
  const headers = { 'content-type': 'application/reports+json' };
  return request('/api/v1/reports', { method: 'POST', headers, body: '[]' });
};
const broken = { TOKEN_SECRET: '' };

const page = 'private, no-cache';
const never = 'no-store';
const none: Record<string, string | undefined> = {};
const pays: typeof none = {
  'permissions-policy': pageHeaders('payment', false, null)['permissions-policy'],
};

test.each([
  ['a page', 200, page, () => request('/one_pager')],
  ['a payment page', 200, page, () => request('/checkout_v3_tr'), pays],
  ['a page of one person', 200, never, () => request('/manage')],
  ['where a purchase is seen', 200, never, () => request('/success')],
  ['the fallback', 404, page, () => request('/nowhere')],
  ['a deep address', 404, page, () => request('/a/b/c')],
  [
    'a redirect',
    303,
    never,
    () => request('/searching', { method: 'POST', headers: form, body: '' }),
  ],
  ['a refused form', 415, page, () => request('/searching', { method: 'POST', body: '{}' })],
  ['a configuration document', 200, 'no-cache', () => request('/config.json')],
  ['health', 200, never, () => request('/healthz')],
  ['an answer of the API', 200, never, () => request('/api/v1/cf-country')],
  ['a refusal of the API', 401, never, () => request('/api/v1/users/me/payments-settings')],
  ['an unknown call of the API', 404, never, () => request('/api/v1/nothing')],
  ['a bad body', 422, never, () => post('/signup', {})],
  ['another method', 404, page, () => request('/one_pager', { method: 'DELETE' })],
  ['a page without its body', 200, page, () => request('/one_pager', { method: 'HEAD' })],
  ['an address that is cleaned', 303, never, () => request(`/one_pager?email=${email}`)],
  ['a page of what broke', 500, page, () => signUp(broken)],
  ['what broke in the API', 500, never, () => post('/signup', who, from, broken)],
  ['a page of who asks too often', 429, page, () => signUp({ SIGNUP_RATE_LIMIT: spent })],
  ['a call too many', 429, never, () => post('/consent', {}, from, { POST_RATE_LIMIT: spent })],
  ['a page without the database', 503, page, () => signUp({ DB: down })],
  ['the API without the database', 503, never, () => post('/signup', who, {}, { DB: down })],
  [
    'a gateway’s message',
    400,
    never,
    () => request('/webhooks/stripe', { method: 'POST', body: '{}' }),
  ],
  ['a reported refusal', 204, never, () => report()],
  [
    'what operators see',
    200,
    never,
    () => request('/admin/dead-letters', { headers: bearer }, operator),
  ],
  ['what nobody else sees', 404, never, () => request('/admin/dead-letters', {}, operator)],
])(
  'security headers: %s has them too, and the right cache header',
  async (_, status, kept, call, more = none) => {
    const response = await call();
    expect(response.status).toBe(status);
    const wanted = { ...expected, ...more, 'cache-control': kept };
    const sent = Object.keys(wanted).map((name) => [name, response.headers.get(name)]);
    expect(Object.fromEntries(sent)).toEqual(wanted);
    expect(response.headers.get('server-timing')).toMatch(/^visit;dur=\d+/);
    expect(response.headers.has('x-powered-by')).toBe(false);
  },
);
