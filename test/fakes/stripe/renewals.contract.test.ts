import { describe, expect, test } from 'vitest';
import { builtInCatalog } from '../../../worker/catalog/rules/catalog.ts';
import { buyPlan, type Harness, harness, refusal } from './harness.ts';

const hour = 3_600_000;
const day = 24 * hour;
const monthly = builtInCatalog.planOf('monthly', 'USD');
const start = Date.UTC(2026, 0, 15);
const renewal = Date.UTC(2026, 1, 15);

/** A paid subscription, and a way to make its card fail later. */
async function subscribe(plan = monthly) {
  const on = await harness({ start });
  const { subscription, method } = await buyPlan(on, plan);
  const id = subscription ?? '';
  const replaceCard = (card: string) => {
    on.fake.state.cards[method] = card;
  };
  return {
    ...on,
    id,
    replaceCard,
    status: async () => (await on.stripe.subscriptions.retrieve(id)).status,
  };
}

/** The types of all events since the renewal was due, oldest first. */
const since = ({ fake }: Pick<Harness, 'fake'>, from: number) =>
  Object.values(fake.state.events)
    .filter(({ created }) => created * 1000 >= from)
    .map(({ type, created, request }) => {
      expect(request?.id).toBeNull();
      return `${(created * 1000 - from) / hour} ${type}`;
    });

const latest = async ({ stripe, id }: { stripe: Harness['stripe']; id: string }) =>
  (await stripe.invoices.list({ subscription: id, limit: 1 })).data[0];

describe('Stripe fake: a renewal', () => {
  test('is a draft for an hour, then charged, each at its own time', async () => {
    const on = await subscribe();
    on.clock.until(renewal + hour / 2);
    expect(await latest(on)).toMatchObject({
      status: 'draft',
      billing_reason: 'subscription_cycle',
      amount_due: 3999,
      period_start: start / 1000,
      period_end: renewal / 1000,
      lines: { data: [{ period: { start: renewal / 1000, end: Date.UTC(2026, 2, 15) / 1000 } }] },
    });
    expect(await on.status()).toBe('active');
    const draft = (await latest(on))?.id;
    on.clock.until(renewal + 2 * hour);
    expect(await latest(on)).toMatchObject({ id: draft, status: 'paid', amount_paid: 3999 });
    expect(on.fake.captures().map(({ amount }) => amount)).toEqual([3999, 3999]);
    expect(since(on, renewal)).toEqual([
      '0 invoice.created',
      '0 customer.subscription.updated',
      '1 invoice.finalized',
      '1 payment_intent.created',
      '1 charge.succeeded',
      '1 payment_intent.succeeded',
      '1 invoice.paid',
      '1 invoice.payment_succeeded',
      '1 customer.subscription.updated',
    ]);
  });

  test('ends a trial: active at once, at the full price, from the trial’s end', async () => {
    const intro = builtInCatalog.planOf('monthly_7d', 'EUR');
    const on = await subscribe(intro);
    expect(await on.status()).toBe('trialing');
    on.clock.until(start + 7 * day + 2 * hour);
    expect(await on.status()).toBe('active');
    expect(on.fake.captures().map(({ amount }) => amount)).toEqual([intro.today, intro.price]);
    const { items } = await on.stripe.subscriptions.retrieve(on.id);
    expect(items.data[0]?.current_period_end).toBe(Date.UTC(2026, 1, 22) / 1000);
  });

  test('follows a trial offer at the offer’s later price', async () => {
    const on = await harness({ start });
    const { stripe, customer, product, price } = on;
    const week = await stripe.prices.create({
      currency: 'usd',
      product,
      recurring: { interval: 'week' },
      unit_amount: 699,
    });
    const offer = await stripe.productCatalog.trialOffers.create({
      price: week.id,
      duration: { type: 'relative', relative: { iterations: 1 } },
      end_behavior: { transition: { price } },
    });
    const { status, items } = await stripe.subscriptions.create({
      customer,
      items: [{ price, current_trial: { trial_offer: offer.id } }],
      default_payment_method: on.method,
    });
    expect([status, items.data[0]?.current_trial?.trial_offer]).toEqual(['active', offer.id]);
    on.clock.until(start + 7 * day + 2 * hour + 32 * day);
    expect(on.fake.captures().map(({ amount }) => amount)).toEqual([699, 3000, 3000]);
  });
});

