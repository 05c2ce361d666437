import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { accessToken } from '../../../worker/token.ts';
import { ask, refusalOf } from '../ask.ts';

const path = '/api/v1/users/me/payments-settings';
const stripe = { STRIPE_PUBLISHABLE_KEY: 'pk_test_1', STRIPE_ACCOUNT_NAME: 'acct' };

test('payment settings name the provider and its public key', async () => {
  const headers = { authorization: `Bearer ${await accessToken(env, 'a1')}` };
  const response = await ask(path, { headers }, stripe);
  expect(await response.json()).toEqual({
    stripe_publishable_key: 'pk_test_1',
    stripe_account_name: 'acct',
    braintree_client_token: null,
    payment_gateway: 'stripe',
    request_three_d_secure: 0,
  });
});

test('they need an account', async () => {
  expect((await refusalOf(await ask(path))).slice(0, 2)).toEqual([401, 'unauthorized']);
});
