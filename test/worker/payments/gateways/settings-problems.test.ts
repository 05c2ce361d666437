import { expect, test } from 'vitest';
import type { Env } from '../../../../worker/env.ts';
import { paymentProblems } from '../../../../worker/payments/gateways/settings-problems.ts';

const stripe = { STRIPE_PUBLISHABLE_KEY: 'pk', STRIPE_PRODUCT: 'prod', STRIPE_SECRET_KEY: 'sk' };
const braintree = {
  BRAINTREE_MERCHANT_ID: 'm',
  BRAINTREE_PUBLIC_KEY: 'p',
  BRAINTREE_PRIVATE_KEY: 'k',
};

test.each([
  ['Stripe alone', stripe],
  ['Braintree alone', braintree],
  ['Braintree alone, named', { ...braintree, PAYMENT_GATEWAY: 'braintree', PAYPAL: 'braintree' }],
  ['both', { ...stripe, ...braintree, PAYPAL: 'true' }],
] as [string, Partial<Env>][])('%s is a whole configuration', (_, env) => {
  expect(paymentProblems(env)).toEqual([]);
});

test.each([
  ['nobody', {}, /^no payment provider/],
  ['half of Stripe', { STRIPE_SECRET_KEY: 'sk' }, /STRIPE_PUBLISHABLE_KEY, STRIPE_PRODUCT$/],
  ['half of Braintree', { ...stripe, BRAINTREE_MERCHANT_ID: 'm' }, /^Braintree cannot take/],
  ['who is not set up', { ...stripe, PAYMENT_GATEWAY: 'braintree' }, /Braintree is not set up$/],
  ['an unknown provider', { ...stripe, PAYMENT_GATEWAY: 'adyen' }, /^PAYMENT_GATEWAY is neither/],
  ['PayPal by Stripe', { ...stripe, PAYPAL: 'stripe' }, /^PAYPAL=stripe cannot work: .*mandate/],
] as [string, Partial<Env>, RegExp][])('%s is refused, with the reason', (_, env, reason) => {
  expect(paymentProblems(env)).toEqual([expect.stringMatching(reason)]);
});

test('a deploy sees no secrets, and does not miss them', () => {
  const { STRIPE_SECRET_KEY: _, ...variables } = stripe;
  expect(paymentProblems(variables, 'variables')).toEqual([]);
  expect(paymentProblems({}, 'variables')).toEqual([]);
  expect(paymentProblems({ PAYPAL: 'stripe' }, 'variables')).toHaveLength(1);
});
