import { env } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  braintreeCredentials,
  graphql,
  hasBraintree,
  rest,
} from '../../../../../worker/payments/gateways/braintree/client.ts';
import { cachedClientToken } from '../../../../../worker/payments/gateways/braintree/client-token-cache.ts';
import {
  childOf,
  listOf,
  parseXml,
  textOf,
} from '../../../../../worker/payments/gateways/braintree/xml.ts';
import { stubBraintree } from './braintree-fixture.ts';

/** Separate credentials, because an earlier file's purchase may still make calls in the background. */
const account = { ...braintreeCredentials(env), authorization: 'Basic Y2xpZW50OnRlc3Q=' };

const ambiguous = { name: 'BraintreeAmbiguousError' };

/** Returns these responses in order, then the last one repeatedly. */
function answer(...answers: (() => Response)[]) {
  const fetch = vi.fn(async (_url: string, _init: RequestInit) => {
    return (answers.length > 1 ? answers.shift() : answers[0])?.() ?? new Response();
  });
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const { authorization } = { ...init.headers } as Record<string, string>;
    return authorization === account.authorization ? fetch(url, init) : xml(503)();
  });
  return fetch;
}

const xml =
  (status: number, body = '') =>
  () =>
    new Response(body, { status });

const json =
  (body: object, status = 200) =>
  () =>
    Response.json(body, { status });

const lost = () => {
  throw new TypeError('network connection lost');
};

test('Braintree client: a call without a reply is retried twice', async () => {
  const fetch = answer(lost, lost, xml(404));
  expect(await rest(account, 'GET /customers/a')).toEqual({ kind: 'missing' });
  expect(fetch).toHaveBeenCalledTimes(3);
  answer(lost);
  await expect(rest(account, 'GET /customers/a')).rejects.toThrow('lost');
});

test('Braintree client: a call that could move money twice is not retried', async () => {
  const fetch = answer(lost);
  await expect(graphql(account, '', {}, 'once')).rejects.toThrow('lost');
  expect(fetch).toHaveBeenCalledTimes(1);
});

test('Braintree REST: requests are JSON, answers XML, and the account authenticates', async () => {
  const fetch = answer(xml(201, '<customer><id>a</id></customer>'));
  const reply = await rest(account, 'POST /customers', { customer: { id: 'a' } });
  expect(reply).toEqual({ kind: 'done', body: { customer: { id: 'a' } } });
  const [url, init] = fetch.mock.calls[0] ?? [];
  expect(url).toBe('https://api.sandbox.braintreegateway.com/merchants/fake_merchant/customers');
  expect(init).toMatchObject({
    method: 'POST',
    body: '{"customer":{"id":"a"}}',
    headers: { authorization: account.authorization, accept: 'application/xml' },
  });
  expect(init?.signal).toBeInstanceOf(AbortSignal);
});

test('Braintree REST: a refusal has every validation code, however deep', async () => {
  const error = (code: string) =>
    `<errors type="array"><error><code>${code}</code></error></errors>`;
  const inner = `<subscription>${error('81902')}<plan>${error('91904')}</plan></subscription>`;
  answer(xml(422, `<api-error-response><errors>${inner}</errors></api-error-response>`));
  expect(await rest(account, 'POST /subscriptions', {})).toMatchObject({
    kind: 'refused',
    codes: ['81902', '91904'],
  });
});

test.each([400, 401, 403, 408, 429, 500, 503, 302])(
  'Braintree REST: %i is ambiguous, and is not retried',
  async (status) => {
    const fetch = answer(xml(status));
    const call = rest(account, 'GET /customers/a');
    await expect(call).rejects.toMatchObject({ ...ambiguous, code: `http ${status}` });
    expect(fetch).toHaveBeenCalledTimes(1);
  },
);

test('Braintree GraphQL: a call names the API version', async () => {
  const fetch = answer(json({ data: { ping: 'pong' } }));
  expect(await graphql(account, '{ ping }', { a: 1 })).toEqual({
    kind: 'done',
    data: { ping: 'pong' },
  });
  const [, init] = fetch.mock.calls[0] ?? [];
  expect(init?.body).toBe('{"query":"{ ping }","variables":{"a":1}}');
  expect(init?.headers).toMatchObject({ 'braintree-version': '2019-01-01' });
});

