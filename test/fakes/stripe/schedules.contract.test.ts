import { expect, test } from 'vitest';
import { builtInCatalog } from '../../../worker/catalog/rules/catalog.ts';
import { buyPlan, harness, refusal } from './harness.ts';

const day = 86_400_000;
const start = Date.UTC(2026, 0, 15);

/** A paid monthly subscription, and a quarterly price to change to. */
async function subscribe() {
  const on = await harness({ start });
  const { subscription } = await buyPlan(on, builtInCatalog.planOf('monthly', 'USD'));
  const id = subscription ?? '';
  const { items } = await on.stripe.subscriptions.retrieve(id);
  const recurring = { interval: 'month', interval_count: 3 } as const;
  const price_data = { currency: 'usd', product: on.product, unit_amount: 5999, recurring };
  return { ...on, id, item: items.data[0]?.id ?? '', price_data };
}

test('Stripe fake: a preview stores nothing, and the same proration date charges the same amount', async () => {
  const { stripe, fake, clock, id, item, price_data } = await subscribe();
  clock.until(start + 10 * day);
  const prorated = {
    items: [{ id: item, price_data }],
    proration_behavior: 'always_invoice' as const,
    proration_date: Math.floor(clock.now() / 1000),
  };
  const { amount_due } = await stripe.invoices.createPreview({
    subscription: id,
    subscription_details: prorated,
  });
  expect([amount_due, fake.captures().length]).toEqual([5999 - 2709, 1]);
  clock.advance(60_000);
  await stripe.subscriptions.update(id, { ...prorated, payment_behavior: 'pending_if_incomplete' });
  expect(fake.captures().map(({ amount }) => amount)).toEqual([3999, amount_due]);
});

test('Stripe fake: a paused subscription is not billed, and a new period begins when the pause ends', async () => {
  const { stripe, fake, clock, id } = await subscribe();
  const at = (ms: number) => ({ type: 'timestamp', timestamp: ms / 1000 }) as const;
  const end = Date.UTC(2026, 3, 20);
  const settings = { bill_for: { unused_time_from: { type: 'none' } } } as const;
  await stripe.subscriptionSchedules.create({
    from_subscription: id,
    pause_schedules: [
      {
        pause: { pause_at: at(Date.UTC(2026, 1, 14)), settings },
        resume: { resume_at: at(end) },
      },
    ],
  });
  const ends = stripe.subscriptions.update(id, { cancel_at_period_end: true });
  expect((await refusal(ends)).message).toContain('managed by the subscription schedule');
  clock.until(end - day);
  expect((await stripe.subscriptions.retrieve(id)).status).toBe('paused');
  expect(fake.captures()).toHaveLength(1);
  clock.until(end + day);
  const { status, items } = await stripe.subscriptions.retrieve(id);
  expect([status, items.data[0]?.current_period_start]).toEqual(['active', end / 1000]);
  expect(fake.captures().map(({ amount }) => amount)).toEqual([3999, 3999]);
});
