import { Stripe } from 'stripe';
import { describe, expect, test } from 'vitest';
import { withFaults } from '../faults.ts';
import { type Harness, harness, numbers, refusal } from './harness.ts';

/** The calls of a first purchase: an invoice that waits for its intent to be confirmed. */
async function subscribe(
  { stripe, price }: Harness,
  customer: string,
  more: Partial<Stripe.SubscriptionCreateParams> = {},
  options: Stripe.RequestOptions = {},
) {
  const subscription = await stripe.subscriptions.create(
    {
      customer,
      items: [{ price }],
      payment_behavior: 'default_incomplete',
      payment_settings: { save_default_payment_method: 'on_subscription' },
      expand: ['latest_invoice.confirmation_secret', 'latest_invoice.payments'],
      ...more,
    },
    options,
  );
  const invoice = subscription.latest_invoice as Stripe.Invoice;
  const intent = String(invoice.payments?.data[0]?.payment.payment_intent);
  return { subscription, invoice, intent };
}

describe('paying', () => {
  test('approve: incomplete, confirmed, active, the method saved', async () => {
    const on = await harness();
    const { stripe, customer, fake } = on;
    const { subscription, invoice, intent } = await subscribe(on, customer, {
      metadata: { attempt_id: 'a1' },
    });
    expect(subscription.status).toBe('incomplete');
    expect(invoice.status).toBe('open');
    expect(invoice.confirmation_secret?.client_secret).toMatch(new RegExp(`^${intent}_secret_`));
    const before = await stripe.paymentIntents.retrieve(intent);
    expect(before.status).toBe('requires_payment_method');
    const paid = await stripe.paymentIntents.confirm(intent, { payment_method: 'pm_card_visa' });
    expect(paid.status).toBe('succeeded');
    const after = await stripe.subscriptions.retrieve(subscription.id, {
      expand: ['latest_invoice.payments.data.payment.payment_intent', 'default_payment_method'],
    });
    expect(after.status).toBe('active');
    expect((after.latest_invoice as Stripe.Invoice).status).toBe('paid');
    expect((after.default_payment_method as Stripe.PaymentMethod).card?.last4).toBe('4242');
    expect((after.default_payment_method as Stripe.PaymentMethod).customer).toBe(customer);
    expect(fake.captures()).toEqual([
      {
        payment_intent: intent,
        amount: 3000,
        refunded: 0,
        currency: 'usd',
        customer,
        subscription: subscription.id,
        metadata: { attempt_id: 'a1' },
      },
    ]);
  });

  test('a saved method leaves the intent in requires_confirmation', async () => {
    const on = await harness();
    const method = await on.stripe.paymentMethods.attach('pm_card_visa', { customer: on.customer });
    expect(method.id).not.toBe('pm_card_visa');
    const { intent } = await subscribe(on, on.customer, { default_payment_method: method.id });
    expect((await on.stripe.paymentIntents.retrieve(intent)).status).toBe('requires_confirmation');
    expect((await on.stripe.paymentIntents.confirm(intent)).status).toBe('succeeded');
  });

  test('without default_incomplete the first invoice is charged at once', async () => {
    const on = await harness();
    const method = await on.stripe.paymentMethods.attach('pm_card_visa', { customer: on.customer });
    const { subscription } = await subscribe(on, on.customer, {
      payment_behavior: 'allow_incomplete',
      default_payment_method: method.id,
    });
    expect(subscription.status).toBe('active');
  });

  test.each([
    ['pm_card_visa_chargeDeclined', 'card_declined', 'generic_decline'],
    ['pm_card_visa_chargeDeclinedInsufficientFunds', 'card_declined', 'insufficient_funds'],
    ['pm_card_visa_chargeDeclinedLostCard', 'card_declined', 'lost_card'],
    ['pm_card_visa_chargeDeclinedStolenCard', 'card_declined', 'stolen_card'],
    ['pm_card_chargeDeclinedExpiredCard', 'expired_card', 'expired_card'],
    ['pm_card_chargeDeclinedIncorrectCvc', 'incorrect_cvc', 'incorrect_cvc'],
    ['pm_card_chargeDeclinedProcessingError', 'processing_error', 'processing_error'],
    ['pm_card_chargeDeclinedFraudulent', 'card_declined', 'fraudulent'],
    ['pm_card_chargeCustomerFail', 'card_declined', 'generic_decline'],
  ])('decline: %s', async (card, code, decline_code) => {
    const on = await harness();
    const { subscription, intent } = await subscribe(on, on.customer);
    const error = await refusal(on.stripe.paymentIntents.confirm(intent, { payment_method: card }));
    expect(error).toBeInstanceOf(Stripe.errors.StripeCardError);
    expect(error).toMatchObject({ statusCode: 402, code, decline_code });
    expect(error.payment_intent).toMatchObject({ id: intent, status: 'requires_payment_method' });
    const now = await on.stripe.paymentIntents.retrieve(intent);
    expect(now.last_payment_error).toMatchObject({ code, decline_code, type: 'card_error' });
    expect((await on.stripe.subscriptions.retrieve(subscription.id)).status).toBe('incomplete');
    expect(on.fake.captures()).toEqual([]);
    // A working card then pays it.
    await on.stripe.paymentIntents.confirm(intent, { payment_method: 'pm_card_visa' });
    expect((await on.stripe.subscriptions.retrieve(subscription.id)).status).toBe('active');
  });

  test('a declining card cannot be attached, 4000000000000341 can', async () => {
    const { stripe, customer } = await harness();
    const error = await refusal(
      stripe.paymentMethods.attach('pm_card_visa_chargeDeclined', { customer }),
    );
    expect(error).toMatchObject({ statusCode: 402, code: 'card_declined' });
    const method = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer });
    expect(method.customer).toBe(customer);
  });

  test.each(['pm_card_authenticationRequired', 'pm_card_threeDSecure2Required'])(
    'challenge: %s, passed, active',
    async (card) => {
      const on = await harness();
      const { subscription, intent } = await subscribe(on, on.customer);
      const asked = await on.stripe.paymentIntents.confirm(intent, { payment_method: card });
      expect(asked.status).toBe('requires_action');
      expect(asked.next_action?.type).toBe('use_stripe_sdk');
      expect((await on.stripe.subscriptions.retrieve(subscription.id)).status).toBe('incomplete');
      on.fake.challenge(intent, 'authenticated');
      expect((await on.stripe.paymentIntents.retrieve(intent)).status).toBe('succeeded');
      expect((await on.stripe.subscriptions.retrieve(subscription.id)).status).toBe('active');
    },
  );

  test('challenge failed: a new method is due', async () => {
    const on = await harness();
    const { intent } = await subscribe(on, on.customer);
    await on.stripe.paymentIntents.confirm(intent, {
      payment_method: 'pm_card_authenticationRequired',
    });
    on.fake.challenge(intent, 'failed');
    const after = await on.stripe.paymentIntents.retrieve(intent);
    expect(after.status).toBe('requires_payment_method');
    expect(after.last_payment_error?.code).toBe('payment_intent_authentication_failure');
    const paid = await on.stripe.paymentIntents.confirm(intent, { payment_method: 'pm_card_amex' });
    expect(paid.status).toBe('succeeded');
  });

  test('a paid intent cannot be paid again', async () => {
    const on = await harness();
    const { intent } = await subscribe(on, on.customer);
    await on.stripe.paymentIntents.confirm(intent, { payment_method: 'pm_card_visa' });
    const error = await refusal(
      on.stripe.paymentIntents.confirm(intent, { payment_method: 'pm_card_visa' }),
    );
    expect(error).toMatchObject({ statusCode: 400, code: 'payment_intent_unexpected_state' });
    expect(on.fake.captures()).toHaveLength(1);
  });

  test('upsell: the saved method pays, or is challenged with the customer present', async () => {
    const on = await harness();
    const main = await subscribe(on, on.customer);
    await on.stripe.paymentIntents.confirm(main.intent, {
      payment_method: 'pm_card_authenticationRequired',
    });
    on.fake.challenge(main.intent, 'authenticated');
    const { default_payment_method: saved } = await on.stripe.subscriptions.retrieve(
      main.subscription.id,
    );
    const upsell = await subscribe(on, on.customer, {
      default_payment_method: String(saved),
      off_session: false,
      payment_behavior: 'allow_incomplete',
    });
    expect(upsell.subscription.status).toBe('incomplete');
    expect((await on.stripe.paymentIntents.retrieve(upsell.intent)).status).toBe('requires_action');
    on.fake.challenge(upsell.intent, 'authenticated');
    expect((await on.stripe.subscriptions.retrieve(upsell.subscription.id)).status).toBe('active');
    expect(on.fake.captures()).toHaveLength(2);
  });

  test('off session a card that always asks is refused', async () => {
    const { stripe, customer } = await harness();
    const method = await stripe.paymentMethods.attach('pm_card_authenticationRequired', {
      customer,
    });
    const error = await refusal(
      stripe.paymentIntents.create({
        amount: 500,
        currency: 'usd',
        customer,
        payment_method: method.id,
        confirm: true,
        off_session: true,
      }),
    );
    expect(error).toMatchObject({ statusCode: 402, code: 'authentication_required' });
  });
});

