import { env } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import type { Env } from '../../../../worker/env.ts';
import { braintreeGateway } from '../../../../worker/payments/gateways/braintree/gateway.ts';
import {
  paymentProblems,
  requestsThreeDSecure,
  threeDSecureOf,
} from '../../../../worker/payments/gateways/settings.ts';
import { stripeGateway } from '../../../../worker/payments/gateways/stripe/gateway.ts';
import * as braintree from './braintree/braintree-fixture.ts';
import { orderOf, recordedStripe } from './stripe/stripe-fixture.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const stripeVars = {
  STRIPE_PUBLISHABLE_KEY: 'pk',
  STRIPE_PRODUCT: 'prod',
  STRIPE_SECRET_KEY: 'sk',
};
const braintreeVars = {
  BRAINTREE_MERCHANT_ID: 'm',
  BRAINTREE_PUBLIC_KEY: 'p',
  BRAINTREE_PRIVATE_KEY: 'k',
};

test.each([
  ['Stripe alone', stripeVars],
  ['Braintree alone', braintreeVars],
  [
    'Braintree alone, named',
    { ...braintreeVars, PAYMENT_GATEWAY: 'braintree', PAYPAL: 'braintree' },
  ],
  ['both', { ...stripeVars, ...braintreeVars, PAYPAL: 'true' }],
] as [string, Partial<Env>][])('payment settings: %s is complete', (_, settings) => {
  expect(paymentProblems(settings)).toEqual([]);
});

test.each([
  ['no gateway', {}, /^no payment provider/],
  ['half of Stripe', { STRIPE_SECRET_KEY: 'sk' }, /STRIPE_PUBLISHABLE_KEY, STRIPE_PRODUCT$/],
  ['half of Braintree', { ...stripeVars, BRAINTREE_MERCHANT_ID: 'm' }, /^Braintree cannot take/],
  [
    'a preferred gateway that is not set up',
    { ...stripeVars, PAYMENT_GATEWAY: 'braintree' },
    /Braintree is not set up$/,
  ],
  [
    'an unknown gateway',
    { ...stripeVars, PAYMENT_GATEWAY: 'adyen' },
    /^PAYMENT_GATEWAY is neither/,
  ],
  [
    'PayPal by Stripe',
    { ...stripeVars, PAYPAL: 'stripe' },
    /^PAYPAL=stripe cannot work: .*mandate/,
  ],
] as [string, Partial<Env>, RegExp][])(
  'payment settings: %s is refused with the reason',
  (_, settings, reason) => {
    expect(paymentProblems(settings)).toEqual([expect.stringMatching(reason)]);
  },
);

test('payment settings: a deploy, which sees no secrets, does not miss them', () => {
  const { STRIPE_SECRET_KEY: _, ...variables } = stripeVars;
  expect(paymentProblems(variables, 'variables')).toEqual([]);
  expect(paymentProblems({}, 'variables')).toEqual([]);
  expect(paymentProblems({ PAYPAL: 'stripe' }, 'variables')).toHaveLength(1);
});

const requesting = { ...env, REQUEST_THREE_D_SECURE: '1' };
/** A card that is verified only on request. */
const optional = 'pm_card_threeDSecureOptional';

test.each([
  [undefined, 0, false],
  ['0', 0, false],
  ['1', 1, true],
  ['yes', 0, false],
])(
  'REQUEST_THREE_D_SECURE: %j is %i for the browser, and requests it: %s',
  (value, number, requests) => {
    const settings = { ...env, REQUEST_THREE_D_SECURE: value };
    expect([threeDSecureOf(settings), requestsThreeDSecure(settings)]).toEqual([number, requests]);
  },
);

test.each(['monthly_usd', 'monthly_7d_eur', 'guide_1799_usd'])(
  'REQUEST_THREE_D_SECURE: at Stripe %s gets a challenge, and none without it',
  async (plan) => {
    const { bank } = recordedStripe();
    const order = await orderOf(plan, optional);
    expect(await stripeGateway(requesting).charge(order)).toMatchObject({ kind: 'challenge' });
    expect(bank.captures()).toEqual([]);
    const other = await orderOf(plan, optional);
    expect(await stripeGateway(env).charge(other)).toMatchObject({ kind: 'active' });
  },
);

test('REQUEST_THREE_D_SECURE: at Stripe a card without 3-D Secure pays, and renewals are not challenged', async () => {
  let now = Date.now();
  const { bank } = recordedStripe(undefined, { now: () => now });
  const plain = await orderOf('monthly_usd', 'pm_card_visa');
  expect(await stripeGateway(requesting).charge(plain)).toMatchObject({ kind: 'active' });
  const order = await orderOf('monthly_usd', optional);
  const outcome = await stripeGateway(requesting).charge(order);
  bank.challenge(outcome.kind === 'challenge' ? (outcome.paymentId ?? '') : '', 'authenticated');
  expect(await stripeGateway(requesting).lookUp(order)).toMatchObject({ kind: 'active' });
  now += 32 * 24 * 3_600_000;
  bank.passTime();
  expect(bank.captures()).toHaveLength(4);
});

test('REQUEST_THREE_D_SECURE: at Braintree a card from outside Europe is verified too', async () => {
  const { bank } = braintree.openBraintree();
  const nonce = await braintree.nonceOfCard(bank, '4111111111111111');
  const order = await braintree.orderOf('monthly_usd', nonce);
  expect(await braintreeGateway(requesting).charge(order)).toEqual({
    kind: 'challenge',
    paymentId: null,
    secret: nonce,
  });
  expect(await braintree.gateway.charge(order)).toMatchObject({ kind: 'active' });
});
