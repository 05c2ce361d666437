import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { builtInCatalog } from '../../../../../worker/catalog/rules/catalog.ts';
import type { PlanFamily } from '../../../../../worker/catalog/rules/plans.ts';
import { checkGateways } from '../../../../../worker/payments/gateways/configuration-check.ts';
import { stripeClient } from '../../../../../worker/payments/gateways/stripe/client.ts';
import { stripeGateway } from '../../../../../worker/payments/gateways/stripe/gateway.ts';
import {
  checkOffers,
  checkPrices,
  offersOf,
  type PriceMap,
  pricesOf,
} from '../../../../../worker/payments/gateways/stripe/prices.ts';
import { minor } from '../../../../../worker/platform/types.ts';
import { harness } from '../../../../fakes/stripe/harness.ts';
import { chargeRequest } from './stripe-fixture.ts';

const every = builtInCatalog.families.flatMap((family) =>
  (['USD', 'EUR'] as const).map((currency) => builtInCatalog.planOf(family, currency)),
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
  const checks = await checkPrices(stripe, map, builtInCatalog.plansIn(['USD', 'EUR']));
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
  const checks = await checkPrices(stripe, wrong, builtInCatalog.plansIn(['USD', 'EUR']));
  const descriptions = Object.fromEntries(
    checks.filter(({ problems }) => problems.length).map(({ plan, problems }) => [plan, problems]),
  );
  expect(descriptions).toEqual({
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

  test.each([
    ['{', 'STRIPE_PRICES is not JSON'],
    ['[]', 'STRIPE_PRICES is not an object'],
    ['null', 'STRIPE_PRICES is not an object'],
    ['"x"', 'STRIPE_PRICES is not an object'],

    ['{"monthly_usd":"to_1"}', 'STRIPE_PRICES names no price for monthly_usd'],
    ['{"monthly_usd":1}', 'STRIPE_PRICES names no price for monthly_usd'],
  ])('%s is refused with the reason: %s', (variable, reason) => {
    expect(() => pricesOf(variable)).toThrow(new RangeError(reason));
  });
});

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));

const day = 86_400_000;

/** An account with the trial offer of an intro, and a gateway that uses it. */
async function withOffer(family: PlanFamily = 'monthly_7d', change: object = {}) {
  const start = Date.now();
  const on = await harness({ start });
  const plan = builtInCatalog.planOf(family, 'USD');
  const price = (
    unit_amount: number,
    recurring: { interval: 'day' | 'month'; interval_count: number },
  ) => on.stripe.prices.create({ currency: 'usd', product: on.product, unit_amount, recurring });
  const intro = await price(plan.today, { interval: 'day', interval_count: plan.introDays });
  const after = await price(plan.price, { interval: 'month', interval_count: 1, ...change });
  const offer = await on.stripe.productCatalog.trialOffers.create({
    price: intro.id,
    duration: { type: 'relative', relative: { iterations: 1 } },
    end_behavior: { transition: { price: after.id } },
  });
  vi.stubGlobal('fetch', on.fake.fetch);
  const map = { [plan.id]: offer.id };
  const names = {
    STRIPE_PRODUCT: on.product,
    STRIPE_PRICES: JSON.stringify({ [plan.id]: after.id }),
    STRIPE_TRIAL_OFFERS: JSON.stringify(map),
  };
  return { ...on, plan, map, names, start, gateway: stripeGateway({ ...env, ...names }) };
}

test.each(['monthly_7d', 'monthly_5d', 'monthly_3d'] as const)(
  'Stripe trial offer: %s charges the intro today, then the full price each month',
  async (family) => {
    const { gateway, fake, plan, start, clock } = await withOffer(family);
    const request = await chargeRequest(plan.id, 'pm_card_visa');
    const outcome = await gateway.charge(request);
    if (outcome.kind !== 'active') throw new Error(outcome.kind);
    expect(outcome.charge.amount).toBe(plan.today);
    const subscription = fake.state.subscriptions[outcome.charge.subscriptionId ?? ''];
    expect(subscription?.status).toBe('active');
    expect(subscription?.trial_end).toBeNull();
    expect(await gateway.lookUp(request)).toEqual(outcome);
    const bought = { ...request, attempt: { ...request.attempt, charge: outcome.charge } };
    const now = await gateway.statement(bought);
    expect(Math.abs((now.paidUntil ?? 0) - start - plan.introDays * day)).toBeLessThan(1000);
    clock.until(start + (plan.introDays + 1) * day);
    vi.setSystemTime(clock.now());
    const later = await gateway.statement(bought);
    expect(later.captures.map(({ amount }) => amount).sort()).toEqual([plan.today, 3999].sort());
    expect(later.status).toBe('active');
  },
);

