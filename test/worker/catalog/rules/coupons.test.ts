import fc from 'fast-check';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { builtInCatalog } from '../../../../worker/catalog/rules/catalog.ts';
import {
  type Coupon,
  couponSchema,
  discountOf,
  ownCoupon,
} from '../../../../worker/catalog/rules/coupons.ts';
import { isChargeable, smallestCharge } from '../../../../worker/catalog/rules/currencies.ts';
import { minor } from '../../../../worker/platform/types.ts';
import { everywhereCatalog } from '../../../fakes/everywhere-catalog.ts';

const coupons = new Map<string, Coupon>([
  ['SPRING', { percent: 10 }],
  ['FIVE', { amount: minor(500), plans: ['monthly', 'quarterly'] }],
  ['OLD', { percent: 50, until: '2026-12-31' }],
  ['ALL', { percent: 100 }],
  ['FEW', { percent: 10, max_redemptions: 20 }],
  ['MORE', { percent: 25, renewals: 3 }],
]);
const monthly = builtInCatalog.planOf('monthly', 'USD');
const intro = builtInCatalog.planOf('monthly_7d', 'EUR');
const off = (code: string, plan = monthly, now = 0) => discountOf(coupons, code, plan, now);

test('coupons: what remains is worth the smallest charge in dollars in every currency, and can be charged', () => {
  for (const plan of everywhereCatalog.plans.filter((one) => !one.coupon && one.today > 0)) {
    const found = off('ALL', plan);
    if (found.kind === 'refused') throw new Error(plan.id);
    const rest = plan.today - found.discount;
    const { currency, family } = plan;
    const dollars = everywhereCatalog.planOf(family, 'USD').today;
    expect([plan.id, isChargeable(rest, currency)]).toEqual([plan.id, true]);
    expect(rest).toBeGreaterThanOrEqual(smallestCharge(currency));
    expect((rest / plan.today) * dollars).toBeGreaterThanOrEqual(50 - 1e-9);
  }
});

test('coupons: take off a percentage, rounded to minor units, or an amount', () => {
  expect(off('SPRING')).toEqual({ kind: 'discount', code: 'SPRING', discount: 400 });
  expect(off('SPRING', intro)).toEqual({ kind: 'discount', code: 'SPRING', discount: 70 });
  expect(off('FIVE')).toEqual({ kind: 'discount', code: 'FIVE', discount: 500 });
  expect(off('FEW')).toEqual({ kind: 'discount', code: 'FEW', discount: 400, limit: 20 });
});

test('coupons: for renewals of a main plan, the same percentage of their own price', () => {
  const more = { kind: 'discount', code: 'MORE' };
  const day = { renewals: 3, day: 1 };
  expect(off('MORE')).toEqual({ ...more, discount: 1000, reduction: { off: 1000, ...day } });
  const begun = { off: 1000, renewals: 3, day: 8 };
  expect(off('MORE', intro)).toEqual({ ...more, discount: 175, reduction: begun });
  expect(off('MORE', builtInCatalog.planOf('guide_1799', 'USD'))).toEqual({
    ...more,
    discount: 450,
  });
  for (const plan of everywhereCatalog.plans.filter(({ coupon }) => !coupon)) {
    const found = discountOf(new Map([['X', { percent: 100, renewals: 1 }]]), 'X', plan, 0);
    if (found.kind === 'refused' || !found.reduction) continue;
    expect(isChargeable(plan.price - found.reduction.off, plan.currency)).toBe(true);
  }
});

test('coupons: case and surrounding blanks are ignored', () =>
  expect(off(' spring ')).toEqual({ kind: 'discount', code: 'SPRING', discount: 400 }));

test('coupons: an unknown or expired coupon, or one for another plan, is refused', () => {
  expect(off('NOPE')).toEqual({ kind: 'refused', refusal: 'coupon_unknown' });
  expect(off('__proto__')).toEqual({ kind: 'refused', refusal: 'coupon_unknown' });
  expect(off('FIVE', intro)).toEqual({ kind: 'refused', refusal: 'coupon_not_for_plan' });
  const end = Date.UTC(2027, 0, 1);
  expect(off('OLD', monthly, end - 1)).toEqual({ kind: 'discount', code: 'OLD', discount: 2000 });
  expect(off('OLD', monthly, end)).toEqual({ kind: 'refused', refusal: 'coupon_expired' });
});

