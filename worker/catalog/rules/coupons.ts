import * as v from 'valibot';
import { typedCode } from '../../../locales/format/typed-code.ts';
import { dayMs } from '../../platform/durations.ts';
import { type Refused, refused } from '../../platform/errors.ts';
import { type Minor, minor, subtract } from '../../platform/types.ts';
import { couponOfCode, isIssued } from './coupon-codes.ts';
import { asChargeable, type Currency, smallestCharge } from './currencies.ts';
import { ownDiscount, type Plan, type Reduction } from './plans.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000));
const amount = v.pipe(count, v.brand('Minor'));
const percent = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100));
export const couponTerms = {
  /** Products, whichever version is sold; each has to be in the catalog. */
  plans: v.optional(
    v.pipe(
      v.array(v.string()),
      v.minLength(1, 'choose at least one plan'),
      v.maxLength(200, 'more than 200 plans'),
    ),
  ),
  /** Inclusive, UTC, `2026-12-31`. */
  until: v.optional(v.pipe(v.string(), v.isoDate('not a date such as 2026-12-31'))),
  max_redemptions: v.optional(count),
  /** How many renewals of a main plan cost less, after the first payment. */
  renewals: v.optional(v.pipe(count, v.maxValue(24, 'more than 24 renewals'))),
  /** Codes of the coupon that are used once each; its own name is none of them. */
  codes: v.optional(
    v.strictObject({
      count: v.pipe(count, v.maxValue(100_000, 'more than 100,000 codes')),
      seed: v.pipe(v.string(), v.regex(/^[\da-f]{32}$/, 'not 32 hexadecimal digits')),
    }),
  ),
};

function reasonOf({ expected, input }: v.StrictObjectIssue): string {
  if (expected === 'Object') return 'not an object';
  if (expected !== 'never') return 'needs percent (1 to 100) or amount (in cents)';
  return input === 'percent' ? 'beside amount; give one of them' : 'unknown field';
}

const withPercent = v.strictObject({ percent, ...couponTerms }, reasonOf);
const withAmount = v.strictObject({ amount, ...couponTerms }, reasonOf);

/** A coupon in `config.json`: `percent`, or `amount` in minor units, in USD and EUR alike. */
export const couponSchema = v.lazy((coupon) =>
  Object.hasOwn(Object(coupon), 'amount') ? withAmount : withPercent,
);

export const couponCode = v.pipe(
  v.string(),
  v.regex(/^[A-Z\d_-]{1,32}$/, 'not a code of capitals, digits, - and _'),
);

export type Coupon = v.InferOutput<typeof couponSchema>;

const amountCurrencies: readonly Currency[] = ['USD', 'EUR'];

type DiscountedPlan = Pick<
  Plan,
  'product' | 'slot' | 'period' | 'introDays' | 'price' | 'today' | 'coupon' | 'currency' | 'least'
>;

export interface Discount {
  kind: 'discount';
  code: string;
  discount: Minor;
  limit?: number;
  reduction?: Reduction;
}

export const ownCoupon = (plan: DiscountedPlan): Discount | null =>
  plan.coupon ? { kind: 'discount', code: plan.coupon.code, discount: ownDiscount(plan) } : null;

const reducesRenewals = (
  { renewals, plans }: Coupon,
  { product, slot, period }: DiscountedPlan,
): boolean =>
  renewals !== undefined &&
  slot === 'main' &&
  period !== 'once' &&
  (plans?.includes(product) ?? true);

/** Gateways are asked whether they can reduce the renewals of these plans. */
export const withReductions = (
  plans: readonly Plan[],
  coupons: ReadonlyMap<string, Coupon>,
): Plan[] =>
  plans.map((plan) => {
    const isReduced = [...coupons.values()].some((coupon) => reducesRenewals(coupon, plan));
    const reduction = { off: minor(0), renewals: 1, day: 1 };
    return isReduced ? { ...plan, reduction } : plan;
  });

/** Today's charge stays at or above the smallest charge. A built-in coupon excludes all others. */
export function discountOf(
  coupons: ReadonlyMap<string, Coupon>,
  code: string,
  plan: DiscountedPlan,
  now: number,
): Discount | Refused<'coupon_unknown' | 'coupon_expired' | 'coupon_not_for_plan'> {
  const typed = typedCode(code).toUpperCase();
  const own = ownCoupon(plan);
  if (own) return own.code === typed ? own : refused('coupon_not_for_plan');
  const coupon = coupons.get(couponOfCode(typed));
  const isOne = coupon?.codes ? isIssued(typed, coupon.codes) : coupons.has(typed);
  if (!coupon || !isOne) return refused('coupon_unknown');
  const { plans, until, codes, max_redemptions: most, renewals } = coupon;
  const limit = codes ? 1 : most;
  if (until && now >= Date.parse(`${until}T24:00:00Z`)) return refused('coupon_expired');
  if (plans && !plans.includes(plan.product)) return refused('coupon_not_for_plan');
  if ('amount' in coupon && !amountCurrencies.includes(plan.currency))
    return refused('coupon_not_for_plan');
  if (plan.today === 0) return refused('coupon_not_for_plan');
  const { today, price, currency, least = smallestCharge(currency) } = plan;
  const offOf = (sum: Minor) =>
    minor(
      Math.min(
        'percent' in coupon ? asChargeable((sum * coupon.percent) / 100, currency) : coupon.amount,
        subtract(sum, least),
      ),
    );
  const day = new Date(now + plan.introDays * dayMs).getUTCDate();
  return {
    ...{ kind: 'discount', code: typed, discount: offOf(today) },
    ...(limit && { limit }),
    ...(renewals &&
      reducesRenewals(coupon, plan) && { reduction: { off: offOf(price), renewals, day } }),
  };
}
