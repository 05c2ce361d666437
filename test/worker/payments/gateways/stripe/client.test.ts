import { env } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import {
  fetchStripe,
  stripeClient,
} from '../../../../../worker/payments/gateways/stripe/client.ts';
import { withoutRetryDelays } from './stripe-fixture.ts';

afterEach(() => void vi.unstubAllGlobals());

const answer = (body: unknown, status = 200) =>
  vi.stubGlobal('fetch', async () => Response.json(body, { status }));
const call = (path: string) => fetchStripe(`https://api.stripe.com/v1/${path}`);

test('Stripe client: an answer about the requested object is returned unchanged', async () => {
  answer({ id: 'pi_1', status: 'succeeded' });
  const response = await call('payment_intents/pi_1/confirm');
  expect(await response.json()).toEqual({ id: 'pi_1', status: 'succeeded' });
});

test.each([{ id: 'pi_2' }, { object: 'list' }, {}, null, 'pi_1'])(
  'Stripe client: %j is rejected as an answer about pi_1',
  async (body) => {
    answer(body);
    await expect(call('payment_intents/pi_1')).rejects.toThrow('another object');
  },
);

test.each([
  ['a list', 'subscriptions?customer=cus_1', 200],
  ['a list in a namespace', 'product_catalog/trial_offers?limit=1', 200],
  ['a created object', 'customers', 200],
  ['a payment method by an alias', 'payment_methods/pm_card_visa/attach', 200],
  ['a refusal', 'payment_intents/pi_1', 402],
])('Stripe client: the id of %s is not checked', async (_, path, status) => {
  answer({ id: 'another' }, status);
  expect((await call(path)).status).toBe(status);
});

const client = stripeClient(env);

/** Every object that the Worker reads by its id, by the official client's own paths. */
test.each<[id: string, read: (id: string) => Promise<unknown>]>([
  ['cus_1', (id) => client.customers.update(id, {})],
  ['sub_1', (id) => client.subscriptions.retrieve(id)],
  ['sub_1', (id) => client.subscriptions.cancel(id)],
  ['in_1', (id) => client.invoices.retrieve(id)],
  ['in_1', (id) => client.invoices.voidInvoice(id)],
  ['pi_1', (id) => client.paymentIntents.retrieve(id)],
  ['price_1', (id) => client.prices.retrieve(id)],
  ['to_1', (id) => client.productCatalog.trialOffers.retrieve(id)],
])('Stripe client: the answer to a call about %s has to have its id', async (id, read) => {
  answer({ id });
  expect(await read(id)).toMatchObject({ id });
  withoutRetryDelays();
  answer({ id: `${id}2` });
  await expect(read(id)).rejects.toThrow('connection to Stripe');
});
