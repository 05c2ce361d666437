import * as v from 'valibot';
import { type Refused, refused } from '../errors.ts';
import { ownDiscount, type Plan, planFamilies } from './plans.ts';

const minor = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000));
const percent = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100));
const terms = {
  /** Plans that the coupon applies to; all by default. */
  plans: v.optional(
    v.pipe(v.array(v.picklist(planFamilies)), v.minLength(1), v.maxLength(planFamilies.length)),
  ),
  /** Last valid day, UTC, `2026-12-31`. */
  until: v.optional(v.pipe(v.string(), v.isoDate('not a date such as 2026-12-31'))),
  /** Redemptions by all buyers together; unlimited by default. */
  max_redemptions: v.optional(minor),
};

/** A coupon in `config.json`: `percent`, or `amount` in minor units. */
export const couponSchema = v.union(
  [v.strictObject({ percent, ...terms }), v.strictObject({ amount: minor, ...terms })],
  'not a coupon of percent or amount, with plans, until and max_redemptions',
);

export const couponCode = v.pipe(
  v.string(),
  v.regex(/^[A-Z\d_-]{1,32}$/, 'not a code of capitals, digits, - and _'),
);

export type Coupon = v.InferOutput<typeof couponSchema>;

/** The smallest charge that card networks accept. */
const minChargeMinor = 50;

type DiscountedPlan = Pick<Plan, 'family' | 'price' | 'today' | 'coupon'>;

export interface Discount {
  kind: 'discount';
  code: string;
  /** Minor units off today's charge. */
  discount: number;
  /** Redemptions by all buyers together; unlimited when absent. */
  limit?: number;
}

/** The coupon that is built into a plan and always applies; null without one. */
export const ownCoupon = (plan: DiscountedPlan): Discount | null =>
  plan.coupon ? { kind: 'discount', code: plan.coupon.code, discount: ownDiscount(plan) } : null;

/**
 * The discount on today's charge; renewals keep the plan's price. A plan with a built-in coupon accepts
 * no other.
 * @param code as typed
 * @param now ms since 1970
 * @returns minor units; at least 0.50 remains to pay
 */
export function discountOf(
  coupons: ReadonlyMap<string, Coupon>,
  code: string,
  plan: DiscountedPlan,
  now: number,
): Discount | Refused<'coupon_unknown' | 'coupon_expired' | 'coupon_not_for_plan'> {
  const typed = code.trim().toUpperCase();
  const own = ownCoupon(plan);
  if (own) return own.code === typed ? own : refused('coupon_not_for_plan');
  const coupon = coupons.get(typed);
  if (!coupon) return refused('coupon_unknown');
  const { plans, until, max_redemptions: limit } = coupon;
  if (until && now >= Date.parse(`${until}T24:00:00Z`)) return refused('coupon_expired');
  if (plans && !plans.includes(plan.family)) return refused('coupon_not_for_plan');
  const off = 'percent' in coupon ? Math.round((plan.today * coupon.percent) / 100) : coupon.amount;
  const discount = Math.min(off, plan.today - minChargeMinor);
  return { kind: 'discount', code: typed, discount, ...(limit && { limit }) };
}
