import { Stripe } from 'stripe';
import { describe, expect, test } from 'vitest';
import { withFaults } from '../faults.ts';
import { harness, numbers, refusal, subscribe } from './harness.ts';

describe('Stripe fake: idempotency', () => {
  const options = { idempotencyKey: 'attempt-1' };

  test('status and body are replayed, including declines, for 24 hours', async () => {
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

  test('of two concurrent calls with the same key one is executed, the other gets a conflict', async () => {
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

  test('a retry after a lost reply returns the same object and charges once', async () => {
    // Drawn in pairs: whether the call fails (0 is below any rate), then how (0.5 loses the reply).
    const on = await harness({
      fetch: (fetch) => withFaults(fetch, { rate: 0.5, random: numbers(0, 0.5, 0.9) }),
    });
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

test('Stripe fake: an amount below the smallest charge is refused', async () => {
  const { stripe } = await harness();
  const error = await refusal(stripe.paymentIntents.create({ amount: 49, currency: 'usd' }));
  expect(error).toMatchObject({ statusCode: 400, code: 'amount_too_small' });
});

test('Stripe fake: a confirmation by a server needs a return URL, or must disallow redirects', async () => {
  const { stripe } = await harness();
  const create = (more: object) =>
    stripe.paymentIntents.create({
      amount: 1799,
      currency: 'usd',
      payment_method: 'pm_card_visa',
      confirm: true,
      ...more,
    });
  expect((await refusal(create({}))).message).toContain('return_url');
  const ways = [
    { return_url: 'https://funnel.example' },
    { allowed_payment_method_types: ['card'] },
    { automatic_payment_methods: { enabled: true, allow_redirects: 'never' } },
  ];
  for (const way of ways) expect((await create(way)).status).toBe('succeeded');
});

describe('Stripe fake: payments', () => {
  test('approved: incomplete, then confirmed and active, with the method saved', async () => {
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
    const known = { payment_intent: intent, customer, subscription: subscription.id };
    const sums = { amount: 3000, refunded: 0, currency: 'usd', metadata: { attempt_id: 'a1' } };
    expect(fake.captures()).toEqual([{ ...known, ...sums }]);
    const again = await refusal(stripe.paymentIntents.confirm(intent));
    expect(again).toMatchObject({ statusCode: 400, code: 'payment_intent_unexpected_state' });
  });

  test('a saved method leaves the intent in requires_confirmation', async () => {
    const on = await harness();
    const { intent } = await subscribe(on, on.customer, { default_payment_method: on.method });
    expect((await on.stripe.paymentIntents.retrieve(intent)).status).toBe('requires_confirmation');
    expect((await on.stripe.paymentIntents.confirm(intent)).status).toBe('succeeded');
  });

  test.for([
    ['pm_card_visa_chargeDeclined', 'card_declined', 'generic_decline'],
    ['pm_card_visa_chargeDeclinedInsufficientFunds', 'card_declined', 'insufficient_funds'],
    ['pm_card_visa_chargeDeclinedLostCard', 'card_declined', 'lost_card'],
    ['pm_card_visa_chargeDeclinedStolenCard', 'card_declined', 'stolen_card'],
    ['pm_card_chargeDeclinedExpiredCard', 'expired_card', 'expired_card'],
    ['pm_card_chargeDeclinedIncorrectCvc', 'incorrect_cvc', 'incorrect_cvc'],
    ['pm_card_chargeDeclinedProcessingError', 'processing_error', 'processing_error'],
    ['pm_card_chargeDeclinedFraudulent', 'card_declined', 'fraudulent'],
    ['pm_card_chargeCustomerFail', 'card_declined', 'generic_decline'],
  ])('declined: %s', async ([card, code, decline_code]) => {
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
    // Then a working card pays it.
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

  test.for(['pm_card_authenticationRequired', 'pm_card_threeDSecure2Required'])(
    'challenged: %s, passed, active',
    async (card) => {
      const on = await harness();
      const { subscription, intent } = await subscribe(on, on.customer);
      const challenged = await on.stripe.paymentIntents.confirm(intent, { payment_method: card });
      expect(challenged.status).toBe('requires_action');
      expect(challenged.next_action?.type).toBe('use_stripe_sdk');
      expect((await on.stripe.subscriptions.retrieve(subscription.id)).status).toBe('incomplete');
      on.fake.challenge(intent, 'authenticated');
      expect((await on.stripe.paymentIntents.retrieve(intent)).status).toBe('succeeded');
      expect((await on.stripe.subscriptions.retrieve(subscription.id)).status).toBe('active');
    },
  );

  test('challenge failed: a new method is required', async () => {
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

  test('off session a card that is always challenged is refused', async () => {
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
        automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
        off_session: true,
      }),
    );
    expect(error).toMatchObject({ statusCode: 402, code: 'authentication_required' });
  });
});
