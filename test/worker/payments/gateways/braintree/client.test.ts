import { env } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import {
  braintreeCredentials,
  graphql,
  rest,
} from '../../../../../worker/payments/gateways/braintree/client.ts';

const account = braintreeCredentials(env);
const ambiguous = { name: 'BraintreeAmbiguousError' };

/** Answers with these one after the other, then with the last one. */
function answer(...answers: (() => Response)[]) {
  const fetch = vi.fn(async (_url: string, _init: RequestInit) => {
    const next = answers.length > 1 ? answers.shift() : answers[0];
    return next?.() ?? new Response();
  });
  vi.stubGlobal('fetch', fetch);
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

afterEach(() => void vi.unstubAllGlobals());

test('Braintree client: a call without a reply is retried twice', async () => {
  const fetch = answer(lost, lost, xml(404));
  expect(await rest(account, 'GET', '/customers/a')).toEqual({ kind: 'missing' });
  expect(fetch).toHaveBeenCalledTimes(3);
  answer(lost);
  await expect(rest(account, 'GET', '/customers/a')).rejects.toThrow('lost');
});

test('Braintree client: a call that would move money twice is not retried', async () => {
  const fetch = answer(lost);
  await expect(graphql(account, '', {}, 'once')).rejects.toThrow('lost');
  expect(fetch).toHaveBeenCalledTimes(1);
});

test('Braintree REST: requests are JSON, answers XML, and the account authenticates', async () => {
  const fetch = answer(xml(201, '<customer><id>a</id></customer>'));
  const reply = await rest(account, 'POST', '/customers', { customer: { id: 'a' } });
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
  expect(await rest(account, 'POST', '/subscriptions', {})).toEqual({
    kind: 'refused',
    codes: ['81902', '91904'],
  });
});

test.each([400, 401, 403, 408, 429, 500, 503, 302])(
  'Braintree REST: %i is ambiguous, and is not retried',
  async (status) => {
    const fetch = answer(xml(status));
    const call = rest(account, 'GET', '/customers/a');
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