test('Stripe trial offer: a coupon lowers only today’s price', async () => {
  const { gateway, fake, plan, clock, start } = await withOffer();
  const request = await chargeRequest(plan.id, 'pm_card_visa', { amount: minor(499) });
  expect(await gateway.charge(request)).toMatchObject({ kind: 'active', charge: { amount: 499 } });
  clock.until(start + 8 * day);
  expect(fake.captures().map(({ amount }) => amount)).toEqual([499, 3999]);
});

test('Stripe trial offer: a declined card leaves nothing active', async () => {
  const { gateway, fake, plan } = await withOffer();
  const outcome = await gateway.charge(await chargeRequest(plan.id, 'pm_card_chargeCustomerFail'));
  expect(outcome.kind).toBe('declined');
  const states = Object.values(fake.state.subscriptions).map(({ status }) => status);
  expect(states.every((status) => /canceled|incomplete_expired/.test(status))).toBe(true);
  expect(fake.captures()).toEqual([]);
});

test('Stripe trial offer: the gateway report has prices and offers', async () => {
  const { names, plan, map } = await withOffer();
  const [report] = await checkGateways(
    { ...env, ...names, BRAINTREE_PRIVATE_KEY: '' },
    builtInCatalog.plansIn(['USD', 'EUR']),
  );
  expect(report).toMatchObject({ gateway: 'stripe', unread: null });
  const named = report?.prices.filter(({ price }) => price !== null);
  const right = { plan: plan.id, problems: [] };
  expect(named).toEqual([
    { ...right, price: expect.stringMatching(/^price_/) },
    { ...right, price: map[plan.id] },
  ]);
});

test('Stripe trial offer: a plan without an intro cannot have one', async () => {
  expect(offersOf('{"monthly_7d_usd":"to_1"}')).toEqual({ monthly_7d_usd: 'to_1' });
  expect(offersOf('')).toEqual({});
  const plans = builtInCatalog.plansIn(['USD']);
  for (const id of ['monthly_usd', 'nothing_usd'])
    expect(await checkOffers(stripeClient(env), { [id]: 'to_1' }, plans)).toMatchObject([
      { plan: id, problems: ['no plan with an intro that is sold has this id'] },
    ]);
});

test('Stripe trial offer: every difference from the catalog is reported', async () => {
  const stripe = stripeClient(env);
  const { map } = await withOffer();
  expect(await checkOffers(stripe, map, builtInCatalog.plansIn(['USD', 'EUR']))).toMatchObject([
    { problems: [] },
  ]);
  expect(
    await checkOffers(
      stripe,
      { monthly_5d_eur: map.monthly_7d_usd ?? '' },
      builtInCatalog.plansIn(['USD', 'EUR']),
    ),
  ).toMatchObject([
    {
      plan: 'monthly_5d_eur',
      problems: [
        'amount of the intro is 699, not 499',
        'currency of the intro is usd, not eur',
        'days of the intro is 7, not 5',
        'currency after it is usd, not eur',
      ],
    },
  ]);
  expect(
    await checkOffers(
      stripe,
      { monthly_3d_usd: 'to_none' },
      builtInCatalog.plansIn(['USD', 'EUR']),
    ),
  ).toMatchObject([{ problems: ['it does not exist'] }]);
  const slow = await withOffer('monthly_7d', { interval_count: 3 });
  expect(await checkOffers(stripe, slow.map, builtInCatalog.plansIn(['USD', 'EUR']))).toMatchObject(
    [{ problems: ['interval_count after it is 3, not 1'] }],
  );
});
