import { env } from 'cloudflare:test';
import Stripe from 'stripe';
import { expect, test, vi } from 'vitest';
import { builtInCatalog } from '../../../../../worker/catalog/rules/catalog.ts';
import {
  fetchStripe,
  stripeClient,
} from '../../../../../worker/payments/gateways/stripe/client.ts';
import {
  outcomeOfError,
  outcomeOfIntent,
} from '../../../../../worker/payments/gateways/stripe/outcome.ts';
import type { ChargeRequest } from '../../../../../worker/payments/purchase/gateway.ts';
import { paymentIdOf } from '../../../../../worker/platform/types.ts';
import { withoutRetryDelays } from './stripe-fixture.ts';

const plan = builtInCatalog.planOf('monthly_7d', 'EUR');

const request = { customerId: 'cus_ours', attempt: { amount: 699 } } as ChargeRequest;

const outcomeOf = (change: Partial<Stripe.PaymentIntent>) => {
  const intent = {
    id: 'pi_1',
    customer: 'cus_ours',
    amount: 699,
    amount_received: 0,
    currency: 'eur',
    client_secret: 'pi_1_secret_2',
    payment_method: 'pm_1',
    last_payment_error: null,
    status: 'requires_confirmation',
    ...change,
  } as Stripe.PaymentIntent;
  return outcomeOfIntent(
    {
      intent,
      made: { subscriptionId: 'sub_1', invoiceId: 'in_1', paymentId: paymentIdOf('pi_1') },
    },
    request,
    plan,
  );
};

const failure = {
  code: 'card_declined',
  decline_code: 'insufficient_funds',
  message: 'Your card has insufficient funds.',
} as Stripe.PaymentIntent.LastPaymentError;

const declined = {
  kind: 'declined',
  declineCode: 'insufficient_funds',
  processorResponse: 'Your card has insufficient funds.',
};

test('Stripe outcome: a succeeded intent is active, with the ids that later calls need', () => {
  expect(outcomeOf({ status: 'succeeded', amount_received: 699 })).toEqual({
    kind: 'active',
    charge: {
      subscriptionId: 'sub_1',
      paymentId: 'pi_1',
      customerId: 'cus_ours',
      methodId: 'pm_1',
      amount: 699,
      currency: 'EUR',
    },
  });
});

test('Stripe outcome: expanded references are read as ids', () => {
  const customer = { id: 'cus_ours' } as Stripe.Customer;
  const payment_method = { id: 'pm_9' } as Stripe.PaymentMethod;
  const outcome = outcomeOf({ status: 'succeeded', customer, payment_method });
  expect(outcome).toMatchObject({ kind: 'active', charge: { methodId: 'pm_9' } });
});

test.each([
  ['requires_action', null, { kind: 'challenge', paymentId: 'pi_1', secret: 'pi_1_secret_2' }],
  ['requires_confirmation', null, { kind: 'unfinished' }],
  ['requires_payment_method', null, { kind: 'unfinished' }],
  ['requires_payment_method', failure, declined],
  ['canceled', failure, declined],
  ['canceled', null, { kind: 'rejected', reason: 'canceled' }],
  ['processing', null, { kind: 'unknown' }],
  ['requires_capture', null, { kind: 'unknown' }],
  ['a status of next year', null, { kind: 'unknown' }],
] as const)(
  'Stripe outcome: the status %s with the failure %j',
  (status, last_payment_error, outcome) =>
    expect(outcomeOf({ status: status as 'succeeded', last_payment_error })).toEqual(outcome),
);

test.each([
  ['customer', { customer: 'cus_other' }],
  ['customer, none', { customer: null }],
  ['amount', { amount: 698 }],
  ['currency', { currency: 'usd' }],
])('Stripe outcome: an intent of another %s is rejected, paid or not', (_, change) => {
  const foreign = { kind: 'rejected', reason: 'foreign intent' };
  for (const status of ['requires_action', 'canceled'] as const)
    expect(outcomeOf({ status, ...change })).toEqual(foreign);
  // A payment made in spite of this is reported.
  const keptCapture = { paymentId: 'pi_1', amount: expect.any(Number) };
  expect(outcomeOf({ status: 'succeeded', ...change })).toEqual({ ...foreign, keptCapture });
});

