import { expect, test, vi } from 'vitest';
import type { Env } from '../../worker/env.ts';
import { readBraintreeWebhook } from '../../worker/payments/gateways/braintree/webhook.ts';
import { readStripeWebhook } from '../../worker/payments/gateways/stripe/webhook.ts';
import { merchant } from './braintree/client-token.ts';
import { webhookOf } from './braintree/notifications.ts';
import { deliveries } from './deliveries.ts';

const secret = 'whsec_test';
const origin = 'http://localhost:1';
const event = (type: string) =>
  ({ id: 'evt_1', object: 'event', type, created: 1, data: { object: {} } }) as never;

/** A funnel that refuses the first messages. */
function openFunnel(refusals = 0) {
  const posted: { url: string; init: RequestInit }[] = [];
  const post = async (url: string, init: RequestInit) => {
    posted.push({ url, init });
    return new Response('', { status: posted.length > refusals ? 200 : 500 });
  };
  const wait = vi.fn(async () => {});
  const delivery = deliveries(wait);
  return { delivery, posted, wait, endpoint: { origin, secret, post } };
}

test('webhook delivery: the Worker verifies an event of the Stripe fake', async () => {
  const { delivery, posted, endpoint } = openFunnel();
  delivery.to(endpoint);
  await delivery.onEvent(event('charge.refunded'));
  const [{ url, init } = { url: '', init: {} }] = posted;
  expect(url).toBe('http://localhost:1/webhooks/stripe');
  const sent = { body: String(init.body), headers: new Headers(init.headers) };
  const read = await readStripeWebhook({ STRIPE_WEBHOOK_SECRET: secret }, sent, Date.now());
  expect(read).toMatchObject({ id: 'evt_1', type: 'charge.refunded' });
});

test('webhook delivery: the Worker verifies a notification of the Braintree fake', async () => {
  const { delivery, posted, endpoint } = openFunnel();
  delivery.to(endpoint);
  await delivery.onWebhook(
    await webhookOf(merchant, 'dispute_lost', { dispute: { id: 'd' } }, 1000),
  );
  const form = posted[0]?.init.body as URLSearchParams;
  const env = {
    BRAINTREE_MERCHANT_ID: merchant.id,
    BRAINTREE_PUBLIC_KEY: merchant.publicKey,
    BRAINTREE_PRIVATE_KEY: merchant.privateKey,
  } as Env;
  const event = await readBraintreeWebhook(env, { body: form.toString() }, 1000);
  expect([posted[0]?.url, event?.type]).toEqual([`${origin}/webhooks/braintree`, 'dispute_lost']);
});

test('webhook delivery: a refused event is retried', async () => {
  const { delivery, posted, wait, endpoint } = openFunnel(3);
  delivery.to(endpoint);
  await delivery.onEvent(event('invoice.paid'));
  expect([posted.length, wait.mock.calls.length]).toEqual([4, 3]);
});

test('webhook delivery: nothing is sent without an endpoint, nor an unregistered event', async () => {
  const { delivery, posted, endpoint } = openFunnel();
  await delivery.onEvent(event('invoice.paid'));
  delivery.to(endpoint);
  await delivery.onEvent(event('payment_intent.created'));
  expect(posted).toEqual([]);
});
