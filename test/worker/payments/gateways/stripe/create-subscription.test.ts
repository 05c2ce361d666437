import { env } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import { stripeClient } from '../../../../../worker/payments/gateways/stripe/client.ts';
import {
  createSubscription,
  planFor,
  stepKey,
} from '../../../../../worker/payments/gateways/stripe/create-subscription.ts';
import { orderOf, recordedStripe } from './stripe-fixture.ts';

afterEach(() => void vi.unstubAllGlobals());

const account = {
  stripe: stripeClient(env),
  product: env.STRIPE_PRODUCT ?? '',
  prices: {},
  offers: {},
};

/** Creates the objects of an attempt, with a card that is attached to the customer. */
async function create(plan: string, change = {}) {
  const { bank } = recordedStripe();
  const order = await orderOf(plan, 'pm_card_visa', change);
  const { id: method } = await account.stripe.paymentMethods.attach('pm_card_visa', {
    customer: order.customerId,
  });
  const made = await createSubscription(account, order, method);
  const subscription = bank.state.subscriptions[made.subscriptionId ?? ''];
  const intent = bank.state.payment_intents[made.paymentId];
  return {
    bank,
    order,
    made,
    intent,
    subscription,
    again: () => createSubscription(account, order, method),
  };
}

test('Stripe subscription: created unpaid, with the catalog’s amounts and our metadata', async () => {
  const { order, intent, subscription } = await create('monthly_7d_eur', { amount: 699 });
  expect(intent).toMatchObject({
    amount: 699,
    currency: 'eur',
    status: 'requires_confirmation',
  });
  expect(subscription).toMatchObject({
    description: 'Monthly plan, 7-day intro',
    metadata: { attempt_id: order.attempt.id, account: order.account, plan: 'monthly_7d_eur' },
  });
  expect(subscription?.items.data[0]?.price).toMatchObject({
    unit_amount: 3999,
    recurring: { interval: 'month', interval_count: 1 },
  });
});

test('Stripe subscription: a coupon lowers the first invoice, not the price', async () => {
  const { intent, subscription } = await create('quarterly_usd', { amount: 4999 });
  expect(intent?.amount).toBe(4999);
  expect(subscription?.items.data[0]?.price).toMatchObject({ unit_amount: 5999 });
});

test('Stripe subscription: creating it twice returns the same one', async () => {
  const { bank, made: first, again } = await create('monthly_usd');
  expect(await again()).toEqual(first);
  expect(Object.keys(bank.state.subscriptions)).toHaveLength(1);
});

test('Stripe subscription: step keys derive from the attempt; an unknown plan throws', async () => {
  recordedStripe();
  const order = await orderOf('monthly_usd', 'pm_card_visa');
  expect(stepKey(order, 'pay')).toEqual({ idempotencyKey: `${order.attempt.id}:pay` });
  expect(planFor(order).id).toBe('monthly_usd');
  expect(() => planFor({ ...order, attempt: { ...order.attempt, plan: 'x' as never } })).toThrow();
});