describe('Stripe fake: a failed renewal', () => {
  test('is past due, retried 8 times in 14 days, then the subscription is canceled', async () => {
    const on = await subscribe();
    on.replaceCard('pm_card_chargeCustomerFail');
    on.clock.until(renewal + 2 * hour);
    expect(await on.status()).toBe('past_due');
    expect(await latest(on)).toMatchObject({ attempt_count: 1, status: 'open' });
    on.clock.until(renewal + 14 * day);
    expect(await on.status()).toBe('past_due');
    on.clock.until(renewal + 14 * day + 2 * hour);
    const ended = await on.stripe.subscriptions.retrieve(on.id);
    expect(ended).toMatchObject({
      status: 'canceled',
      cancellation_details: { reason: 'payment_failed' },
    });
    const invoice = await latest(on);
    expect(invoice).toMatchObject({ attempt_count: 9, status: 'open', auto_advance: false });
    const charges = await on.stripe.charges.list({ customer: on.customer, limit: 100 });
    expect(charges.data.map(({ status }) => status)).toEqual([
      ...Array(9).fill('failed'),
      'succeeded',
    ]);
    const failures = since(on, renewal).filter((line) => line.endsWith('invoice.payment_failed'));
    expect(failures).toHaveLength(9);
    expect(since(on, renewal).at(-1)).toBe('337 customer.subscription.deleted');
    on.clock.until(renewal + 90 * day);
    expect(on.fake.captures()).toHaveLength(1);
  });

  test('is paid by a retry once the card works again', async () => {
    const on = await subscribe();
    on.replaceCard('pm_card_chargeCustomerFail');
    on.clock.until(renewal + 2 * hour);
    on.replaceCard('pm_card_visa');
    on.clock.until(renewal + day + 2 * hour);
    expect(await on.status()).toBe('active');
    expect(await latest(on)).toMatchObject({ attempt_count: 2, status: 'paid' });
  });

  test.for(['pm_card_visa_chargeDeclinedLostCard', 'pm_card_authenticationRequired'])(
    'for good (%s) is charged once, counted on, and retried with another card',
    async (card) => {
      const on = await subscribe();
      on.replaceCard(card);
      on.clock.until(renewal + 5 * day);
      const tried = async () =>
        (await on.stripe.charges.list({ customer: on.customer, limit: 100 })).data.length;
      expect(await tried()).toBe(2);
      expect((await latest(on))?.attempt_count).toBeGreaterThan(3);
      await on.stripe.subscriptions.update(on.id, { default_payment_method: on.method });
      on.clock.until(renewal + 8 * day);
      expect(await on.status()).toBe('active');
      expect(on.fake.captures()).toHaveLength(2);
    },
  );

  test('can be paid by the customer with another card', async () => {
    const on = await subscribe();
    on.replaceCard('pm_card_chargeCustomerFail');
    on.clock.until(renewal + 2 * hour);
    const { data } = await on.stripe.paymentIntents.list({ customer: on.customer, limit: 1 });
    await on.stripe.paymentIntents.confirm(data[0]?.id ?? '', { payment_method: 'pm_card_amex' });
    expect(await on.status()).toBe('active');
  });

  test('leaves nothing due once its invoice is void', async () => {
    const on = await subscribe();
    on.replaceCard('pm_card_chargeCustomerFail');
    on.clock.until(renewal + 2 * hour);
    await on.stripe.invoices.voidInvoice((await latest(on))?.id ?? '');
    expect(await on.status()).toBe('active');
    on.clock.until(renewal + 20 * day);
    expect(on.fake.captures()).toHaveLength(1);
  });
});

describe('Stripe fake: the end of a subscription', () => {
  test('at the period’s end: active until then, nothing charged after it', async () => {
    const on = await subscribe();
    const renewing = await on.stripe.subscriptions.update(on.id, { cancel_at_period_end: true });
    expect(renewing).toMatchObject({ status: 'active', cancel_at: renewal / 1000 });
    on.clock.until(renewal - hour);
    expect(await on.status()).toBe('active');
    on.clock.until(renewal + 40 * day);
    const ended = await on.stripe.subscriptions.retrieve(on.id);
    expect(ended).toMatchObject({ status: 'canceled', ended_at: renewal / 1000 });
    expect(ended.canceled_at).toBe(start / 1000);
    expect(since(on, renewal)).toEqual(['0 customer.subscription.deleted']);
    expect(on.fake.captures()).toHaveLength(1);
  });

  test('cancelled and resumed before the period’s end: it renews', async () => {
    const on = await subscribe();
    await on.stripe.subscriptions.update(on.id, { cancel_at_period_end: true });
    await on.stripe.subscriptions.update(on.id, { cancel_at_period_end: false });
    on.clock.until(renewal + 2 * hour);
    expect(on.fake.captures()).toHaveLength(2);
  });

  test('at once: the unpaid renewal stays open and is not retried', async () => {
    const on = await subscribe();
    on.replaceCard('pm_card_chargeCustomerFail');
    on.clock.until(renewal + 2 * hour);
    await on.stripe.subscriptions.cancel(on.id);
    on.replaceCard('pm_card_visa');
    on.clock.until(renewal + 40 * day);
    expect(await latest(on)).toMatchObject({ status: 'open', auto_advance: false });
    expect(on.fake.captures()).toHaveLength(1);
  });

  test('a draft that does not advance is never charged', async () => {
    const on = await subscribe();
    on.clock.until(renewal + hour / 2);
    const draft = (await latest(on))?.id ?? '';
    const kept = await refusal(on.stripe.invoices.voidInvoice(draft));
    expect(kept.statusCode).toBe(400);
    await on.stripe.invoices.update(draft, { auto_advance: false });
    on.clock.until(renewal + 2 * hour);
    expect(await latest(on)).toMatchObject({ id: draft, status: 'draft' });
  });
});

test('Stripe fake: with the setting `unpaid` a subscription stays after its retries', async () => {
  const on = await harness({ start, afterRetries: 'unpaid' });
  const { subscription, method } = await buyPlan(on, monthly);
  on.fake.state.cards[method] = 'pm_card_chargeCustomerFail';
  on.clock.until(renewal + 60 * day);
  expect((await on.stripe.subscriptions.retrieve(subscription ?? '')).status).toBe('unpaid');
  expect(on.fake.captures()).toHaveLength(1);
});
