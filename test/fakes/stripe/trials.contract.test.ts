import { describe, expect, test } from 'vitest';
import { planOf } from '../../../worker/catalog/plans.ts';
import { buyPlan, harness, refusal, subscribe } from './harness.ts';

describe('Stripe fake: trials', () => {
  const fee = (product: string) => ({
    add_invoice_items: [{ price_data: { currency: 'usd', product, unit_amount: 100 } }],
    trial_period_days: 7,
  });

  test.each(['incomplete', 'trialing'] as const)(
    'paid introduction: unpaid it reads %s, paid it is trialing',
    async (unpaidTrialStatus) => {
      const on = await harness({ unpaidTrialStatus });
      const { subscription, invoice, intent } = await subscribe(on, on.customer, fee(on.product));
      expect(subscription.status).toBe(unpaidTrialStatus);
      expect(invoice).toMatchObject({ amount_due: 100, status: 'open' });
      await on.stripe.paymentIntents.confirm(intent, { payment_method: 'pm_card_visa' });
      const after = await on.stripe.subscriptions.retrieve(subscription.id);
      expect(after.status).toBe('trialing');
      expect((after.trial_end ?? 0) - (after.trial_start ?? 0)).toBe(7 * 86_400);
      expect(on.fake.captures()).toMatchObject([{ amount: 100 }]);
    },
  );

  test('a trial without a first payment is not implemented', async () => {
    const { stripe, customer, price } = await harness();
    const free = { customer, items: [{ price }], trial_period_days: 3 };
    const error = await refusal(stripe.subscriptions.create(free));
    expect(error.message).toContain('does not implement');
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

test('Stripe fake: after a renewal the latest invoice is the renewal’s', async () => {
  const start = Date.UTC(2026, 0, 15);
  const on = await harness({ start });
  const { subscription } = await buyPlan(on, planOf('monthly_7d', 'USD'));
  const latest = async () =>
    (await on.stripe.subscriptions.retrieve(subscription ?? '')).latest_invoice;
  const first = await latest();
  on.clock.until(start + 8 * 24 * 3_600_000);
  expect(await latest()).not.toBe(first);
});