describe('trials', () => {
  const fee = (product: string) => ({
    add_invoice_items: [{ price_data: { currency: 'usd', product, unit_amount: 100 } }],
    trial_period_days: 7,
  });

  test.each(['incomplete', 'trialing'] as const)(
    'paid introduction: unpaid it reads %s, paid it is trialing',
    async (unpaidTrialStatus) => {
      const on = await harness({ unpaidTrialStatus });
      const { subscription, invoice, intent } = await subscribe(
        on,
        on.customer,
        fee(on.product),
      );
      expect(subscription.status).toBe(unpaidTrialStatus);
      expect(invoice).toMatchObject({ amount_due: 100, status: 'open' });
      await on.stripe.paymentIntents.confirm(intent, { payment_method: 'pm_card_visa' });
      const after = await on.stripe.subscriptions.retrieve(subscription.id);
      expect(after.status).toBe('trialing');
      expect((after.trial_end ?? 0) - (after.trial_start ?? 0)).toBe(7 * 86_400);
      expect(on.fake.captures()).toMatchObject([{ amount: 100 }]);
    },
  );

  test('free: trialing at once, its setup intent saves the card', async () => {
    const on = await harness();
    const subscription = await on.stripe.subscriptions.create({
      customer: on.customer,
      items: [{ price: on.price }],
      trial_period_days: 3,
      payment_behavior: 'default_incomplete',
      payment_settings: { save_default_payment_method: 'on_subscription' },
      expand: ['pending_setup_intent', 'latest_invoice'],
    });
    expect(subscription.status).toBe('trialing');
    expect(subscription.latest_invoice).toMatchObject({ amount_due: 0, status: 'paid' });
    const setup = subscription.pending_setup_intent as Stripe.SetupIntent;
    expect(setup.status).toBe('requires_payment_method');
    await on.stripe.setupIntents.confirm(setup.id, { payment_method: 'pm_card_visa' });
    const after = await on.stripe.subscriptions.retrieve(subscription.id);
    expect(after.pending_setup_intent).toBeNull();
    expect(after.default_payment_method).toMatch(/^pm_/);
  });

  test('trial offer: the offer is billed first and the subscription is active', async () => {
    const on = await harness();
    const intro = await on.stripe.prices.create({
      currency: 'usd',
      product: on.product,
      recurring: { interval: 'week' },
      unit_amount: 100,
    });
    const offer = await on.stripe.productCatalog.trialOffers.create({
      price: intro.id,
      duration: { type: 'relative', relative: { iterations: 1 } },
      end_behavior: { transition: { price: on.price } },
    });
    const { subscription, invoice, intent } = await subscribe(on, on.customer, {
      items: [{ price: on.price, current_trial: { trial_offer: offer.id } }],
    });
    expect(invoice.amount_due).toBe(100);
    expect(subscription.items.data[0]?.current_trial?.trial_offer).toBe(offer.id);
    await on.stripe.paymentIntents.confirm(intent, { payment_method: 'pm_card_visa' });
    expect((await on.stripe.subscriptions.retrieve(subscription.id)).status).toBe('active');
  });
});

