import { env } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import { stripeClient } from '../../../../../worker/payments/gateways/stripe/client.ts';
import {
  createSubscription,
  once,
  rowOf,
} from '../../../../../worker/payments/gateways/stripe/create-subscription.ts';
import { listenedBank, orderOf } from '../recording-gateway.ts';

afterEach(() => void vi.unstubAllGlobals());

const account = { stripe: stripeClient(env), product: env.STRIPE_PRODUCT, prices: {}, offers: {} };

/** Starts what an order is for, with a card that is the customer's. */
async function begin(plan: string, change = {}) {
  const { bank } = listenedBank();
  const order = await orderOf(plan, 'pm_card_visa', change);
  const { id: method } = await account.stripe.paymentMethods.attach('pm_card_visa', {
    customer: order.customerId,
  });
  const begun = await createSubscription(account, order, method);
  const subscription = bank.state.subscriptions[begun.subscriptionId ?? ''];
  const intent = bank.state.payment_intents[begun.paymentId];
  return {
    bank,
    order,
    begun,
    intent,
    subscription,
    again: () => createSubscription(account, order, method),
  };
}

test('a plan starts unpaid, with the catalogue’s sums and our own marks on it', async () => {
  const { order, intent, subscription } = await begin('monthly_7d_eur', { amount: 699 });
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

test('a coupon lowers the first invoice, not the price', async () => {
  const { intent, subscription } = await begin('quarterly_usd', { amount: 4999 });
  expect(intent?.amount).toBe(4999);
  expect(subscription?.items.data[0]?.price).toMatchObject({ unit_amount: 5999 });
});

test('what is started twice is started once', async () => {
  const { bank, begun: first, again } = await begin('monthly_usd');
  expect(await again()).toEqual(first);
  expect(Object.keys(bank.state.subscriptions)).toHaveLength(1);
});

test('a step’s key is the attempt’s own; a plan that is none is an error of ours', async () => {
  listenedBank();
  const order = await orderOf('monthly_usd', 'pm_card_visa');
  expect(once(order, 'pay')).toEqual({ idempotencyKey: `${order.attempt.id}:pay` });
  expect(rowOf(order).id).toBe('monthly_usd');
  expect(() => rowOf({ ...order, attempt: { ...order.attempt, plan: 'x' as never } })).toThrow();
});
