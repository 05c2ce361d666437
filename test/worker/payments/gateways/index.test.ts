import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import {
  gatewayOf,
  isConfigured,
  settingsGateway,
} from '../../../../worker/payments/gateways/index.ts';

test('gateways: one is configured when all of its secrets are set', () => {
  expect(isConfigured('stripe', env)).toBe(true);
  expect(isConfigured('stripe', { ...env, STRIPE_SECRET_KEY: '' })).toBe(false);
  expect(isConfigured('braintree', { ...env, BRAINTREE_PRIVATE_KEY: 'x' })).toBe(true);
  expect(isConfigured('braintree', { ...env, BRAINTREE_PRIVATE_KEY: '' })).toBe(false);
  expect(isConfigured('braintree', { ...env, BRAINTREE_MERCHANT_ID: '' })).toBe(false);
});

test.each([
  ['both', {}, 'stripe'],
  ['both and PAYMENT_GATEWAY=braintree', { PAYMENT_GATEWAY: 'braintree' }, 'braintree'],
  ['Braintree alone', { STRIPE_SECRET_KEY: '' }, 'braintree'],
  ['Stripe alone', { BRAINTREE_MERCHANT_ID: '' }, 'stripe'],
  [
    'Stripe alone and PAYMENT_GATEWAY=braintree',
    { BRAINTREE_MERCHANT_ID: '', PAYMENT_GATEWAY: 'braintree' },
    'stripe',
  ],
])('gateways: the gateway of a screen that names none, with %s configured', (_, more, name) => {
  expect(settingsGateway({ ...env, ...more })).toBe(name);
});

const all = [
  'cancel',
  'cancelUnpaid',
  'charge',
  'customer',
  'fingerprint',
  'forget',
  'lookUp',
  'refund',
  'statement',
] as const;

test.each([
  ['stripe', [...all, 'resume']],
  // A cancellation at Braintree is final.
  ['braintree', all],
] as const)('gateways: %s implements the interface', (name, has) => {
  expect(Object.keys(gatewayOf(name, env)).sort()).toEqual([...has].sort());
});
