import type { Coupon } from '../../../catalog/rules/coupons.ts';
import { typedAmount } from '../../people/rules/person.ts';

/** The fields of a coupon's form, as typed. */
export interface CouponForm {
  code: string;
  /** Percent, or an amount in the currency of the plan. */
  kind: 'percent' | 'amount';
  value: string;
  /** Plan families; null for every plan. */
  plans: readonly string[] | null;
  until: string;
  most: string;
}

export const emptyCoupon: CouponForm = {
  ...{ code: '', kind: 'percent', value: '', plans: null, until: '', most: '' },
};

export function couponFormOf(code: string, coupon: Coupon): CouponForm {
  const { plans = null, until = '', max_redemptions: most = '' } = coupon;
  const terms = { code, plans, until, most: String(most) };
  return 'percent' in coupon
    ? { ...terms, kind: 'percent', value: String(coupon.percent) }
    : { ...terms, kind: 'amount', value: (coupon.amount / 100).toFixed(2) };
}

export const couponIn = (fields: URLSearchParams): CouponForm => ({
  code: (fields.get('code') ?? '').trim().toUpperCase(),
  kind: fields.get('kind') === 'amount' ? 'amount' : 'percent',
  value: (fields.get('value') ?? '').trim(),
  plans: fields.get('scope') === 'all' ? null : fields.getAll('plans'),
  until: fields.get('until') ?? '',
  most: (fields.get('most') ?? '').trim(),
});

/** As in `config.json`. What is no number stays as typed, so that the check names it. */
function couponOf({ kind, value, plans, until, most }: CouponForm): Record<string, unknown> {
  return {
    ...(kind === 'amount'
      ? { amount: typedAmount(value, 2) ?? value }
      : { percent: Number(value) || value }),
    ...(plans && { plans }),
    ...(until && { until }),
    ...(most && { max_redemptions: Number(most) || most }),
  };
}

/** `config.json` with a coupon added, replaced or removed. */
export function withCoupon(config: string, form: CouponForm, isRemoved: boolean): string {
  const document = JSON.parse(config) as { coupons?: Record<string, unknown> };
  const { [form.code]: _, ...others } = document.coupons ?? {};
  const coupons = isRemoved ? others : { ...document.coupons, [form.code]: couponOf(form) };
  return JSON.stringify({ ...document, coupons }, null, 2);
}
