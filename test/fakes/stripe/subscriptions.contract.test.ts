import type { Stripe } from 'stripe';
import { describe, expect, test } from 'vitest';
import { builtInCatalog } from '../../../worker/catalog/rules/catalog.ts';
import { buyPlan, harness, refusal, subscribe } from './harness.ts';

const day = 86_400_000;
const anchors = ['2027-01-28', '2027-01-29', '2027-01-30', '2027-01-31', '2028-02-29'];
const noon = (date: string) => Date.parse(`${date}T12:00:00Z`);

/** Buys so that the first renewal is anchored on a day, and runs until 13 months after it. */
async function runYear(family: Parameters<typeof builtInCatalog.planOf>[0], anchor: string) {
  const plan = builtInCatalog.planOf(family, 'USD');
  const on = await harness({ start: noon(anchor) - plan.introDays * day });
  const { subscription } = await buyPlan(on, plan);
  const end = new Date(noon(anchor));
  on.clock.until(Date.UTC(end.getUTCFullYear() + 1, end.getUTCMonth() + 1, 1, 14) + 30 * day);
  const { data } = await on.stripe.invoices.list({ subscription: subscription ?? '', limit: 100 });
  const sums = data.map(({ amount_paid }) => amount_paid).reverse();
  const dates = data.map(({ created }) => new Date(created * 1000).toISOString());
  return { dates: dates.reverse(), sums };
}

/** The day of an anchor some months later, computed with the calendar. */
function expected(anchor: string, months: number): string {
  const [year = 0, month = 0, date = 0] = anchor.split('-').map(Number);
  const right = new Date(Date.UTC(year, month - 1 + months, date, 12));
  const wanted = (((month - 1 + months) % 12) + 12) % 12;
  while (right.getUTCMonth() !== wanted) right.setUTCDate(right.getUTCDate() - 1);
  return right.toISOString();
}

describe.for(anchors)('Stripe fake: anchored on %s', (anchor) => {
  test.for([
    ['monthly', 1],
    ['monthly_7d', 1],
    ['monthly_5d', 1],
    ['monthly_3d', 1],
    ['quarterly', 3],
  ] as const)(
    '%s renews on that day, or on the last day of a shorter month',
    async ([family, step]) => {
      const { price, today, introDays } = builtInCatalog.planOf(family, 'USD');
      const { dates, sums } = await runYear(family, anchor);
      const times = Math.floor(13 / step) + 1;
      const renewals = introDays > 0 ? dates.slice(1) : dates;
      expect(renewals.slice(0, times)).toEqual(
        Array.from({ length: times }, (_, i) => expected(anchor, i * step)),
      );
      expect(sums).toEqual(dates.map((_, i) => (i === 0 ? today : price)));
    },
  );
});

