import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import {
  gatewayOf,
  isConfigured,
  settingsGateway,
} from '../../../../worker/payments/gateways/index.ts';

test('a provider is open when all of its secrets are set', () => {
  expect(isConfigured('stripe', env)).toBe(true);
  expect(isConfigured('stripe', { ...env, STRIPE_SECRET_KEY: '' })).toBe(false);
  expect(isConfigured('braintree', { ...env, BRAINTREE_PRIVATE_KEY: 'x' })).toBe(true);
  expect(isConfigured('braintree', { ...env, BRAINTREE_PRIVATE_KEY: '' })).toBe(false);
  expect(isConfigured('braintree', { ...env, BRAINTREE_MERCHANT_ID: '' })).toBe(false);
});

test.each([
  ['both', {}, 'stripe'],
  ['both, and Braintree is named', { PAYMENT_GATEWAY: 'braintree' }, 'braintree'],
  ['Braintree alone', { STRIPE_SECRET_KEY: '' }, 'braintree'],
  ['Stripe alone', { BRAINTREE_MERCHANT_ID: '' }, 'stripe'],
  [
    'Stripe alone, and Braintree is named',
    { BRAINTREE_MERCHANT_ID: '', PAYMENT_GATEWAY: 'braintree' },
    'stripe',
  ],
])('%s set up: who takes the payments of a screen that insists on nobody', (_, more, name) => {
  expect(settingsGateway({ ...env, ...more })).toBe(name);
});

const all = [
  'cancel',
  'charge',
  'customer',
  'fingerprint',
  'forget',
  'lookUp',
  'refund',
  'settle',
  'statement',
] as const;

test.each([
  ['stripe', [...all, 'resume']],
  // What was cancelled there is over.
  ['braintree', all],
] as const)('%s has all that a purchase asks for', (name, has) => {
  expect(Object.keys(gatewayOf(name, env)).sort()).toEqual([...has].sort());
});
