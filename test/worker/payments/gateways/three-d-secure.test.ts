import { env } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import { braintreeGateway } from '../../../../worker/payments/gateways/braintree/gateway.ts';
import { stripeGateway } from '../../../../worker/payments/gateways/stripe/gateway.ts';
import {
  requestsThreeDSecure,
  threeDSecureOf,
} from '../../../../worker/payments/gateways/three-d-secure.ts';
import * as braintree from './braintree/bank.ts';
import { listenedBank, orderOf } from './recording-gateway.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const requesting = { ...env, REQUEST_THREE_D_SECURE: '1' };
/** A card that is verified only where that is requested. */
const optional = 'pm_card_threeDSecureOptional';

test.each([
  [undefined, 0, false],
  ['0', 0, false],
  ['1', 1, true],
  ['yes', 0, false],
])('the variable %j is %i to the browser, and requests: %s', (value, told, requests) => {
  const told0 = { ...env, REQUEST_THREE_D_SECURE: value };
  expect([threeDSecureOf(told0), requestsThreeDSecure(told0)]).toEqual([told, requests]);
});

test.each(['monthly_usd', 'monthly_7d_eur', 'guide_1799_usd'])(
  'Stripe: requested, the payer of %s is asked; otherwise not',
  async (plan) => {
    const { bank } = listenedBank();
    const order = await orderOf(plan, optional);
    expect(await stripeGateway(requesting).charge(order)).toMatchObject({ kind: 'challenge' });
    expect(bank.captures()).toEqual([]);
    const other = await orderOf(plan, optional);
    expect(await stripeGateway(env).charge(other)).toMatchObject({ kind: 'active' });
  },
);

test('Stripe: a card that can not be verified pays all the same, and renewals ask nobody', async () => {
  let now = Date.now();
  const { bank } = listenedBank(undefined, { now: () => now });
  const plain = await orderOf('monthly_usd', 'pm_card_visa');
  expect(await stripeGateway(requesting).charge(plain)).toMatchObject({ kind: 'active' });
  const order = await orderOf('monthly_usd', optional);
  const asked = await stripeGateway(requesting).charge(order);
  bank.challenge(asked.kind === 'challenge' ? (asked.paymentId ?? '') : '', 'authenticated');
  expect(await stripeGateway(requesting).lookUp(order)).toMatchObject({ kind: 'active' });
  now += 32 * 24 * 3_600_000;
  bank.passTime();
  expect(bank.captures()).toHaveLength(4);
});

test('Braintree: requested, a card from outside Europe is verified too', async () => {
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
