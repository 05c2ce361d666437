import { expect, test } from 'vitest';
import { screenIds, takesPayment } from '../../worker/funnel/flows.ts';
import { policyOf, securityHeaders } from '../../worker/policy.ts';
import { ask, post } from './ask.ts';
import { open } from './page.ts';

const start =
  "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; " +
  "font-src 'self'; manifest-src 'self'; style-src 'self' 'unsafe-inline'";
const ours = `${start}; `;
const google = 'https://accounts.google.com/gsi/';
const ordinary =
  `${start} ${google}style; script-src 'self' 'inline-speculation-rules' ${google}client; ` +
  `img-src 'self' data:; connect-src 'self' ${google}; frame-src ${google}`;
const payment =
  ours +
  "script-src 'self' https://js.stripe.com https://*.js.stripe.com " +
  'https://js.braintreegateway.com https://*.cardinalcommerce.com ' +
  'https://*.paypal.com https://www.paypalobjects.com https://pay.google.com; ' +
  "img-src 'self' data: https://*.stripe.com https://assets.braintreegateway.com " +
  'https://*.paypal.com https://www.paypalobjects.com https://www.gstatic.com; ' +
  "connect-src 'self' https://api.stripe.com https://*.braintreegateway.com " +
  'https://*.braintree-api.com https://*.cardinalcommerce.com ' +
  'https://*.paypal.com https://pay.google.com https://google.com/pay; ' +
  'frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com ' +
  'https://assets.braintreegateway.com https://*.cardinalcommerce.com ' +
  'https://*.paypal.com https://pay.google.com';

test('there is a policy for each kind, and these are they', () => {
  expect(policyOf('private', false)).toBe(
    `${ours}script-src 'self'; img-src 'self'; connect-src 'self'`,
  );
  expect(policyOf('ordinary', false)).toBe(ordinary);
  expect(policyOf('payment', false)).toBe(payment);
});

test('nobody but who takes payments is admitted beside a card field', () => {
  const beside = policyOf('payment', false).replaceAll(
    /https:\/\/(pay\.google|google\.com\/pay)/g,
    '',
  );
  expect(beside).not.toMatch(/google|doubleclick|facebook|tiktok/);
});

test('every screen has the one of its kind, whoever asks', async () => {
  for (const id of [...screenIds, 'nowhere'] as const) {
    for (const country of ['US', 'DE']) {
      const { status, headers } = await open(`/${id}?gclid=1`, { 'cf-ipcountry': country });
      // A screen that is not built yet is the fallback, an ordinary page.
      const pays = status === 200 && id !== 'nowhere' && takesPayment(id);
      expect([id, headers.get('content-security-policy')]).toEqual([id, pays ? payment : ordinary]);
    }
  }
});

test('no script may be inline, evaluated or from everywhere', () => {
  for (const policy of [ordinary, payment, policyOf('payment', true)]) {
    const scripts = /script-src ([^;]*)/.exec(policy)?.[1] ?? '';
    expect(scripts).not.toMatch(/unsafe|nonce|strict-dynamic|data:|blob:|http:|(^| )\*( |$)/);
    expect(scripts).not.toMatch(/https:( |$)/);
  }
});

test('the stand-in’s frames are our own, and nothing else differs', () => {
  const frames = /frame-src [^;]*/;
  expect(policyOf('ordinary', true)).toBe(ordinary.replace(frames, "frame-src 'self'"));
  expect(policyOf('payment', true)).toBe(payment.replace(frames, "frame-src 'self'"));
});

const expected = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'strict-transport-security': 'max-age=63072000; includeSubDomains; preload',
  'permissions-policy':
    'camera=(), microphone=(), geolocation=(), payment=(self "https://js.stripe.com")',
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'x-frame-options': 'DENY',
};

test('the headers that all answers carry are these', () => {
  expect(securityHeaders).toEqual(expected);
});

const form = { 'content-type': 'application/x-www-form-urlencoded' };

test.each([
  ['a page', 200, () => ask('/one_pager')],
  ['a payment page', 200, () => ask('/checkout_v3_tr')],
  ['the fallback', 404, () => ask('/nowhere')],
  ['a deep address', 404, () => ask('/a/b/c')],
  ['a redirect', 303, () => ask('/searching', { method: 'POST', headers: form, body: '' })],
  ['a refused form', 415, () => ask('/searching', { method: 'POST', body: '{}' })],
  ['a configuration document', 200, () => ask('/config.json')],
  ['health', 200, () => ask('/healthz')],
  ['an answer of the API', 200, () => ask('/api/v1/cf-country')],
  ['a refusal of the API', 401, () => ask('/api/v1/users/me/payments-settings')],
  ['an unknown call of the API', 404, () => ask('/api/v1/nothing')],
  ['a bad body', 422, () => post('/signup', {})],
  ['another method', 404, () => ask('/one_pager', { method: 'DELETE' })],
])('%s, too, carries them', async (_, status, call) => {
  const response = await call();
  expect(response.status).toBe(status);
  const sent = Object.keys(expected).map((name) => [name, response.headers.get(name)]);
  expect(Object.fromEntries(sent)).toEqual(expected);
  expect(response.headers.get('server-timing')).toMatch(/^visit;dur=\d+/);
  expect(response.headers.has('x-powered-by')).toBe(false);
});
