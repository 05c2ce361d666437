import { Stripe } from 'stripe';
import { describe, expect, test } from 'vitest';
import { faultsOfObject } from './declared-types.ts';
import { type Harness, harness, refusal, subscribe } from './harness.ts';

const day = 86_400_000;
const never = { enabled: true, allow_redirects: 'never' } as const;

/** A harness whose client's replies are kept. */
async function recorded() {
  const on = await harness();
  const replies: { object?: string }[] = [];
  const fetch = async (input: Request | string | URL, init?: RequestInit) => {
    const response = await on.fake.fetch(input, init);
    replies.push(await response.clone().json());
    return response;
  };
  const stripe = new Stripe('sk_test_contract', {
    httpClient: Stripe.createFetchHttpClient(fetch),
    telemetry: false,
  });
  return { ...on, stripe, replies };
}

async function paidSubscription(on: Harness, more: Partial<Stripe.SubscriptionCreateParams> = {}) {
  const made = await subscribe(on, on.customer, more);
  await on.stripe.paymentIntents.confirm(made.intent, { payment_method: 'pm_card_visa' });
  return made;
}

const pay = (on: Harness, card: string, more: Partial<Stripe.PaymentIntentCreateParams> = {}) =>
  on.stripe.paymentIntents.create({
    ...{ amount: 1799, currency: 'usd', payment_method: card, confirm: true },
    automatic_payment_methods: never,
    ...more,
  });

/** Calls by whose replies and events each kind of object is seen in its states. */
const scenarios: Record<string, (on: Harness) => Promise<unknown>> = {
  async 'customers and payment methods'({ stripe, customer, method }) {
    await stripe.customers.retrieve(customer);
    await stripe.paymentMethods.retrieve(method);
    await stripe.paymentMethods.create({ type: 'paypal' });
  },
  async 'products, prices, coupons, trial offers'({ stripe, product, price }) {
    await stripe.products.update(product, { name: 'Other' });
    await stripe.prices.retrieve(price);
    await stripe.prices.create({ currency: 'usd', product, unit_amount: 100 });
    await stripe.coupons.create({ percent_off: 10, duration: 'forever' });
    await stripe.productCatalog.trialOffers.create({
      price,
      duration: { type: 'relative', relative: { iterations: 1 } },
      end_behavior: { transition: { price } },
    });
  },
  async 'a subscription with a coupon, its renewal and its end'(on) {
    const { stripe, clock } = on;
    const { id: coupon } = await stripe.coupons.create({ percent_off: 10, duration: 'once' });
    const { subscription, invoice } = await paidSubscription(on, { discounts: [{ coupon }] });
    await stripe.invoices.retrieve(String(invoice.id), { expand: ['payments'] });
    clock.advance(32 * day);
    await stripe.subscriptions.retrieve(subscription.id, {
      expand: ['latest_invoice.payments.data.payment.payment_intent', 'default_payment_method'],
    });
    await stripe.subscriptions.cancel(subscription.id);
  },
  async 'a paid intro and a trial offer'(on) {
    const { stripe, product, price, customer, method } = on;
    await paidSubscription(on, {
      trial_period_days: 7,
      add_invoice_items: [{ price_data: { currency: 'usd', product, unit_amount: 100 } }],
    });
    const offer = await stripe.productCatalog.trialOffers.create({
      price,
      duration: { type: 'relative', relative: { iterations: 1 } },
      end_behavior: { transition: { price } },
    });
    await stripe.subscriptions.create({
      ...{ customer, default_payment_method: method },
      items: [{ price, current_trial: { trial_offer: offer.id } }],
    });
  },
  async 'a schedule with phases and a pause'(on) {
    const { stripe, clock, price } = on;
    const { subscription } = await paidSubscription(on);
    const { id, phases } = await stripe.subscriptionSchedules.create({
      from_subscription: subscription.id,
    });
    await stripe.subscriptionSchedules.update(id, {
      phases: [
        {
          items: [{ price }],
          start_date: phases[0]?.start_date ?? 0,
          end_date: phases[0]?.end_date ?? 0,
        },
        { items: [{ price }], duration: { interval: 'month', interval_count: 1 } },
      ],
    });
    await stripe.subscriptionSchedules.release(id);
    const now = Math.floor(clock.now() / 1000);
    await stripe.subscriptionSchedules.create({
      from_subscription: subscription.id,
      pause_schedules: [
        {
          pause: {
            pause_at: { type: 'timestamp', timestamp: now + 86_400 },
            settings: { bill_for: { unused_time_from: { type: 'none' } } },
          },
          resume: { resume_at: { type: 'timestamp', timestamp: now + 5 * 86_400 } },
        },
      ],
    } as unknown as Stripe.SubscriptionScheduleCreateParams);
  },
  async 'a change of the plan: previewed, paid and declined'(on) {
    const { stripe, product, customer } = on;
    const { subscription } = await paidSubscription(on);
    const price_data = {
      ...{ currency: 'usd', product, unit_amount: 6000 },
      recurring: { interval: 'month' as const, interval_count: 3 },
    };
    const items = [{ id: subscription.items.data[0]?.id ?? '', price_data }];
    await stripe.invoices.createPreview({
      subscription: subscription.id,
      subscription_details: { items, proration_behavior: 'always_invoice' },
    });
    const change = () =>
      stripe.subscriptions.update(subscription.id, {
        items,
        proration_behavior: 'always_invoice',
        payment_behavior: 'pending_if_incomplete',
      });
    const { id } = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer });
    await stripe.subscriptions.update(subscription.id, { default_payment_method: id });
    await change();
    await stripe.subscriptions.update(subscription.id, { default_payment_method: on.method });
    await change();
  },
  async 'approved, declined and challenged payments'(on) {
    const { stripe } = on;
    const { id } = await pay(on, 'pm_card_visa');
    await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge.refunds'] });
    await stripe.paymentIntents.create({ amount: 1799, currency: 'usd' });
    await refusal(pay(on, 'pm_card_visa_chargeDeclined'));
    const { id: asked } = await pay(on, 'pm_card_authenticationRequired');
    on.fake.challenge(asked, 'failed');
    await stripe.paymentIntents.cancel(asked, { cancellation_reason: 'abandoned' });
    await stripe.charges.list();
  },
  async 'a debit'({ stripe, customer }) {
    const method = await stripe.paymentMethods.create({
      type: 'sepa_debit',
      sepa_debit: { iban: 'AT611904300234573201' },
      billing_details: { name: 'A', email: 'a@example.com' },
    });
    const { id: intent } = await stripe.paymentIntents.create({
      ...{ amount: 1799, currency: 'eur', customer, payment_method: method.id },
      allowed_payment_method_types: ['sepa_debit'],
    });
    await stripe.paymentIntents.confirm(intent, {
      mandate_data: { customer_acceptance: { type: 'offline' } },
    });
    await stripe.paymentIntents.retrieve(intent, { expand: ['latest_charge'] });
  },
  async 'setups of cards, succeeded, asked and declined'({ stripe, customer }) {
    for (const card of ['pm_card_visa', 'pm_card_authenticationRequired', 'pm_card_chargeDeclined'])
      await stripe.setupIntents
        .create({ customer, payment_method: card, confirm: true, automatic_payment_methods: never })
        .catch(() => null);
  },
  async 'refunds, disputes and warnings'(on) {
    const { stripe, fake, clock } = on;
    const { id: intent } = await pay(on, 'pm_card_visa');
    const refund = await stripe.refunds.create({ payment_intent: intent, amount: 100 });
    fake.failRefund(refund.id);
    await stripe.refunds.list();
    fake.warnOfFraud(intent);
    const dispute = fake.dispute(intent);
    await stripe.disputes.update(dispute, { evidence: { uncategorized_text: 'x' } });
    await stripe.disputes.list();
    await stripe.radar.earlyFraudWarnings.list();
    await stripe.balanceTransactions.list({ expand: ['data.source'] });
    clock.advance(5 * day);
    await stripe.payouts.list();
    await stripe.events.list();
  },
  async tax(on) {
    const { stripe, product, customer, method } = on;
    await stripe.tax.settings.retrieve();
    await stripe.tax.calculations.create({
      currency: 'usd',
      customer_details: { ip_address: '203.0.113.5', address_source: 'billing' },
      line_items: [{ amount: 100, reference: 'a' }],
    } as Stripe.Tax.CalculationCreateParams);
    await stripe.customers.update(customer, { tax: { ip_address: '203.0.113.5' } });
    const price = await stripe.prices.create({
      ...{ currency: 'usd', product, unit_amount: 100, tax_behavior: 'inclusive' },
      recurring: { interval: 'month' },
    });
    await stripe.subscriptions.create({
      ...{ customer, default_payment_method: method, items: [{ price: price.id }] },
      automatic_tax: { enabled: true },
      expand: ['latest_invoice'],
    });
  },
  async 'settings of the account'({ stripe }) {
    await stripe.webhookEndpoints.create({ url: 'https://a.example', enabled_events: ['*'] });
    await stripe.webhookEndpoints.list();
    const { id } = await stripe.paymentMethodDomains.create({ domain_name: 'a.example' });
    await stripe.paymentMethodDomains.validate(id);
    const { data } = await stripe.paymentMethodConfigurations.list();
    await stripe.paymentMethodConfigurations.update(data[0]?.id ?? '', {
      link: { display_preference: { preference: 'on' } },
    });
  },
};