describe('Stripe fake: trials', () => {
  const fee = (product: string) => ({
    add_invoice_items: [{ price_data: { currency: 'usd', product, unit_amount: 100 } }],
    trial_period_days: 7,
  });

  test.for(['incomplete', 'trialing'] as const)(
    'a paid introduction is %s while unpaid, and trialing once paid',
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

  test.for([
    ['create_invoice', 'active'],
    ['pause', 'paused'],
    ['cancel', 'canceled'],
  ] as const)(
    'a free trial is announced 3 days before its end, and without a method ends by %s',
    async ([missing_payment_method, after]) => {
      const on = await harness();
      const { customer, price, clock, fake } = on;
      const { id, status } = await on.stripe.subscriptions.create({
        ...{ customer, items: [{ price }], trial_period_days: 7 },
        trial_settings: { end_behavior: { missing_payment_method } },
      });
      expect(status).toBe('trialing');
      const started = clock.now();
      const announced = () =>
        Object.values(fake.state.events).filter(({ type }) => type.endsWith('trial_will_end'))
          .length;
      const day = 86_400_000;
      clock.until(started + 4 * day - 1000);
      expect(announced()).toBe(0);
      clock.until(started + 7 * day);
      expect(announced()).toBe(1);
      expect((await on.stripe.subscriptions.retrieve(id)).status).toBe(after);
      expect(fake.captures()).toEqual([]);
    },
  );

  test('a free trial with a method is charged after its end', async () => {
    const on = await harness();
    const { customer, price, clock, fake } = on;
    await on.stripe.subscriptions.create({
      ...{ customer, items: [{ price }], trial_period_days: 7 },
      default_payment_method: on.method,
    });
    clock.until(clock.now() + 7 * 86_400_000 + 2 * 3_600_000);
    expect(fake.captures()).toMatchObject([{ amount: 3000 }]);
  });
});

async function subscribeWith(coupon: Stripe.CouponCreateParams, family: 'monthly' | 'monthly_7d') {
  const on = await harness();
  const { id } = await on.stripe.coupons.create({ duration: 'once', ...coupon });
  const { subscription } = await buyPlan(on, builtInCatalog.planOf(family, 'USD'), {
    discounts: [{ coupon: id }],
  });
  const { data } = await on.stripe.invoices.list({ subscription: subscription ?? '' });
  return { ...on, coupon: id, subscription: subscription ?? '', first: data[0] };
}

describe('Stripe fake: a coupon', () => {
  test.for([
    ['an amount', { amount_off: 1000, currency: 'usd' }, 'monthly', 2999],
    ['a share', { percent_off: 25 }, 'monthly', 2999],
    ['a share of an odd sum', { percent_off: 33.3 }, 'monthly_7d', 466],
    ['an amount off an intro', { amount_off: 200, currency: 'usd' }, 'monthly_7d', 499],
  ] as const)('%s lowers the first invoice and no other', async ([, coupon, family, paid]) => {
    const on = await subscribeWith(coupon, family);
    const { price, today } = builtInCatalog.planOf(family, 'USD');
    expect(on.first).toMatchObject({
      status: 'paid',
      subtotal: today,
      total: paid,
      amount_paid: paid,
      total_discount_amounts: [{ amount: today - paid }],
    });
    on.clock.until(on.clock.now() + 34 * day);
    expect(on.fake.captures().map(({ amount }) => amount)).toEqual([paid, price]);
    expect(on.fake.state.coupons[on.coupon]).toMatchObject({ times_redeemed: 1 });
    const { discounts } = await on.stripe.subscriptions.retrieve(on.subscription);
    expect(discounts).toEqual([]);
  });

  test('of duration forever lowers every invoice, although it can be redeemed only once', async () => {
    const on = await harness();
    const redeem_by = on.clock.now() / 1000 + 3600;
    const { id } = await on.stripe.coupons.create({
      percent_off: 30,
      duration: 'forever',
      max_redemptions: 1,
      redeem_by,
    });
    const { subscription } = await buyPlan(on, builtInCatalog.planOf('upsell_monthly_999', 'USD'), {
      discounts: [{ coupon: id }],
    });
    on.clock.until(on.clock.now() + 95 * day);
    expect(on.fake.captures().map(({ amount }) => amount)).toEqual([699, 699, 699, 699]);
    const { discounts } = await on.stripe.subscriptions.retrieve(subscription ?? '');
    expect(discounts).toHaveLength(1);
    expect(on.fake.state.coupons[id]?.valid).toBe(false);
  });

  test('is refused when it is used up, expired, unknown or of another currency', async () => {
    const on = await harness();
    const { stripe, clock } = on;
    const sell = (coupon: string) =>
      stripe.subscriptions.create({
        customer: on.customer,
        items: [{ price: on.price }],
        default_payment_method: on.method,
        discounts: [{ coupon }],
      });
    await stripe.coupons.create({ id: 'ONE', percent_off: 10, max_redemptions: 1 });
    await sell('ONE');
    expect((await refusal(sell('ONE'))).code).toBe('coupon_expired');
    expect(on.fake.state.coupons.ONE?.valid).toBe(false);
    const redeem_by = clock.now() / 1000 + 60;
    await stripe.coupons.create({ id: 'LATE', percent_off: 10, redeem_by });
    clock.advance(61_000);
    expect((await refusal(sell('LATE'))).code).toBe('coupon_expired');
    expect((await refusal(sell('NONE'))).code).toBe('resource_missing');
    await stripe.coupons.create({ id: 'EUR', amount_off: 100, currency: 'eur' });
    expect((await refusal(sell('EUR'))).statusCode).toBe(400);
    expect(on.fake.captures()).toHaveLength(1);
  });

  test.for<[Stripe.CouponCreateParams, number]>([
    [{}, 400],
    [{ percent_off: 10, amount_off: 5, currency: 'usd' }, 400],
    [{ amount_off: 5 }, 400],
    [{ amount_off: 0, currency: 'usd' }, 400],
    [{ percent_off: 101 }, 400],
    [{ percent_off: 10, duration: 'repeating', duration_in_months: 3 }, 501],
  ])('%j is refused', async ([params, status]) => {
    const { stripe } = await harness();
    expect((await refusal(stripe.coupons.create(params))).statusCode).toBe(status);
  });
});

describe('Stripe fake: two currencies on one customer', () => {
  const inEuro = { currency: 'eur', recurring: { interval: 'month' }, unit_amount: 3000 } as const;

  test('a second one is refused until the first subscription has ended', async () => {
    const on = await harness();
    const { stripe, customer, product } = on;
    const { id: price } = await stripe.prices.create({ ...inEuro, product });
    const { subscription, intent } = await subscribe(on, customer);
    const refused = () => refusal(subscribe(on, customer, { items: [{ price }] }));
    expect((await refused()).message).toContain('combine currencies');
    await stripe.paymentIntents.confirm(intent, { payment_method: 'pm_card_visa' });
    await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
    expect(await refused()).toMatchObject({ statusCode: 400, type: 'StripeInvalidRequestError' });
    await stripe.subscriptions.cancel(subscription.id);
    const second = await subscribe(on, customer, { items: [{ price }] });
    expect(second.subscription.currency).toBe('eur');
  });

  test('a one-time payment may be in any', async () => {
    const on = await harness();
    await subscribe(on, on.customer);
    const { stripe, customer } = on;
    const intent = await stripe.paymentIntents.create({ amount: 500, currency: 'eur', customer });
    expect(intent.currency).toBe('eur');
  });
});
