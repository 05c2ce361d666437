import { env } from 'cloudflare:test';
import type { Stripe } from 'stripe';
import { afterEach, expect, test, vi } from 'vitest';
import { stripeClient } from '../../../../../worker/payments/gateways/stripe/client.ts';
import {
  chargeOf,
  listAll,
  pageSize,
} from '../../../../../worker/payments/gateways/stripe/statement.ts';
import { harness, subscribe } from '../../../../fakes/stripe/harness.ts';
import { buy } from './stripe-fixture.ts';

afterEach(() => void vi.unstubAllGlobals());

/** The Worker's client, on an account with this many subscriptions. */
async function withSubscriptions(count: number) {
  const on = await harness();
  const { fake } = on;
  const { subscription } = await subscribe(on, on.customer);
  const one = fake.state.subscriptions[subscription.id] as Stripe.Subscription;
  for (let i = 1; i < count; i++) fake.state.subscriptions[`s${i}`] = { ...one, id: `s${i}` };
  vi.stubGlobal('fetch', fake.fetch);
  return stripeClient(env);
}

test('Stripe lists: all pages are read', async () => {
  const stripe = await withSubscriptions(250);
  const found = await listAll(stripe.subscriptions.list({ limit: pageSize }));
  expect(new Set(found.map(({ id }) => id)).size).toBe(250);
});

test('Stripe lists: a list of 1000 objects or more throws', async () => {
  const stripe = await withSubscriptions(1100);
  await expect(listAll(stripe.subscriptions.list({ limit: pageSize }))).rejects.toThrow(RangeError);
});

test('Stripe: an attempt without a charge throws', async () => {
  const { order } = await buy('monthly_usd');
  const open = { ...order, attempt: { ...order.attempt, charge: null } };
  expect(() => chargeOf(open)).toThrow(TypeError);
});
