import { env } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import { stripeClient } from '../../../../../worker/payments/gateways/stripe/client.ts';
import {
  chargeOf,
  listAll,
  pageSize,
} from '../../../../../worker/payments/gateways/stripe/money.ts';
import { harness } from '../../../../fakes/stripe/harness.ts';
import { buy } from './stripe-fixture.ts';

afterEach(() => void vi.unstubAllGlobals());

/** The Worker's client, on an account with so many coupons. */
async function coupons(count: number) {
  const { fake, stripe } = await harness();
  const one = await stripe.coupons.create({ id: 'c0', percent_off: 1 });
  for (let i = 1; i < count; i++) fake.state.coupons[`c${i}`] = { ...one, id: `c${i}` };
  vi.stubGlobal('fetch', fake.fetch);
  return stripeClient(env);
}

test('Stripe lists: all pages are read', async () => {
  const stripe = await coupons(250);
  const found = await listAll(stripe.coupons.list({ limit: pageSize }));
  expect(new Set(found.map(({ id }) => id)).size).toBe(250);
});

test('Stripe lists: a list of 1000 objects or more throws', async () => {
  const stripe = await coupons(1100);
  await expect(listAll(stripe.coupons.list({ limit: pageSize }))).rejects.toThrow(RangeError);
});

test('Stripe: an attempt without a charge throws', async () => {
  const { order } = await buy('monthly_usd');
  const open = { ...order, attempt: { ...order.attempt, charge: null } };
  expect(() => chargeOf(open)).toThrow(TypeError);
});
