import { Stripe } from 'stripe';
import { describe, expect, test } from 'vitest';
import { harness, refusal, subscribe } from './harness.ts';

describe('Stripe fake: payments', () => {
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
        automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
        off_session: true,
      }),
    );
    expect(error).toMatchObject({ statusCode: 402, code: 'authentication_required' });
  });
});
