import type { Stripe } from 'stripe';
import { describe, expect, test } from 'vitest';
import { planOf } from '../../../worker/catalog/plans.ts';
import { buyPlan, harness, refusal } from './harness.ts';

const day = 86_400_000;

async function bought(coupon: Stripe.CouponCreateParams, family: 'monthly' | 'monthly_7d') {
  const on = await harness();
  const { id } = await on.stripe.coupons.create({ duration: 'once', ...coupon });
  const { subscription } = await buyPlan(on, planOf(family, 'USD'), {
    discounts: [{ coupon: id }],
  });
  const { data } = await on.stripe.invoices.list({ subscription: subscription ?? '' });
  return { ...on, coupon: id, subscription: subscription ?? '', first: data[0] };
}

describe('Stripe fake: a coupon', () => {
  test.each([
    ['an amount', { amount_off: 1000, currency: 'usd' }, 'monthly', 2999],
    ['a share', { percent_off: 25 }, 'monthly', 2999],
    ['a share of an odd sum', { percent_off: 33.3 }, 'monthly_7d', 466],
    ['an amount off an intro', { amount_off: 200, currency: 'usd' }, 'monthly_7d', 499],
  ] as const)('%s lowers the first invoice and no other', async (_, coupon, family, paid) => {
    const on = await bought(coupon, family);
    const { price, today } = planOf(family, 'USD');
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
    const { subscription } = await buyPlan(on, planOf('upsell_monthly_999', 'USD'), {
      discounts: [{ coupon: id }],
    });
    on.clock.until(on.clock.now() + 95 * day);
    expect(on.fake.captures().map(({ amount }) => amount)).toEqual([699, 699, 699, 699]);
    const { discounts } = await on.stripe.subscriptions.retrieve(subscription ?? '');
    expect(discounts).toHaveLength(1);
    expect(on.fake.state.coupons[id]?.valid).toBe(false);
  });

  test('above the amount: nothing is charged, and the subscription is active', async () => {
    const on = await harness();
    const coupon = await on.stripe.coupons.create({ amount_off: 9000, currency: 'usd' });
    const subscription = await on.stripe.subscriptions.create({
      customer: on.customer,
      items: [{ price: on.price }],
      default_payment_method: on.method,
      discounts: [{ coupon: coupon.id }],
      expand: ['latest_invoice'],
    });
    expect(subscription).toMatchObject({
      status: 'active',
      latest_invoice: { total: 0, status: 'paid' },
    });
    expect(on.fake.captures()).toEqual([]);
  });

  test('is refused when it is spent, late, unknown or of another currency', async () => {
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

  test.each<[Stripe.CouponCreateParams, number]>([
    [{}, 400],
    [{ percent_off: 10, amount_off: 5, currency: 'usd' }, 400],
    [{ amount_off: 5 }, 400],
    [{ amount_off: 0, currency: 'usd' }, 400],
    [{ percent_off: 101 }, 400],
    [{ percent_off: 10, duration: 'repeating', duration_in_months: 3 }, 501],
  ])('%j is refused', async (params, status) => {
    const { stripe } = await harness();
    expect((await refusal(stripe.coupons.create(params))).statusCode).toBe(status);
  });
});
