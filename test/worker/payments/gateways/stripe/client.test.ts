import { env } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import { callStripe, stripeClient } from '../../../../../worker/payments/gateways/stripe/client.ts';
import { withoutPauses } from '../without-pauses.ts';

afterEach(() => void vi.unstubAllGlobals());

const answer = (body: unknown, status = 200) =>
  vi.stubGlobal('fetch', async () => Response.json(body, { status }));
const call = (path: string) => callStripe(`https://api.stripe.com/v1/${path}`);

test('an answer about what was asked for is handed on whole', async () => {
  answer({ id: 'pi_1', status: 'succeeded' });
  const response = await call('payment_intents/pi_1/confirm');
  expect(await response.json()).toEqual({ id: 'pi_1', status: 'succeeded' });
});

test.each([{ id: 'pi_2' }, { object: 'list' }, {}, null, 'pi_1'])(
  '%j is no answer about pi_1',
  async (body) => {
    answer(body);
    await expect(call('payment_intents/pi_1')).rejects.toThrow('something else');
  },
);

test.each([
  ['a list', 'subscriptions?customer=cus_1', 200],
  ['what is made', 'customers', 200],
  ['a method by another of its names', 'payment_methods/pm_card_visa/attach', 200],
  ['a refusal', 'payment_intents/pi_1', 402],
])('%s is not held to a name', async (_, path, status) => {
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
])('%s is read, and nothing else is taken for it', async (id, read) => {
  answer({ id });
  expect(await read(id)).toMatchObject({ id });
  withoutPauses();
  answer({ id: `${id}2` });
  await expect(read(id)).rejects.toThrow('connection to Stripe');
});

test('a list in a namespace names no object', async () => {
  answer({ object: 'list', data: [] });
  expect((await call('product_catalog/trial_offers?limit=1')).status).toBe(200);
});
