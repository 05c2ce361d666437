import { env } from 'cloudflare:test';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { planFamilies, planOf } from '../../../../../worker/catalog/plans.ts';
import { stripeClient } from '../../../../../worker/payments/gateways/stripe/client.ts';
import {
  checkPrices,
  type PriceMap,
  pricesOf,
} from '../../../../../worker/payments/gateways/stripe/prices.ts';
import { harness } from '../../../../fakes/stripe/harness.ts';

afterEach(() => void vi.unstubAllGlobals());

const every = planFamilies.flatMap((family) =>
  (['USD', 'EUR'] as const).map((currency) => planOf(family, currency)),
);

/** An account with the right price for every plan. */
async function withPrices() {
  const on = await harness();
  const map: PriceMap = {};
  for (const plan of every) {
    const interval_count = plan.period === 'month' ? 1 : 3;
    const { id } = await on.stripe.prices.create({
      product: on.product,
      currency: plan.currency,
      unit_amount: plan.price,
      ...(plan.period !== 'once' && { recurring: { interval: 'month', interval_count } }),
    });
    map[plan.id] = id;
  }
  vi.stubGlobal('fetch', on.fake.fetch);
  return { ...on, stripe: stripeClient(env), map };
}

test('Stripe prices: an account with the right prices has no problems', async () => {
  const { stripe, map } = await withPrices();
  const checks = await checkPrices(stripe, map);
  expect(checks.map(({ plan }) => plan).sort()).toEqual(every.map(({ id }) => id).sort());
  expect(checks.every(({ plan, price }) => price === map[plan])).toBe(true);
  expect(checks.flatMap(({ problems }) => problems)).toEqual([]);
});

test('Stripe prices: every difference is reported with its plan', async () => {
  const { stripe, fake, map } = await withPrices();
  const { monthly_usd = '', quarterly_eur = '', upsell_monthly_999_usd, guide_899_eur = '' } = map;
  const price = (id = '') =>
    fake.state.prices[id] as NonNullable<(typeof fake.state.prices)[string]>;
  price(monthly_usd).unit_amount = 3899;
  price(quarterly_eur).active = false;
  price(upsell_monthly_999_usd).currency = 'gbp';
  const recurring = price(map.upsell_quarterly_799_usd).recurring;
  if (recurring) Object.assign(recurring, { interval: 'year', interval_count: 1 });
  const wrong = {
    ...map,
    guide_899_eur: monthly_usd,
    monthly_eur: guide_899_eur,
    guide_899_usd: 'price_none',
  };
  delete (wrong as PriceMap).monthly_7d_usd;
  const checks = await checkPrices(stripe, wrong);
  const told = Object.fromEntries(
    checks.filter(({ problems }) => problems.length).map(({ plan, problems }) => [plan, problems]),
  );
  expect(told).toEqual({
    monthly_usd: ['amount is 3899, not 3999'],
    quarterly_eur: ['it is archived'],
    upsell_monthly_999_usd: ['currency is gbp, not usd'],
    upsell_quarterly_799_usd: ['interval is year, not month', 'interval_count is 1, not 3'],
    guide_899_eur: [
      'amount is 3899, not 899',
      'currency is usd, not eur',
      'type is recurring, not one_time',
    ],
    monthly_eur: [
      'amount is 899, not 3999',
      'type is one_time, not recurring',
      'interval is none, not month',
      'interval_count is none, not 1',
      'usage_type is none, not licensed',
    ],
    guide_899_usd: ['it does not exist'],
    monthly_7d_usd: ['no price is named'],
  });
});

describe('STRIPE_PRICES', () => {
  test('maps plans to prices; empty when it is not set', () => {
    expect(pricesOf(undefined)).toEqual({});
    expect(pricesOf('{"monthly_usd":"price_1Ab"}')).toEqual({ monthly_usd: 'price_1Ab' });
  });

  test.each(['{', '[]', 'null', '"x"', '{"weekly_usd":"price_1"}', '{"monthly_usd":"prod_1"}'])(
    '%s is refused',
    (variable) => {
      expect(() => pricesOf(variable)).toThrow(RangeError);
    },
  );

  test.each([
    ['{', 'STRIPE_PRICES is not JSON'],
    ['[]', 'STRIPE_PRICES is not an object'],
    ['{"weekly":"price_1"}', 'STRIPE_PRICES names no plan of ours: weekly'],
    ['{"monthly_usd":"to_1"}', 'STRIPE_PRICES names no price for monthly_usd'],
    ['{"monthly_usd":1}', 'STRIPE_PRICES names no price for monthly_usd'],
  ])('%s is refused with the reason: %s', (variable, reason) => {
    expect(() => pricesOf(variable)).toThrow(reason);
  });
});
