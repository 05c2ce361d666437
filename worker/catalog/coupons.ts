import * as v from 'valibot';
import { ownDiscount, type Plan, planFamilies } from './plans.ts';

const minor = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000));
const percent = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100));
const terms = {
  /** Families it is good for; all when left out. */
  plans: v.optional(
    v.pipe(v.array(v.picklist(planFamilies)), v.minLength(1), v.maxLength(planFamilies.length)),
  ),
  /** Last day, UTC, `2026-12-31`. */
  until: v.optional(v.pipe(v.string(), v.isoDate('no date such as 2026-12-31'))),
  /** How many purchases it is good for, of all buyers together; any number when left out. */
  max_redemptions: v.optional(minor),
};

/** A coupon as marketers write it: off by percent, or by an amount in minor units. */
export const couponSchema = v.union(
  [v.strictObject({ percent, ...terms }), v.strictObject({ amount: minor, ...terms })],
  'no coupon of percent or amount, with plans, until and max_redemptions',
);

/** The code of a coupon: capitals, digits, - and _. */
export const couponCode = v.pipe(
  v.string(),
  v.regex(/^[A-Z\d_-]{1,32}$/, 'not a code of capitals, digits, - and _'),
);

export type Coupon = v.InferOutput<typeof couponSchema>;

type CouponRefusal = 'coupon_unknown' | 'coupon_expired' | 'coupon_not_for_plan';

/** The least that card networks take, in minor units. */
const least = 50;

type Row = Pick<Plan, 'family' | 'price' | 'today' | 'coupon'>;

/** A coupon that lowers a price. */
export interface Discount {
  code: string;
  /** Minor units off today's charge. */
  discount: number;
  /** How many purchases it is good for; any number when left out. */
  limit?: number;
}
type Discounted = Discount | { refusal: CouponRefusal };

/** What a plan's own coupon takes off today's charge, and nobody can leave out; null without one. */
export const ownCoupon = (plan: Row): Discount | null =>
  plan.coupon ? { code: plan.coupon.code, discount: ownDiscount(plan) } : null;

/**
 * What a coupon takes off today's charge of a plan. Renewals stay at the plan's price. A plan with a
 * coupon of its own takes no other.
 *
 * @param code as typed
 * @param now ms since 1970
 * @returns minor units off; what is left is never under 0.50
 */
export function discountOf(
  coupons: ReadonlyMap<string, Coupon>,
  code: string,
  plan: Row,
  now: number,
): Discounted {
  const wanted = code.trim().toUpperCase();
  const own = ownCoupon(plan);
  if (own) return own.code === wanted ? own : { refusal: 'coupon_not_for_plan' };
  const coupon = coupons.get(wanted);
  if (!coupon) return { refusal: 'coupon_unknown' };
  const { plans, until, max_redemptions: limit } = coupon;
  if (until && now >= Date.parse(`${until}T24:00:00Z`)) return { refusal: 'coupon_expired' };
  if (plans && !plans.includes(plan.family)) return { refusal: 'coupon_not_for_plan' };
  const off = 'percent' in coupon ? Math.round((plan.today * coupon.percent) / 100) : coupon.amount;
  const discount = Math.min(off, plan.today - least);
  return { code: wanted, discount, ...(limit && { limit }) };
}
