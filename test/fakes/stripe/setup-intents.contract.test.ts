import { Stripe } from 'stripe';
import { expect, test } from 'vitest';
import { harness } from './harness.ts';

const setup = {
  usage: 'off_session',
  confirm: true,
  automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
} as const;

test('Stripe fake: a setup intent saves a card with the customer, once per key', async () => {
  const on = await harness();
  const { customer } = on;
  const create = () =>
    on.stripe.setupIntents.create(
      { ...setup, customer, payment_method: 'pm_card_mastercard' },
      { idempotencyKey: 'one' },
    );
  const [created, again] = [await create(), await create()];
  expect(created).toMatchObject({ status: 'succeeded', customer });
  expect(again.id).toBe(created.id);
  const method = await on.stripe.paymentMethods.retrieve(String(created.payment_method));
  expect(method).toMatchObject({ customer, card: { brand: 'mastercard', last4: '4444' } });
});

test('Stripe fake: a card declined by a setup intent is a card error, and is not saved', async () => {
  const on = await harness();
  const { customer } = on;
  const creation = on.stripe.setupIntents.create({
    ...setup,
    customer,
    payment_method: 'pm_card_chargeDeclined',
  });
  await expect(creation).rejects.toBeInstanceOf(Stripe.errors.StripeCardError);
  await expect(creation).rejects.toMatchObject({ code: 'card_declined' });
  const [intent] = Object.values(on.fake.state.setup_intents);
  expect(intent).toMatchObject({ status: 'requires_payment_method', payment_method: null });
});

test.each([
  ['authenticated', 'succeeded', null],
  ['failed', 'requires_payment_method', { code: 'setup_intent_authentication_failure' }],
] as const)(
  'Stripe fake: a setup intent is challenged, and the payer %s',
  async (outcome, status, error) => {
    const on = await harness();
    const payment_method = 'pm_card_authenticationRequiredOnSetup';
    const created = await on.stripe.setupIntents.create({
      ...setup,
      customer: on.customer,
      payment_method,
    });
    expect(created).toMatchObject({ status: 'requires_action', client_secret: expect.any(String) });
    on.fake.challenge(created.id, outcome);
    const now = await on.stripe.setupIntents.retrieve(created.id);
    expect(now.status).toBe(status);
    if (error) expect(now.last_setup_error).toMatchObject(error);
  },
);

/** A subscription whose first renewal failed. */
async function pastDue() {
  const on = await harness();
  const { fake, stripe, customer, price, method, clock } = on;
  const subscription = await stripe.subscriptions.create({
    customer,
    items: [{ price }],
    default_payment_method: method,
  });
  fake.state.cards[method] = 'pm_card_chargeCustomerFail';
  clock.until(clock.now() + 33 * 86_400_000);
  const open = { subscription: subscription.id, status: 'open' } as const;
  const [invoice] = (await stripe.invoices.list(open)).data;
  if (!invoice) throw new Error('no open invoice');
  return { ...on, subscription, invoice };
}

test('Stripe fake: an invoice is paid outside the schedule with another card, and once', async () => {
  const { fake, stripe, customer, subscription, invoice } = await pastDue();
  expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('past_due');
  const { id: payment_method } = await stripe.paymentMethods.attach('pm_card_mastercard', {
    customer,
  });
  const paid = await stripe.invoices.pay(invoice.id, { payment_method });
  expect(paid).toMatchObject({ status: 'paid', amount_remaining: 0 });
  expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('active');
  await expect(stripe.invoices.pay(invoice.id, { payment_method })).rejects.toMatchObject({
    type: 'StripeInvalidRequestError',
    message: 'Invoice is already paid',
  });
  expect(fake.captures()).toHaveLength(2);
});

test('Stripe fake: an invoice that needs the payer is refused off session, and challenged on session', async () => {
  const { fake, stripe, customer, invoice } = await pastDue();
  const { id: payment_method } = await stripe.paymentMethods.attach(
    'pm_card_authenticationRequired',
    { customer },
  );
  const pay = (off_session: boolean) =>
    stripe.invoices.pay(invoice.id, { payment_method, off_session });
  await expect(pay(true)).rejects.toMatchObject({ code: 'authentication_required' });
  await expect(pay(false)).rejects.toMatchObject({
    code: 'invoice_payment_intent_requires_action',
  });
  const { payments } = await stripe.invoices.retrieve(invoice.id, { expand: ['payments'] });
  const intent = String(payments?.data[0]?.payment.payment_intent);
  fake.challenge(intent, 'authenticated');
  expect((await stripe.invoices.retrieve(invoice.id)).status).toBe('paid');
});
