import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { readBraintreeWebhook } from '../../worker/payments/gateways/braintree/webhook.ts';
import { readStripeWebhook } from '../../worker/payments/gateways/stripe/webhook.ts';
import type { Env } from '../../worker/platform/env.ts';
import { pollTimeout } from '../poll-timeout.ts';
import { merchant } from './braintree/client-api.ts';
import { webhookOf } from './braintree/clock.ts';
import { deliveries } from './deliveries.ts';
import { withFaults } from './faults.ts';
import { createFakes } from './index.ts';
import { numbers } from './stripe/harness.ts';

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

test.each([
  [0, 'dropped before it arrives', 0, 'TypeError'],
  [0.5, 'executed, its reply lost', 1, 'TypeError'],
  [0.9, 'answered 500', 0, '500'],
])('webhook delivery: kind %d: %s', async (kind, _name, executed, seen) => {
  let count = 0;
  const fetch = withFaults(
    async () => {
      count += 1;
      return new Response('ok');
    },
    { rate: 0.5, random: numbers(0, kind, 0.9) },
  );
  const first = await fetch('https://a.test').catch((error: Error) => error);
  expect(first instanceof Response ? String(first.status) : first.name).toBe(seen);
  expect(count).toBe(executed);
  expect(await (await fetch('https://a.test')).text()).toBe('ok');
});

const key = { authorization: 'Bearer sk_test_fakes' };
const customer = (address: string) =>
  new Request(`${address}/v1/customers`, {
    method: 'POST',
    headers: key,
    body: new URLSearchParams({ email: 'visitor@example.com' }),
  });
test.each(['https://api.stripe.com', 'http://localhost:8787/fakes/api.stripe.com'])(
  'fakes: the vendor for %s responds',
  async (address) => {
    const { fetch, stripe } = createFakes();
    const created = await (await fetch(customer(address))).json();
    expect(stripe.state.customers[created.id]?.email).toBe('visitor@example.com');
    const init = { headers: key };
    const read = await fetch(new Request(`${address}/v1/customers/${created.id}`, init));
    expect(await read.json()).toMatchObject({ id: created.id });
  },
);
test('fakes: a request object of another runtime is recognized by its shape', async () => {
  const given = customer('https://api.stripe.com');
  const { status } = await createFakes().fetch({
    url: given.url,
    method: given.method,
    headers: [...given.headers],
    arrayBuffer: () => given.arrayBuffer(),
  });
  expect(status).toBe(200);
});

test.each([
  ['https://js.stripe.com/endive/stripe.js', 'text/javascript'],
  ['https://js.stripe.com/v3/', 'text/javascript'],
  ['http://localhost:8787/fakes/js.stripe.com/v3/stripe.js', 'text/javascript'],
  ['https://js.stripe.com/v3/field.html?type=cardCvc', 'text/html'],
  ['https://js.stripe.com/v3/challenge.js', 'text/javascript'],
])('fakes: %s is served as %s', async (address, type) => {
  const response = await createFakes().fetch(new Request(address));
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain(type);
  expect((await response.text()).length).toBeGreaterThan(100);
});

test.each([
  'https://example.com/x',
  'http://localhost:8787/fakes/example.com/x',
  'https://js.stripe.com/v3/nothing.js',
])('fakes: %s gets status 502', async (address) => {
  const response = await createFakes().fetch(new Request(address));
  expect(response.status).toBe(502);
  expect(await response.text()).toContain('no fake');
});

test('fakes: the state file is read after a restart', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'fakes-')), 'state', 'fakes.json');
  const created = await (
    await createFakes({ file }).fetch(customer('https://api.stripe.com'))
  ).json();
  await vi.waitFor(() => readFile(file), pollTimeout);
  expect(createFakes({ file }).stripe.state.customers[created.id]).toBeDefined();
});

test('fakes: after a month has passed, a coupon can be redeemed as long as its creator meant', async () => {
  const { fetch, stripe } = createFakes();
  const address = 'http://localhost:8787/fakes';
  const post = (path: string, fields: Record<string, string>) =>
    fetch(
      new Request(`${address}/${path}`, {
        method: 'POST',
        headers: key,
        body: new URLSearchParams(fields),
      }),
    );
  await post('bank/', { action: 'month' });
  const inAnHour = Math.ceil(Date.now() / 1000) + 3600;
  const terms = { percent_off: '30', duration: 'forever', redeem_by: `${inAnHour}` };
  const { id, redeem_by } = await (await post('api.stripe.com/v1/coupons', terms)).json();
  expect([stripe.state.coupons[id]?.redeem_by, redeem_by - inAnHour]).toEqual([
    redeem_by,
    32 * 24 * 3600,
  ]);
});
