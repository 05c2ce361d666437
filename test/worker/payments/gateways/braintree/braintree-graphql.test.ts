import { env } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import { graphql } from '../../../../../worker/payments/gateways/braintree/braintree-graphql.ts';
import { braintreeCredentials } from '../../../../../worker/payments/gateways/braintree/credentials.ts';

const account = braintreeCredentials(env);
const answers = (body: object, status = 200) => {
  const fetch = vi.fn(async (_input: string, _init: RequestInit) =>
    Response.json(body, { status }),
  );
  vi.stubGlobal('fetch', fetch);
  return fetch;
};
const refused = (...extensions: object[]) => ({
  data: null,
  errors: extensions.map((one) => ({ message: 'no', extensions: one })),
});

afterEach(() => void vi.unstubAllGlobals());

test('asks with the version that its answers are read by', async () => {
  const fetch = answers({ data: { ping: 'pong' } });
  expect(await graphql(account, '{ ping }', { a: 1 })).toEqual({
    is: 'done',
    data: { ping: 'pong' },
  });
  const [, init] = fetch.mock.calls[0] ?? [];
  expect(init?.body).toBe('{"query":"{ ping }","variables":{"a":1}}');
  expect(init?.headers).toMatchObject({ 'braintree-version': '2019-01-01' });
});

test.each([
  [[{ errorClass: 'VALIDATION', legacyCode: '91564' }], ['91564']],
  [[{ errorClass: 'NOT_FOUND' }], ['NOT_FOUND']],
])('%j is a refusal', async (errors, codes) => {
  answers(refused(...errors));
  expect(await graphql(account, '', {})).toEqual({ is: 'refused', codes });
});

test.each([
  [{ errorClass: 'INTERNAL' }],
  [{ errorClass: 'AUTHENTICATION' }],
  [{ errorClass: 'RESOURCE_LIMIT' }],
  [{ errorClass: 'SERVICE_AVAILABILITY' }],
  [{}],
  [{ errorClass: 'VALIDATION', legacyCode: '91564' }, { errorClass: 'INTERNAL' }],
])('%j … says nothing definite', async (...errors) => {
  answers(refused(...errors));
  await expect(graphql(account, '', {})).rejects.toThrow('Braintree');
});

test('neither does a no about a field of the answer', async () => {
  const path = ['chargePaymentMethod', 'transaction', 'customer'];
  const error = { message: 'no', path, extensions: { errorClass: 'NOT_FOUND' } };
  answers({ data: { chargePaymentMethod: { transaction: { customer: null } } }, errors: [error] });
  await expect(graphql(account, '', {})).rejects.toThrow('NOT_FOUND');
});

test('neither do a fault of the server and an empty answer', async () => {
  answers({}, 503);
  await expect(graphql(account, '', {})).rejects.toThrow('http 503');
  answers({});
  await expect(graphql(account, '', {})).rejects.toThrow('no data');
});