const { StripeCardError, StripeInvalidRequestError } = Stripe.errors;

const raw = (more: object) => ({ message: 'no', ...more }) as never;

test('Stripe outcome: a card error is a decline with the bank’s code, or Stripe’s when the bank gave none', () => {
  const error = (more: object) => outcomeOfError(new StripeCardError(raw(more)));
  expect(error({ code: 'card_declined', decline_code: 'lost_card' })).toMatchObject({
    kind: 'declined',
    declineCode: 'lost_card',
  });
  expect(error({ code: 'expired_card' })).toMatchObject({ declineCode: 'expired_card' });
  expect(error({})).toMatchObject({ declineCode: 'generic_decline' });
});

test.each([400, 402, 404])(
  'Stripe outcome: a request that Stripe finds invalid (%i) was not executed',
  (code) => {
    const error = new StripeInvalidRequestError(
      raw({ statusCode: code, code: 'resource_missing', param: 'customer' }),
    );
    expect(outcomeOfError(error)).toEqual({
      kind: 'rejected',
      reason: 'resource_missing customer',
    });
  },
);

test.each([
  ['a key in use', new StripeInvalidRequestError(raw({ statusCode: 409 }))],
  ['too many calls', new Stripe.errors.StripeRateLimitError(raw({ statusCode: 429 }))],
  ['a wrong key', new Stripe.errors.StripeAuthenticationError(raw({ statusCode: 401 }))],
  ['a fault of Stripe', new Stripe.errors.StripeAPIError(raw({ statusCode: 500 }))],
  ['a lost connection', new Stripe.errors.StripeConnectionError(raw({}))],
  ['anything else', new TypeError('x')],
  ['no error at all', 'x'],
])('Stripe outcome: %s is not definite, and is rethrown', (_, error) => {
  let thrown: unknown;
  try {
    outcomeOfError(error);
  } catch (caught) {
    thrown = caught;
  }
  expect(thrown).toBe(error);
});

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
  answer({ id: 'another', error: {} }, status);
  expect((await call(path)).status).toBe(status);
});

const client = stripeClient(env);

test.each([302, 400, 404, 500, 503])(
  'Stripe client: an answer with %i that has no error is an unknown outcome, never an object',
  async (status) => {
    withoutRetryDelays();
    answer({ id: 're_1', status: 'succeeded' }, status);
    const error = await client.refunds.create({ payment_intent: 'pi_1' }).catch((thrown) => thrown);
    expect(() => outcomeOfError(error)).toThrow('connection to Stripe');
  },
);

/** Every object that the Worker reads by id, with the official client's paths. */
test.each<[id: string, read: (id: string) => Promise<unknown>]>([
  ['cus_1', (id) => client.customers.update(id, {})],
  ['sub_1', (id) => client.subscriptions.retrieve(id)],
  ['sub_1', (id) => client.subscriptions.cancel(id)],
  ['in_1', (id) => client.invoices.retrieve(id)],
  ['in_1', (id) => client.invoices.voidInvoice(id)],
  ['pi_1', (id) => client.paymentIntents.retrieve(id)],
  ['price_1', (id) => client.prices.retrieve(id)],
  ['to_1', (id) => client.productCatalog.trialOffers.retrieve(id)],
])('Stripe client: the answer to a call about %s must contain its id', async (id, read) => {
  answer({ id });
  expect(await read(id)).toMatchObject({ id });
  withoutRetryDelays();
  answer({ id: `${id}2` });
  await expect(read(id)).rejects.toThrow('connection to Stripe');
});