/** The objects of a reply: itself, the items of a list, or those inside an error. */
function objectsOf(reply: object): { object: string }[] {
  if ('data' in reply && Array.isArray(reply.data)) return reply.data;
  if ('error' in reply) {
    const { payment_intent, payment_method } = reply.error as Record<string, { object: string }>;
    return [payment_intent, payment_method].filter((one) => one !== undefined);
  }
  return [reply as { object: string }];
}

const seen = new Set<string>();

describe('Stripe fake: required fields', () => {
  test.for(Object.entries(scenarios))('%s', async ([, act]) => {
    const on = await recorded();
    await act(on);
    const told = Object.values(on.fake.state.events).map(({ data }) => data.object);
    const objects = [...on.replies.flatMap(objectsOf), ...(told as { object: string }[])];
    for (const { object } of objects) seen.add(object);
    const faults = objects.flatMap((one) => faultsOfObject({ ...one }));
    expect([...new Set(faults)].sort()).toEqual([]);
  });

  test('every kind of object that the fake returns was checked', () => {
    const kinds =
      'balance_transaction charge coupon customer discount dispute event invoice payment_intent ' +
      'payment_method payment_method_configuration payment_method_domain payout price product ' +
      'product_catalog.trial_offer radar.early_fraud_warning refund setup_intent subscription ' +
      'subscription_schedule tax.calculation tax.settings webhook_endpoint';
    expect([...seen].sort()).toEqual(kinds.split(' '));
  });
});