const errors = (...extensions: object[]) =>
  json({ data: null, errors: extensions.map((one) => ({ message: 'no', extensions: one })) });

test.each([
  [[{ errorClass: 'VALIDATION', legacyCode: '91564' }], ['91564']],
  [[{ errorClass: 'NOT_FOUND' }], ['NOT_FOUND']],
])('Braintree GraphQL: %j is a refusal', async (extensions, codes) => {
  answer(errors(...extensions));
  expect(await graphql(account, '', {})).toEqual({ kind: 'refused', codes });
});

test.each([
  [{ errorClass: 'INTERNAL' }],
  [{ errorClass: 'AUTHENTICATION' }],
  [{ errorClass: 'RESOURCE_LIMIT' }],
  [{ errorClass: 'SERVICE_AVAILABILITY' }],
  [{}],
  [{ errorClass: 'VALIDATION', legacyCode: '91564' }, { errorClass: 'INTERNAL' }],
])('Braintree GraphQL: %j … is ambiguous', async (...extensions) => {
  answer(errors(...extensions));
  await expect(graphql(account, '', {})).rejects.toMatchObject(ambiguous);
});

test('Braintree GraphQL: an error of a nested field is ambiguous', async () => {
  const path = ['chargePaymentMethod', 'transaction', 'customer'];
  const error = { message: 'no', path, extensions: { errorClass: 'NOT_FOUND' } };
  const data = { chargePaymentMethod: { transaction: { customer: null } } };
  answer(json({ data, errors: [error] }));
  await expect(graphql(account, '', {})).rejects.toThrow('NOT_FOUND');
});

test('Braintree GraphQL: a server error and an empty answer are ambiguous', async () => {
  answer(json({}, 503));
  await expect(graphql(account, '', {})).rejects.toThrow('http 503');
  answer(json({}));
  await expect(graphql(account, '', {})).rejects.toThrow('no data');
});

test('Braintree credentials: anything but production is the sandbox', () => {
  expect(braintreeCredentials(env)).toMatchObject({
    rest: 'https://api.sandbox.braintreegateway.com/merchants/fake_merchant',
    graphql: 'https://payments.sandbox.braintree-api.com/graphql',
    authorization: `Basic ${btoa('fake_public:fake_private')}`,
  });
  const live = braintreeCredentials({ ...env, BRAINTREE_ENVIRONMENT: 'production' });
  expect(live.rest).toBe('https://api.braintreegateway.com/merchants/fake_merchant');
  expect(live.graphql).toBe('https://payments.braintree-api.com/graphql');
});

test('Braintree credentials: currencies and plans map to the account’s own names', () => {
  const account = braintreeCredentials({ ...env, BRAINTREE_PLANS: '{"monthly_usd":"gold"}' });
  expect(['USD', 'EUR'].map((one) => account.merchantAccount(one as 'USD'))).toEqual([
    'funnel_usd',
    'funnel_eur',
  ]);
  expect(account.planId('monthly_usd')).toBe('gold');
  expect(account.planId('monthly_7d_usd')).toBe('monthly_7d_usd');
});

test.each([
  ['always', 'always'],
  ['on_request', 'on_request'],
  ['sometimes', 'europe'],
  [undefined, 'europe'],
])('Braintree credentials: the 3-D Secure rule %j is %s', (BRAINTREE_THREE_D_SECURE, rule) => {
  expect(braintreeCredentials({ ...env, BRAINTREE_THREE_D_SECURE }).threeDSecure).toBe(rule);
});

test.each(['BRAINTREE_MERCHANT_ID', 'BRAINTREE_PUBLIC_KEY', 'BRAINTREE_PRIVATE_KEY'])(
  'Braintree credentials: without %s there is no account',
  (name) => {
    expect(hasBraintree(env)).toBe(true);
    expect(hasBraintree({ ...env, [name]: '' })).toBe(false);
    expect(() => braintreeCredentials({ ...env, [name]: undefined })).toThrow(RangeError);
  },
);

