import { env } from 'cloudflare:test';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type PlanFamily, planOf } from '../../../../../worker/catalog/plans.ts';
import { reportGateways } from '../../../../../worker/payments/gateways/report.ts';
import { stripeClient } from '../../../../../worker/payments/gateways/stripe/client.ts';
import { stripeGateway } from '../../../../../worker/payments/gateways/stripe/gateway.ts';
import { checkOffers, offersOf } from '../../../../../worker/payments/gateways/stripe/prices.ts';
import { harness } from '../../../../fakes/stripe/harness.ts';
import { orderOf } from './stripe-fixture.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const day = 86_400_000;

/** An account with the trial offer of an intro, and a gateway that uses it. */
async function withOffer(family: PlanFamily = 'monthly_7d', change: object = {}) {
  const start = Date.now();
  const on = await harness({ start });
  const plan = planOf(family, 'USD');
  const price = (
    unit_amount: number,
    recurring: { interval: 'day' | 'month'; interval_count: number },
  ) => on.stripe.prices.create({ currency: 'usd', product: on.product, unit_amount, recurring });
  const intro = await price(plan.today, { interval: 'day', interval_count: plan.trialDays });
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
    const order = await orderOf(plan.id, 'pm_card_visa');
    const outcome = await gateway.charge(order);
    if (outcome.kind !== 'active') throw new Error(outcome.kind);
    expect(outcome.charge.amount).toBe(plan.today);
    const subscription = fake.state.subscriptions[outcome.charge.subscriptionId ?? ''];
    expect(subscription?.status).toBe('active');
    expect(subscription?.trial_end).toBeNull();
    expect(await gateway.lookUp(order)).toEqual(outcome);
    const bought = { ...order, attempt: { ...order.attempt, charge: outcome.charge } };
    const now = await gateway.statement(bought);
    expect(Math.abs((now.paidUntil ?? 0) - start - plan.trialDays * day)).toBeLessThan(1000);
    clock.until(start + (plan.trialDays + 1) * day);
    vi.setSystemTime(clock.now());
    const later = await gateway.statement(bought);
    expect(later.captures.map(({ amount }) => amount).sort()).toEqual([plan.today, 3999].sort());
    expect(later.status).toBe('active');
  },
);

test('Stripe trial offer: a coupon lowers only today’s price', async () => {
  const { gateway, fake, plan, clock, start } = await withOffer();
  const order = await orderOf(plan.id, 'pm_card_visa', { amount: 499 });
  expect(await gateway.charge(order)).toMatchObject({ kind: 'active', charge: { amount: 499 } });
  clock.until(start + 8 * day);
  expect(fake.captures().map(({ amount }) => amount)).toEqual([499, 3999]);
});

test('Stripe trial offer: a declined card leaves nothing active', async () => {
  const { gateway, fake, plan } = await withOffer();
  const outcome = await gateway.charge(await orderOf(plan.id, 'pm_card_chargeCustomerFail'));
  expect(outcome.kind).toBe('declined');
  const states = Object.values(fake.state.subscriptions).map(({ status }) => status);
  expect(states.every((status) => /canceled|incomplete_expired/.test(status))).toBe(true);
  expect(fake.captures()).toEqual([]);
});

test('Stripe trial offer: the gateway report has prices and offers', async () => {
  const { names, plan, map } = await withOffer();
  const [report] = await reportGateways({ ...env, ...names, BRAINTREE_PRIVATE_KEY: '' });
  expect(report).toMatchObject({ gateway: 'stripe', unread: null });
  const named = report?.prices.filter(({ price }) => price !== null);
  const right = { plan: plan.id, problems: [] };
  expect(named).toEqual([
    { ...right, price: expect.stringMatching(/^price_/) },
    { ...right, price: map[plan.id] },
  ]);
});

test('Stripe trial offer: a plan without an intro cannot have one', () => {
  expect(offersOf('{"monthly_7d_usd":"to_1"}')).toEqual({ monthly_7d_usd: 'to_1' });
  expect(offersOf('')).toEqual({});
  expect(() => offersOf('{"monthly_usd":"to_1"}')).toThrow('without an intro: monthly_usd');
});

test('Stripe trial offer: every difference from the catalog is reported', async () => {
  const stripe = stripeClient(env);
  const { map } = await withOffer();
  expect(await checkOffers(stripe, map)).toMatchObject([{ problems: [] }]);
  expect(await checkOffers(stripe, { monthly_5d_eur: map.monthly_7d_usd ?? '' })).toMatchObject([
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
  expect(await checkOffers(stripe, { monthly_3d_usd: 'to_none' })).toMatchObject([
    { problems: ['it does not exist'] },
  ]);
  const slow = await withOffer('monthly_7d', { interval_count: 3 });
  expect(await checkOffers(stripe, slow.map)).toMatchObject([
    { problems: ['interval_count after it is 3, not 1'] },
  ]);
});