test('coupons: the remaining price is between 0.50 and the plan’s price', () => {
  const coupon = fc.oneof(
    fc.record({ percent: fc.integer({ min: 1, max: 100 }) }),
    fc.record({ amount: fc.integer({ min: 1, max: 1_000_000 }).map(minor) }),
  );
  const plan = fc
    .constantFrom(...builtInCatalog.families)
    .map((family) => builtInCatalog.planById(`${family}_usd`) ?? monthly)
    .filter((row) => !row.coupon);
  fc.assert(
    fc.property(coupon, plan, (one, row) => {
      const found = discountOf(new Map([['X', one]]), 'X', row, 0);
      const left = row.today - (found.kind === 'discount' ? found.discount : 0);
      expect(left).toBeGreaterThanOrEqual(50);
      expect(left).toBeLessThan(row.today);
    }),
  );
});

test.each([
  ['USD', 50],
  ['EUR', 50],
  ['GBP', 44],
  ['CAD', 69],
  ['AUD', 76],
  ['JPY', 75],
  ['BRL', 250],
  ['MXN', 1000],
  ['PLN', 201],
  ['SEK', 487],
  ['CHF', 50],
] as const)(
  'coupons: 100 percent off in %s leaves %i, the least that Stripe charges in it and for its worth in dollars',
  (currency, least) => {
    const plan = builtInCatalog.planOf('monthly', currency);
    const discount = plan.today - least;
    expect(off('ALL', plan)).toEqual({ kind: 'discount', code: 'ALL', discount });
  },
);

test.each(['USD', 'EUR'] as const)(
  'coupons: the 9.99 upsells in %s have a built-in 30 percent and accept no other',
  (currency) => {
    const own = { kind: 'discount', code: 'UPSELL30', discount: 300 };
    const with999 = builtInCatalog.families.filter((family) =>
      ownCoupon(builtInCatalog.planOf(family, currency)),
    );
    expect(with999).toEqual(['upsell_monthly_999', 'upsell_quarterly_999']);
    for (const family of with999) {
      const plan = builtInCatalog.planOf(family, currency);
      expect([ownCoupon(plan), off('upsell30', plan)]).toEqual([own, own]);
      expect(off('SPRING', plan)).toEqual({ kind: 'refused', refusal: 'coupon_not_for_plan' });
    }
    expect(off('UPSELL30')).toEqual({ kind: 'refused', refusal: 'coupon_unknown' });
  },
);

test.each([
  [{ percent: 1 }, { percent: 0 }],
  [{ percent: 100 }, { percent: 101 }],
  [{ amount: 1_000_000 }, { amount: 1_000_001 }],
  [
    { percent: 5, max_redemptions: 1 },
    { percent: 5, max_redemptions: 0 },
  ],
  [
    { percent: 5, renewals: 24 },
    { percent: 5, renewals: 25 },
  ],
])('coupon document: %j is accepted, and %j is not', (good, bad) => {
  expect(v.safeParse(couponSchema, good).success).toBe(true);
  expect(v.safeParse(couponSchema, bad).success).toBe(false);
});

test.each([
  [{}, 'percent: needs percent (1 to 100) or amount (in cents)'],
  [{ percent: 10, amount: 100 }, 'percent: beside amount; give one of them'],
  [{ amount: 100, plan: ['monthly'] }, 'plan: unknown field'],
  [{ percent: '10' }, 'percent: Invalid type: Expected number but received "10"'],
  [{ amount: 0 }, 'amount: Invalid value: Expected >=1 but received 0'],
  [{ percent: 10, until: 'soon' }, 'until: not a date such as 2026-12-31'],
  ['20 %', 'null: not an object'],
  [null, 'null: not an object'],
])('coupon document: %j %s', (coupon, line) => {
  const { issues = [] } = v.safeParse(couponSchema, coupon);
  expect(issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`)).toEqual([
    expect.stringContaining(line),
  ]);
});
