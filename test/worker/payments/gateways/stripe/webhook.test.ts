import { env } from 'cloudflare:test';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readStripeWebhook } from '../../../../../worker/payments/gateways/stripe/webhook.ts';
import type { GatewayEvent } from '../../../../../worker/payments/purchase/gateway.ts';
import { harness, subscribe } from '../../../../fakes/stripe/harness.ts';
import { signatureOf, webhooks } from '../../../../fakes/stripe/webhooks.ts';
import { scaled } from '../../payments-fixture.ts';
import { mutated } from '../gateway-fixture.ts';

const secret = 'whsec_runtime';
const now = Date.UTC(2026, 0, 15);
const body = JSON.stringify(
  {
    id: 'evt_1',
    object: 'event',
    type: 'customer.updated',
    created: now / 1000 - 5,
    data: {
      object: {
        id: 'cus_1',
        object: 'customer',
        email: 'visitor@example.com',
        metadata: { account: 'a' },
      },
    },
  },
  null,
  2,
);
const read = (
  text: string,
  signature: string | null,
  {
    at = now,
    bindings = { STRIPE_WEBHOOK_SECRET: secret } as { STRIPE_WEBHOOK_SECRET?: string },
  } = {},
) => {
  // A real `Headers` would trim the mutations.
  const headers = { get: () => signature } as unknown as Headers;
  return readStripeWebhook(bindings, { body: text, headers }, at);
};
const signed = (text = body) => signatureOf(text, secret, now / 1000);

test('Stripe webhook: a signed event gives ids and a type, and no e-mail', async () => {
  expect(await read(body, await signed())).toEqual({
    gateway: 'stripe',
    id: 'evt_1',
    type: 'customer.updated',
    account: 'a',
    attempt: null,
    customerId: 'cus_1',
    paymentId: null,
    invoiceId: null,
    subscriptionId: null,
    createdAt: expect.any(Number),
  });
});

test.each([
  [300_000, true],
  [301_000, false],
])('Stripe webhook: an event is accepted %d ms after its signature: %s', async (age, accepted) => {
  expect((await read(body, await signed(), { at: now + age })) !== null).toBe(accepted);
});

test.each([
  [
    'basil',
    { parent: { subscription_details: { subscription: 'sub_1', metadata: { account: 'a' } } } },
  ],
  ['acacia', { subscription: 'sub_1', subscription_details: { metadata: { account: 'a' } } }],
  ['an expanded reference', { subscription: { id: 'sub_1' }, metadata: { account: 'a' } }],
] as const)(
  'Stripe webhook: an invoice in the shape of %s names its subscription',
  async (_, shape) => {
    const object = { id: 'in_1', object: 'invoice', customer: 'cus_1', ...shape };
    const type = 'invoice.payment_action_required';
    const text = JSON.stringify({ ...JSON.parse(body), type, data: { object } });
    expect(await read(text, await signed(text))).toMatchObject({
      account: 'a',
      customerId: 'cus_1',
      invoiceId: 'in_1',
      subscriptionId: 'sub_1',
    });
  },
);

test('Stripe webhook: one of two signatures is enough while a secret is rolled', async () => {
  const old = await signatureOf(body, 'whsec_old', now / 1000);
  const both = `${old},${(await signed()).split(',')[1]}`;
  expect(await read(body, both)).toMatchObject({ id: 'evt_1' });
});

describe('Stripe webhook: refused', () => {
  test.each(['', 't=1', 'v1=00', 'garbage', `t=${now / 1000},v1=${'0'.repeat(64)}`])(
    'the signature %j',
    async (signature) => expect(await read(body, signature)).toBeNull(),
  );

  test('no signature, no secret, another secret', async () => {
    expect(await read(body, null)).toBeNull();
    expect(await read(body, await signatureOf(body, 'whsec_other', now / 1000))).toBeNull();
    for (const bindings of [{ STRIPE_WEBHOOK_SECRET: '' }, {}])
      expect(await read(body, await signed(), { bindings })).toBeNull();
  });

  test.each(['', 'null', '[]', '{', '{"id":"evt_1"}', '{"object":"v2.core.event","id":"evt_1"}'])(
    'the signed body %j',
    async (text) => expect(await read(text, await signed(text || ' '))).toBeNull(),
  );
});

const likely = '0123456789abcdef,=tv \n';

test('Stripe webhook: no changed body or signature is accepted', async () => {
  const signature = await signed();
  const forged = fc.oneof(
    mutated(body, likely).map((text) => ({ text, signature })),
    mutated(signature, likely).map((other) => ({ text: body, signature: other })),
    fc.record({ text: fc.constant(body), signature: fc.string() }),
  );
  await fc.assert(
    fc.asyncProperty(forged, async ({ text, signature: other }) => {
      expect(await read(text, other)).toBeNull();
    }),
    { numRuns: scaled(1000), ...(env.FULL ? {} : { seed: 1 }) },
  );
});

test('Stripe webhook: every event of a purchase names its account, customer or payment', async () => {
  const events: GatewayEvent[] = [];
  const endpoint = webhooks({
    secret,
    url: 'https://funnel.example/webhooks',
    now: () => on.clock.now(),
    handle: async (request) => {
      const header = request.headers.get('stripe-signature');
      const event = await read(await request.text(), header, { at: on.clock.now() });
      if (event) events.push(event);
      return new Response(null, { status: event ? 200 : 400 });
    },
  });
  const on = await harness({ onEvent: endpoint.onEvent });
  const { intent } = await subscribe(on, on.customer, { metadata: { account: 'a' } });
  await on.stripe.paymentIntents.confirm(intent, { payment_method: 'pm_card_visa' });
  on.clock.until(on.clock.now() + 32 * 86_400_000);
  await on.stripe.refunds.create({ payment_intent: intent, amount: 100 });
  await on.stripe.disputes.close(on.fake.dispute(intent));
  expect(await endpoint.flush()).toBe(0);
  const of = (type: string) =>
    events
      .filter((event) => event.type === type)
      .map(({ id: _, gateway: __, attempt: ___, createdAt: ____, ...ids }) => ids);
  const mine = { account: 'a', customerId: on.customer, paymentId: null };
  const ofSubscription = {
    invoiceId: expect.stringMatching(/^in_/),
    subscriptionId: expect.stringMatching(/^sub_/),
  };
  const paid = { type: 'invoice.paid', ...mine, ...ofSubscription };
  expect(of('invoice.paid')).toEqual([paid, paid]);
  expect(of('customer.subscription.updated').at(-1)).toMatchObject(mine);
  const charge = { account: null, customerId: on.customer, paymentId: intent };
  expect(of('charge.refunded')).toMatchObject([charge]);
  const dispute = { account: null, customerId: null, paymentId: intent };
  expect(of('charge.dispute.closed')).toMatchObject([dispute]);
  const about = events.filter(({ type }) => !/^(product|price)\./.test(type));
  expect(about.every((one) => one.account ?? one.customerId ?? one.paymentId)).toBe(true);
  expect(JSON.stringify(events)).not.toContain('@');
});
