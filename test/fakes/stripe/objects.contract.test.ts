import type { Stripe } from 'stripe';
import { describe, expect, onTestFinished, test } from 'vitest';
import { serveFake } from '../serve-fake.ts';
import { harness, refusal, subscribe } from './harness.ts';
import { createStripe } from './server.ts';
import { trigger } from './stripe-cli.ts';

/** Stripe's own fixtures, replayed by its command line. */
test.for(['charge.dispute.closed', 'customer.subscription.updated'])(
  'stripe trigger %s',
  async (event) => {
    const fake = createStripe();
    const { port, close } = await serveFake('https://api.stripe.com', fake.fetch);
    onTestFinished(() => close());
    await trigger(event, port);
    expect(Object.values(fake.state.events).map(({ type }) => type)).toContain(event);
  },
);

describe('Stripe fake: refunds', () => {
  test('partial refunds up to the captured amount', async () => {
    const on = await harness();
    const { intent } = await subscribe(on, on.customer);
    await on.stripe.paymentIntents.confirm(intent, { payment_method: 'pm_card_visa' });
    const part = await on.stripe.refunds.create({ payment_intent: intent, amount: 1000 });
    expect(part).toMatchObject({ amount: 1000, status: 'succeeded' });
    const much = await refusal(on.stripe.refunds.create({ payment_intent: intent, amount: 2001 }));
    expect(much).toMatchObject({ statusCode: 400, param: 'amount' });
    await on.stripe.refunds.create({ payment_intent: intent });
    const spent = await refusal(on.stripe.refunds.create({ payment_intent: intent }));
    expect(spent.code).toBe('charge_already_refunded');
    expect(on.fake.captures()).toMatchObject([{ amount: 3000, refunded: 3000 }]);
    expect((await on.stripe.refunds.list({ payment_intent: intent })).data).toHaveLength(2);
    const charges = await on.stripe.charges.list({ payment_intent: intent });
    expect(charges.data).toMatchObject([{ refunded: true }]);
  });
});

