import { expect, test, vi } from 'vitest';
import type { Env } from '../../worker/env.ts';
import { verifyWebhook } from '../../worker/payments/gateways/braintree/webhook.ts';
import { readStripeEvent } from '../../worker/payments/gateways/stripe/webhook.ts';
import { merchant } from './braintree/client-token.ts';
import { webhookOf } from './braintree/notifications.ts';
import { deliveries } from './deliveries.ts';

const secret = 'whsec_test';
const origin = 'http://localhost:1';
const event = (type: string) =>
  ({ id: 'evt_1', object: 'event', type, created: 1, data: { object: {} } }) as never;

/** A funnel that refuses the first so many messages. */
function open(refusals = 0) {
  const posted: { address: string; init: RequestInit }[] = [];
  const post = async (address: string, init: RequestInit) => {
    posted.push({ address, init });
    return new Response('', { status: posted.length > refusals ? 200 : 500 });
  };
  const wait = vi.fn(async () => {});
  const carrier = deliveries(wait);
  return { carrier, posted, wait, endpoint: { origin, secret, post } };
}

test('an event of Stripe arrives as the funnel verifies it', async () => {
  const { carrier, posted, endpoint } = open();
  carrier.to(endpoint);
  await carrier.onEvent(event('charge.refunded'));
  const [{ address, init } = { address: '', init: {} }] = posted;
  expect(address).toBe('http://localhost:1/webhooks/stripe');
  const signature = new Headers(init.headers).get('stripe-signature');
  const read = await readStripeEvent(String(init.body), signature, secret, Date.now());
  expect(read).toMatchObject({ id: 'evt_1', type: 'charge.refunded' });
});

test('a webhook of Braintree arrives as the funnel verifies it', async () => {
  const { carrier, posted, endpoint } = open();
  carrier.to(endpoint);
  await carrier.onWebhook(
    await webhookOf(merchant, 'dispute_lost', { dispute: { id: 'd' } }, 1000),
  );
  const form = posted[0]?.init.body as URLSearchParams;
  const env = {
    BRAINTREE_MERCHANT_ID: merchant.id,
    BRAINTREE_PUBLIC_KEY: merchant.publicKey,
    BRAINTREE_PRIVATE_KEY: merchant.privateKey,
  } as Env;
  const told = await verifyWebhook(
    env,
    form.get('bt_signature') ?? '',
    form.get('bt_payload') ?? '',
  );
  expect([posted[0]?.address, told?.kind]).toEqual([
    `${origin}/webhooks/braintree`,
    'dispute_lost',
  ]);
});

test('what is not taken comes again until it is', async () => {
  const { carrier, posted, wait, endpoint } = open(3);
  carrier.to(endpoint);
  await carrier.onEvent(event('invoice.paid'));
  expect([posted.length, wait.mock.calls.length]).toEqual([4, 3]);
});

test('nothing is sent before there is a funnel, nor what nobody registered for', async () => {
  const { carrier, posted, endpoint } = open();
  await carrier.onEvent(event('invoice.paid'));
  carrier.to(endpoint);
  await carrier.onEvent(event('payment_intent.created'));
  expect(posted).toEqual([]);
});
