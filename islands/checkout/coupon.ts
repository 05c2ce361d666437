import { call } from '../runtime/api.ts';
import type { Coupon } from '../stores/plans.ts';

/**
 * Asks what a code takes off a plan.
 *
 * @param plan id
 * @throws the parsed refusal; an Error when there is no answer
 */
export async function requestCoupon(code: string, plan: string): Promise<Coupon> {
  const { data } = await call<{ data: Coupon }>('/coupons', { body: { coupon: code, plan } });
  return { code: data.code, plan: data.plan, discount: data.discount };
}