describe('Braintree XML parser', () => {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>

<subscription>
  <id>a &amp; b &#8364;&#x20AC;</id>
  <failure-count type="integer">3</failure-count>
  <trial-period type="boolean">true</trial-period>
  <never-expires type="boolean">false</never-expires>
  <next-billing-date type="date">2026-01-31</next-billing-date>
  <order-id nil="true"/>
  <descriptor><name nil="true"/></descriptor>
  <transactions type="array">
    <transaction><id>one</id></transaction>
    <transaction><id>two</id></transaction>
  </transactions>
  <add-ons type="array"/>
  <empty></empty>

</subscription>`;

  test('types, lists, nulls and entities are parsed', () => {
    expect(parseXml(xml)).toEqual({
      subscription: {
        id: 'a & b €€',
        'failure-count': 3,
        'trial-period': true,
        'never-expires': false,
        'next-billing-date': '2026-01-31',
        'order-id': null,
        descriptor: { name: null },
        transactions: [{ id: 'one' }, { id: 'two' }],
        'add-ons': [],
        empty: '',
      },
    });
  });

  test('a path that ends early finds nothing', () => {
    const found = parseXml(xml);
    expect(textOf(found, 'subscription', 'failure-count')).toBe('3');
    expect(textOf(found, 'subscription', 'order-id', 'name')).toBe('');
    expect(textOf(found, 'subscription', 'transactions')).toBe('');
    expect(listOf(found, 'subscription', 'id')).toEqual([]);
    expect(childOf(found, 'subscription', 'nothing')).toBeUndefined();
  });

  test.each(['', '<a>', '<a></b>', '<a/><b/>', '<a><b></a></b>', 'text'])(
    'malformed input throws: %j',
    (broken) => expect(() => parseXml(broken)).toThrow(SyntaxError),
  );
});

const log = vi.fn();

const hour = 3_600_000;

/** Each test starts when no token of an earlier test is cached. */
let start = 0;
beforeEach(() => {
  start += 2 * hour;
});

afterEach(() => {
  log.mockReset();
});

const creating = (answer: () => Promise<string>) => ({ create: vi.fn(answer), waitMs: 5 });

test('client token: is cached for an hour per currency', async () => {
  const options = creating(async () => `token ${options.create.mock.calls.length}`);
  expect(await cachedClientToken(env, 'USD', log, { ...options, now: start })).toBe('token 1');
  expect(await cachedClientToken(env, 'USD', log, { ...options, now: start + hour - 1 })).toBe(
    'token 1',
  );
  expect(await cachedClientToken(env, 'EUR', log, { ...options, now: start })).toBe('token 2');
  expect(await cachedClientToken(env, 'USD', log, { ...options, now: start + hour })).toBe(
    'token 3',
  );
  expect(log).not.toHaveBeenCalled();
});

test.each([
  ['fails', () => Promise.reject(new Error('no'))],
  ['does not answer', () => new Promise<string>(() => {})],
])(
  'client token: if Braintree %s it is called again after 30 s, and the failure is logged',
  async (_, answer) => {
    const options = creating(answer);
    expect(await cachedClientToken(env, 'USD', log, { ...options, now: start })).toBeNull();
    expect(
      await cachedClientToken(env, 'USD', log, { ...options, now: start + 29_999 }),
    ).toBeNull();
    expect(options.create).toHaveBeenCalledTimes(1);
    expect(log.mock.calls[0]?.slice(0, 2)).toEqual(['error', 'client_token_failed']);
    await cachedClientToken(env, 'USD', log, { ...options, now: start + 30_000 });
    expect(options.create).toHaveBeenCalledTimes(2);
  },
);

test('client token: without its secrets Braintree is not called', async () => {
  const options = creating(async () => 'token');
  const unconfigured = { ...env, BRAINTREE_PRIVATE_KEY: undefined };
  expect(await cachedClientToken(unconfigured, 'USD', log, { ...options, now: start })).toBeNull();
  expect(options.create).not.toHaveBeenCalled();
});

test('client token: contains no customer', async () => {
  stubBraintree();
  const token = await cachedClientToken(env, 'USD', log, { now: start });
  expect(atob(token ?? '')).not.toContain('customer_id');
});
