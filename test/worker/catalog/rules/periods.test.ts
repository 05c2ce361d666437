import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Catalog } from '../../../../worker/catalog/rules/catalog.ts';
import { gatewayNames } from '../../../../worker/catalog/rules/gateway-names.ts';
import { changeTargets, planOptions } from '../../../../worker/catalog/rules/plan-options.ts';
import {
  coveredDays,
  periods,
  type RenewingPeriod,
} from '../../../../worker/catalog/rules/plans.ts';
import { addPeriods, firstRenewal } from '../../../../worker/catalog/rules/renewal-date.ts';
import { stripeRecurrence } from '../../../../worker/payments/gateways/stripe/recurring.ts';
import {
  type AnnouncedCharge,
  announcedOnPage,
  takeAnnounced,
} from '../../../../worker/payments/purchase/announced-charges.ts';
import { gatewayTraits } from '../../../../worker/payments/purchase/gateway-traits.ts';
import { minor } from '../../../../worker/platform/types.ts';
import { viewOf } from '../../../renewal-placeholders.ts';

const renewing = periods.filter((period): period is RenewingPeriod => period !== 'once');
const dayMs = 86_400_000;

const product = (period: string, prices: number, intro?: object) => ({
  slot: 'main' as const,
  label: period,
  period: period as RenewingPeriod,
  grace_days: 6,
  versions: {
    1: { prices: { USD: minor(prices) }, ...(intro && { intro: intro as never }) },
  },
});
const catalog = new Catalog({
  currencies: ['USD'],
  products: {
    week: product('week', 1499),
    month: product('month', 3999),
    quarter: product('quarter', 5999),
    half_year: product('half_year', 8999),
    year: product('year', 9900),
    once: product('once', 19_900),
    year_7d: product('year', 9900, { days: 7, prices: { USD: 100 } }),
  },
});
const planOf = (period: string) => catalog.planOf(period, 'USD');

const day = (at: number | null) => at && new Date(at).toISOString().slice(0, 10);

/** The first three renewals after a purchase, each counted from the first day, so that a month's end is kept. */
test.each([
  ['week', '2027-01-30', ['2027-02-06', '2027-02-13', '2027-02-20']],
  ['week', '2028-02-22', ['2028-02-29', '2028-03-07', '2028-03-14']],
  ['month', '2027-01-31', ['2027-02-28', '2027-03-31', '2027-04-30']],
  ['month', '2028-01-31', ['2028-02-29', '2028-03-31', '2028-04-30']],
  ['quarter', '2027-11-30', ['2028-02-29', '2028-05-30', '2028-08-30']],
  ['half_year', '2027-08-31', ['2028-02-29', '2028-08-31', '2029-02-28']],
  ['year', '2028-02-29', ['2029-02-28', '2030-02-28', '2031-02-28']],
  ['year', '2027-02-28', ['2028-02-28', '2029-02-28', '2030-02-28']],
] as const)('periods: a %s from %s renews on %s', (period, from, expected) => {
  const start = Date.parse(from);
  expect([1, 2, 3].map((count) => day(addPeriods(start, period, count)))).toEqual(expected);
  expect(day(firstRenewal({ period, introDays: 0 }, start))).toBe(expected[0]);
  expect(day(firstRenewal({ period, introDays: 7 }, start))).toBe(day(start + 7 * dayMs));
});

test('periods: a renewal is always later, and a longer period never renews earlier', () => {
  const from = fc.integer({ min: 0, max: Date.parse('2100-01-01') });
  fc.assert(
    fc.property(from, fc.integer({ min: 1, max: 60 }), (at, count) => {
      const ends = renewing.map((period) => addPeriods(at, period, count));
      expect(ends[0]).toBeGreaterThan(at);
      expect(ends).toEqual(ends.toSorted((a, b) => a - b));
    }),
  );
});

test('periods: the price per day decides the best value, and longer plans compare with the monthly one', () => {
  expect(renewing.map((period) => coveredDays(planOf(period)))).toEqual([7, 30, 90, 180, 360]);
  const savings = renewing.map((period) => viewOf(planOf(period)).saving?.percent ?? null);
  expect(savings).toEqual([null, null, 50, 62, 79]);
});

test('periods: a subscription changes at once to a longer period, and later to a shorter one', () => {
  const targets = changeTargets(catalog, 'USD');
  const { dearer, cheaper } = planOptions(planOf('quarter'), targets);
  expect(dearer.map(({ id }) => id)).toEqual(['half_year_usd', 'year_usd']);
  expect(cheaper.map(({ id }) => id)).toEqual(['week_usd', 'month_usd']);
});

test('periods: Stripe renews each of them, Braintree only whole months', () => {
  expect(renewing.map((period) => Object.values(stripeRecurrence(period)).join(' '))).toEqual([
    'week 1',
    'month 1',
    'month 3',
    'month 6',
    'year 1',
  ]);
  const billed = gatewayNames.map((name) =>
    periods.filter((period) => gatewayTraits[name].bills({ period })),
  );
  expect(billed).toEqual([[...periods], periods.filter((period) => period !== 'week')]);
});

test('periods: the first payment covers its period, in the purchase event', () => {
  const durations = [...renewing, 'once', 'year_7d'].map((id) => planOf(id).duration);
  expect(durations.map((one) => one && `${one.count} ${one.unit}`)).toEqual([
    ...['1 week', '1 month', '3 month', '6 month', '12 month', null, '7 day'],
  ]);
});

test.each(renewing)('periods: each renewal of a %s is announced once, on its day', (period) => {
  const plan = planOf(period);
  const start = Date.parse('2027-01-31');
  const facts = { attempt: 'a', plan, nextPlan: null, raise: null, pausesUntil: null };
  let announced: AnnouncedCharge[] | null = announcedOnPage(
    { ...facts, paidUntil: addPeriods(start, period, 1) } as never,
    null,
  );
  for (let count = 1; count <= 5; count += 1) {
    const at = addPeriods(start, period, count);
    const charge = { amount: plan.price, at };
    expect(
      takeAnnounced(announced ?? [], { ...charge, at: addPeriods(at, 'week', -1) }),
    ).toBeNull();
    announced = takeAnnounced(announced ?? [], charge);
    expect(announced).toHaveLength(1);
  }
});
