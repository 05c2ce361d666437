import { env } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import { rest } from '../../../../../worker/payments/gateways/braintree/client.ts';
import { braintreeCredentials } from '../../../../../worker/payments/gateways/braintree/credentials.ts';

const account = braintreeCredentials(env);
const answers = (status: number, body = '') => {
  const fetch = vi.fn(async (_input: string, _init: RequestInit) => new Response(body, { status }));
  vi.stubGlobal('fetch', fetch);
  return fetch;
};

afterEach(() => void vi.unstubAllGlobals());

test('speaks JSON, hears XML, and says who it is', async () => {
  const fetch = answers(201, '<customer><id>a</id></customer>');
  const reply = await rest(account, 'POST', '/customers', { customer: { id: 'a' } });
  expect(reply).toEqual({ is: 'done', body: { customer: { id: 'a' } } });
  const [address, init] = fetch.mock.calls[0] ?? [];
  expect(address).toBe(
    'https://api.sandbox.braintreegateway.com/merchants/fake_merchant/customers',
  );
  expect(init).toMatchObject({
    method: 'POST',
    body: '{"customer":{"id":"a"}}',
    headers: { authorization: account.authorization, accept: 'application/xml' },
  });
  expect(init?.signal).toBeInstanceOf(AbortSignal);
});

test('every validation code of a refusal is told, however deep', async () => {
  const error = (code: string) =>
    `<errors type="array"><error><code>${code}</code></error></errors>`;
  const inner = `<subscription>${error('81902')}<plan>${error('91904')}</plan></subscription>`;
  answers(422, `<api-error-response><errors>${inner}</errors></api-error-response>`);
  expect(await rest(account, 'POST', '/subscriptions', {})).toEqual({
    is: 'refused',
    codes: ['81902', '91904'],
  });
});

test('what is not there is missing', async () => {
  answers(404);
  expect(await rest(account, 'GET', '/customers/a')).toEqual({ is: 'missing' });
});

test.each([400, 401, 403, 408, 429, 500, 503, 302])('%i says nothing definite', async (status) => {
  answers(status);
  const call = rest(account, 'GET', '/customers/a');
  await expect(call).rejects.toMatchObject({ name: 'BraintreeUnclear', code: `http ${status}` });
});