describe('idempotency', () => {
  const options = { idempotencyKey: 'attempt-1' };

  test('replays status and body, declines too, for 24 hours', async () => {
    const on = await harness();
    const { stripe, clock } = on;
    const first = await stripe.customers.create({ email: 'a@example.com' }, options);
    const again = await stripe.customers.create({ email: 'a@example.com' }, options);
    expect(again.id).toBe(first.id);
    expect(new Headers(again.lastResponse.headers).get('idempotent-replayed')).toBe('true');
    clock.advance(24 * 3_600_000);
    const next = await stripe.customers.create({ email: 'a@example.com' }, options);
    expect(next.id).not.toBe(first.id);
    const { intent } = await subscribe(on, on.customer);
    const decline = () =>
      refusal(
        stripe.paymentIntents.confirm(
          intent,
          { payment_method: 'pm_card_visa_chargeDeclined' },
          { idempotencyKey: 'c1' },
        ),
      );
    const one = await decline();
    const two = await decline();
    expect(two.charge).toBe(one.charge);
    expect(Object.keys(on.fake.state.charges)).toHaveLength(1);
  });

  test('other parameters or another call under the same key are refused', async () => {
    const { stripe } = await harness();
    await stripe.customers.create({ email: 'a@example.com' }, options);
    const error = await refusal(stripe.customers.create({ email: 'b@example.com' }, options));
    expect(error).toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
    expect(error).toMatchObject({ statusCode: 400, rawType: 'idempotency_error' });
    const other = await refusal(stripe.products.create({ name: 'x' }, options));
    expect(other.rawType).toBe('idempotency_error');
  });

  test('the same key twice at once: one runs, the other is told so', async () => {
    const gate = Promise.withResolvers<void>();
    const on = await harness();
    on.during(() => gate.promise);
    const first = on.stripe.customers.create({ name: 'x' }, options);
    const second = await refusal(on.stripe.customers.create({ name: 'x' }, options));
    expect(second).toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' });
    gate.resolve();
    expect((await first).object).toBe('customer');
  });

  test('a 500 is saved, a refused parameter is not', async () => {
    const on = await harness();
    on.during(() => {
      throw new Error('boom');
    });
    const failed = await refusal(on.stripe.customers.create({ name: 'x' }, options));
    expect(failed.statusCode).toBe(500);
    on.during(() => undefined);
    const again = await refusal(on.stripe.customers.create({ name: 'x' }, options));
    expect(again.statusCode).toBe(500);
    const key = { idempotencyKey: 'k2' };
    const wrong = { name: 'x', nmae: 'x' } as Stripe.CustomerCreateParams;
    await refusal(on.stripe.customers.create(wrong, key));
    expect((await on.stripe.customers.create({ name: 'x' }, key)).name).toBe('x');
  });

  test('a lost reply: the replay gives the same object, money moves once', async () => {
    // Drawn in pairs: go wrong? (0 is below any rate), then how (0.5 is the lost reply).
    const faulty = await harness({ fetch: (fetch) => withFaults(fetch, { rate: 0.5, random: numbers(0, 0.5, 0.9) }) });
    const on = faulty;
    const attempt = () =>
      on.faulty.subscriptions.create(
        { customer: on.customer, items: [{ price: on.price }], default_payment_method: on.method },
        options,
      );
    const error = await refusal(attempt());
    expect(error).toBeInstanceOf(Stripe.errors.StripeConnectionError);
    expect(on.fake.captures()).toHaveLength(1);
    const replayed = await attempt();
    expect(replayed.status).toBe('active');
    expect(on.fake.captures()).toMatchObject([{ subscription: replayed.id }]);
  });
});

describe('refunds', () => {
  test('in parts, then no more', async () => {
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
    const { latest_charge } = await on.stripe.paymentIntents.retrieve(intent);
    expect((await on.stripe.charges.retrieve(String(latest_charge))).refunded).toBe(true);
  });
});

describe('subscriptions over time', () => {
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

describe('what is refused', () => {
  test('keys: none, wrong, publishable', async () => {
    const { fake } = await harness();
    const url = 'https://api.stripe.com/v1/customers';
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

  test('events tell what happened', async () => {
    const on = await harness();
    const { intent } = await subscribe(on, on.customer);
    await on.stripe.paymentIntents.confirm(intent, { payment_method: 'pm_card_visa' });
    const { data } = await on.stripe.events.list({ limit: 100, types: ['invoice.paid'] });
    expect(data).toHaveLength(1);
  });
});
