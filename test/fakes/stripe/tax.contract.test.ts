import type { Stripe } from 'stripe';
import { expect, test } from 'vitest';
import { type Harness, harness, refusal } from './harness.ts';

const germanIp = '203.0.113.7';
const unknownIp = '192.0.2.1';

/** A subscription with tax, unpaid, and its first invoice. */
async function subscribeTaxed(
  { stripe, customer, method, product }: Harness,
  behavior: Stripe.PriceCreateParams.TaxBehavior = 'inclusive',
) {
  const recurring = { interval: 'month' } as const;
  const price_data = {
    currency: 'eur',
    product,
    unit_amount: 3999,
    tax_behavior: behavior,
    recurring,
  };
  const subscription = await stripe.subscriptions.create({
    customer,
    items: [{ price_data }],
    automatic_tax: { enabled: true },
    default_payment_method: method,
    payment_behavior: 'default_incomplete',
    expand: ['latest_invoice.payments'],
  });
  return { subscription, invoice: subscription.latest_invoice as Stripe.Invoice };
}

test('Stripe Tax fake: an IP address determines the place, and the tax is included in the invoice’s total', async () => {
  const on = await harness();
  await on.stripe.customers.update(on.customer, { tax: { ip_address: germanIp } });
  const { subscription, invoice } = await subscribeTaxed(on);
  expect(subscription.automatic_tax).toMatchObject({ enabled: true, disabled_reason: null });
  expect(invoice).toMatchObject({ total: 3999, amount_due: 3999, total_excluding_tax: 3361 });
  expect(invoice.automatic_tax).toMatchObject({ enabled: true, status: 'complete' });
  expect(invoice.total_taxes).toMatchObject([
    { amount: 638, tax_behavior: 'inclusive', taxable_amount: 3361 },
  ]);
});

test('Stripe Tax fake: an unrecognized place refuses a subscription, but not an update', async () => {
  const on = await harness();
  const at = (validate_location: 'deferred' | 'immediately') =>
    on.stripe.customers.update(on.customer, { tax: { ip_address: unknownIp, validate_location } });
  await at('deferred');
  const { statusCode, code } = await refusal(subscribeTaxed(on));
  expect([statusCode, code]).toEqual([400, 'customer_tax_location_invalid']);
  expect((await refusal(at('immediately'))).code).toBe('customer_tax_location_invalid');
});

test('Stripe Tax fake: a price without a tax behavior is refused, and a behavior cannot change', async () => {
  const on = await harness();
  await on.stripe.customers.update(on.customer, { tax: { ip_address: germanIp } });
  expect((await refusal(subscribeTaxed(on, 'unspecified'))).param).toBe('automatic_tax[enabled]');
  const { tax_behavior } = await on.stripe.prices.update(on.price, { tax_behavior: 'inclusive' });
  expect(tax_behavior).toBe('inclusive');
  const changed = on.stripe.prices.update(on.price, { tax_behavior: 'exclusive' });
  expect((await refusal(changed)).param).toBe('tax_behavior');
});

test('Stripe Tax fake: a renewal without a recognized place is finalized without tax, and so are later ones', async () => {
  const start = Date.UTC(2026, 0, 15);
  const on = await harness({ start });
  await on.stripe.customers.update(on.customer, { tax: { ip_address: germanIp } });
  const { subscription, invoice } = await subscribeTaxed(on);
  await on.stripe.paymentIntents.confirm(String(invoice.payments?.data[0]?.payment.payment_intent));
  on.fake.state.customer_ips = {};
  on.clock.until(Date.UTC(2026, 1, 16));
  const { data } = await on.stripe.invoices.list({ subscription: subscription.id });
  const renewal = data.find(({ billing_reason }) => billing_reason === 'subscription_cycle');
  expect(renewal).toMatchObject({ status: 'paid', amount_paid: 3999, total_taxes: [] });
  expect(renewal?.automatic_tax).toMatchObject({
    enabled: false,
    disabled_reason: 'finalization_requires_location_inputs',
  });
  const { automatic_tax } = await on.stripe.subscriptions.retrieve(subscription.id);
  expect(automatic_tax).toMatchObject({
    enabled: false,
    disabled_reason: 'requires_location_inputs',
  });
});

test('Stripe Tax fake: a single payment refers to an existing calculation', async () => {
  const { stripe, customer, method } = await harness();
  const { id, amount_total, tax_amount_inclusive } = await stripe.tax.calculations.create({
    currency: 'jpy',
    line_items: [{ amount: 4980, reference: 'guide', tax_behavior: 'inclusive' }],
    customer_details: { ip_address: '198.51.100.9' },
  });
  expect([amount_total, tax_amount_inclusive]).toEqual([4980, 453]);
  const pay = (calculation: string) =>
    stripe.paymentIntents.create({
      amount: 4980,
      currency: 'jpy',
      customer,
      payment_method: method,
      hooks: { inputs: { tax: { calculation } } },
    });
  expect((await pay(id ?? '')).hooks?.inputs?.tax?.calculation).toBe(id);
  expect((await refusal(pay('taxcalc_none'))).code).toBe('resource_missing');
});