describe('Stripe fake: subscriptions over time', () => {
  test('lists by customer and status, updates, cancels once', async () => {
    const on = await harness();
    const { subscription, intent } = await subscribe(on, on.customer);
    await on.stripe.paymentIntents.confirm(intent, { payment_method: 'pm_card_visa' });
    const ending = await on.stripe.subscriptions.update(subscription.id, {
      cancel_at_period_end: true,
      metadata: { why: 'asked' },
    });
    expect(ending).toMatchObject({ cancel_at_period_end: true, metadata: { why: 'asked' } });
    const active = await on.stripe.subscriptions.list({ customer: on.customer, status: 'active' });
    expect(active.data.map(({ id }) => id)).toEqual([subscription.id]);
    expect((await on.stripe.subscriptions.cancel(subscription.id)).status).toBe('canceled');
    expect((await on.stripe.subscriptions.list({ customer: on.customer })).data).toEqual([]);
    const again = await refusal(on.stripe.subscriptions.cancel(subscription.id));
    expect(again).toMatchObject({ statusCode: 404, code: 'resource_missing' });
  });

  test('voiding an invoice cancels its payment intent; it cannot be voided twice', async () => {
    const on = await harness();
    const { subscription, invoice, intent } = await subscribe(on, on.customer);
    expect((await on.stripe.invoices.voidInvoice(String(invoice.id))).status).toBe('void');
    expect((await on.stripe.paymentIntents.retrieve(intent)).status).toBe('canceled');
    const late = await refusal(
      on.stripe.paymentIntents.confirm(intent, { payment_method: 'pm_card_visa' }),
    );
    expect(late.code).toBe('payment_intent_unexpected_state');
    const ended = await on.stripe.subscriptions.retrieve(subscription.id);
    expect(ended.status).toBe('incomplete_expired');
    const again = await refusal(on.stripe.invoices.voidInvoice(String(invoice.id)));
    expect(again.statusCode).toBe(400);
  });

  test.for([
    ['by a call', 'paid', 'active'],
    ['by its intent', 'paid', 'active'],
    ['not, but voided', 'void', 'incomplete_expired'],
  ] as const)('an uncollectible invoice is paid %s', async ([way, status, after]) => {
    const on = await harness();
    const { subscription, invoice, intent } = await subscribe(on, on.customer);
    const id = String(invoice.id);
    const marked = await on.stripe.invoices.markUncollectible(id);
    expect(marked).toMatchObject({ status: 'uncollectible', amount_remaining: 3000 });
    if (way === 'by a call') await on.stripe.invoices.pay(id, { payment_method: on.method });
    else if (way === 'not, but voided') await on.stripe.invoices.voidInvoice(id);
    else await on.stripe.paymentIntents.confirm(intent, { payment_method: on.method });
    expect((await on.stripe.invoices.retrieve(id)).status).toBe(status);
    expect((await on.stripe.subscriptions.retrieve(subscription.id)).status).toBe(after);
    expect(on.fake.captures()).toHaveLength(status === 'paid' ? 1 : 0);
    const again = await refusal(on.stripe.invoices.pay(id, { payment_method: on.method }));
    expect(again.statusCode).toBe(400);
  });

  test('a voided invoice keeps the reason of its last decline and ends no trial', async () => {
    const on = await harness({ unpaidTrialStatus: 'trialing' });
    const { subscription, invoice, intent } = await subscribe(on, on.customer, {
      trial_period_days: 7,
      add_invoice_items: [
        { price_data: { currency: 'usd', product: on.product, unit_amount: 100 } },
      ],
    });
    await refusal(
      on.stripe.paymentIntents.confirm(intent, { payment_method: 'pm_card_visa_chargeDeclined' }),
    );
    await on.stripe.invoices.voidInvoice(String(invoice.id));
    const after = await on.stripe.paymentIntents.retrieve(intent);
    expect(after).toMatchObject({ status: 'canceled', cancellation_reason: 'void_invoice' });
    expect(after.last_payment_error?.decline_code).toBe('generic_decline');
    const { status } = await on.stripe.subscriptions.retrieve(subscription.id);
    expect(status).toBe('trialing');
  });

  test('unpaid for 23 hours it expires and its invoice is void', async () => {
    const on = await harness();
    const { subscription, intent } = await subscribe(on, on.customer);
    on.clock.advance(23 * 3_600_000);
    const late = await on.stripe.subscriptions.retrieve(subscription.id, {
      expand: ['latest_invoice'],
    });
    expect(late.status).toBe('incomplete_expired');
    expect((late.latest_invoice as Stripe.Invoice).status).toBe('void');
    expect((await on.stripe.paymentIntents.retrieve(intent)).status).toBe('canceled');
  });
});

describe('Stripe fake: refusals', () => {
  test('keys: none, wrong, publishable', async () => {
    const { fake } = await harness();
    const url = 'https://api.stripe.com/v1/charges';
    expect((await fake.fetch(url)).status).toBe(401);
    const as = (key: string) => fake.fetch(url, { headers: { authorization: `Bearer ${key}` } });
    expect((await as('sk_live_123')).status).toBe(401);
    expect((await as('pk_test_123')).status).toBe(401);
    expect((await as('sk_test_123')).status).toBe(200);
  });

  test('unknown objects, parameters, properties and addresses', async () => {
    const { stripe, customer, price, fake } = await harness();
    const gone = await refusal(stripe.subscriptions.retrieve('sub_none'));
    expect(gone).toMatchObject({ statusCode: 404, code: 'resource_missing', param: 'id' });
    const typo = await refusal(
      stripe.subscriptions.create({
        customer,
        items: [{ price, quantiy: 1 } as Stripe.SubscriptionCreateParams.Item],
      }),
    );
    expect(typo).toMatchObject({
      statusCode: 400,
      code: 'parameter_unknown',
      param: 'items[0][quantiy]',
    });
    const old = await refusal(
      stripe.subscriptions.create({
        customer,
        items: [{ price }],
        payment_behavior: 'default_incomplete',
        expand: ['latest_invoice.payment_intent'],
      }),
    );
    expect(old.message).toContain('cannot be expanded');
    const response = await fake.fetch('https://api.stripe.com/v1/nothing', {
      headers: { authorization: 'Bearer sk_test_123' },
    });
    expect(response.status).toBe(404);
  });
});
