import { afterEach, expect, test, vi } from 'vitest';
import { newAccount } from '../accounts/account-fixture.ts';
import { ask, refusalOf } from '../request.ts';
import { openBraintree } from './gateways/braintree/braintree-fixture.ts';

afterEach(() => void vi.unstubAllGlobals());

const path = '/api/v1/users/me/payments-settings';
const stripe = { STRIPE_PUBLISHABLE_KEY: 'pk_test_1', STRIPE_ACCOUNT_NAME: 'acct' };

const none = { BRAINTREE_PRIVATE_KEY: undefined };
const read = async (more: object) => {
  const { headers } = await newAccount();
  return (await ask(path, { headers }, { ...stripe, ...more })).json();
};

test('payment settings name the provider and its public key', async () => {
  expect(await read(none)).toEqual({
    stripe_publishable_key: 'pk_test_1',
    stripe_account_name: 'acct',
    braintree_client_token: null,
    payment_gateway: 'stripe',
    request_three_d_secure: 0,
  });
});

test('variables choose the provider and 3-D Secure; one without secrets is never chosen', async () => {
  openBraintree();
  const chosen = { PAYMENT_GATEWAY: 'braintree', REQUEST_THREE_D_SECURE: '1' };
  expect(await read(chosen)).toMatchObject({
    braintree_client_token: expect.stringMatching(/^[\w+/=]{40,}$/),
    payment_gateway: 'braintree',
    request_three_d_secure: 1,
  });
  expect(await read({ ...chosen, ...none })).toMatchObject({
    braintree_client_token: null,
    payment_gateway: 'stripe',
  });
});

test('they need an account', async () => {
  expect((await refusalOf(await ask(path))).slice(0, 2)).toEqual([401, 'unauthorized']);
});

test('while nobody can say whether a session still stands, nobody gets in', async () => {
  const { headers } = await newAccount();
  const DB = {
    prepare: () => ({ bind: () => ({ first: () => Promise.reject(new Error('D1')) }) }),
  };
  const response = await ask(path, { headers }, { DB: DB as never });
  expect((await refusalOf(response)).slice(0, 2)).toEqual([503, 'unavailable']);
});
