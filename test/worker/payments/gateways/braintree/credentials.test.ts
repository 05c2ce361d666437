import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import {
  braintreeCredentials,
  hasBraintree,
} from '../../../../../worker/payments/gateways/braintree/client.ts';

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
  ['asked', 'asked'],
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
