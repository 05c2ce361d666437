import { decimal } from '../../../../locales/format/currency.ts';
import type { Coupon } from '../../../catalog/rules/coupons.ts';
import { typedAmount } from '../../people/rules/person.ts';

export interface CouponForm {
  code: string;
  /** The code before the change; empty for a new coupon. */
  was: string;
  /** Percent, or an amount in the currency of the plan. */
  kind: 'percent' | 'amount';
  value: string;
  /** Plan families; null for every plan. */
  plans: readonly string[] | null;
  until: string;
  most: string;
  /** How many renewals cost less, too. */
  renewals: string;
  /** How many single-use codes; empty for the coupon's own. */
  codes: string;
}

export const emptyCoupon: CouponForm = {
  ...{ code: '', was: '', kind: 'percent', value: '', plans: null, until: '', most: '' },
  ...{ codes: '', renewals: '' },
};

export function couponFormOf(code: string, coupon: Coupon): CouponForm {
  const { plans = null, until = '', max_redemptions: most = '', renewals = '', codes } = coupon;
  const terms = {
    code,
    was: code,
    plans,
    until,
    most: String(most),
    renewals: String(renewals),
    codes: `${codes?.count ?? ''}`,
  };
  return 'percent' in coupon
    ? { ...terms, kind: 'percent', value: String(coupon.percent) }
    : { ...terms, kind: 'amount', value: (coupon.amount / 100).toFixed(2) };
}

export function couponIn(fields: URLSearchParams): CouponForm {
  const typed = (name: string) => (fields.get(name) ?? '').trim();
  return {
    code: typed('code').toUpperCase(),
    was: typed('was'),
    kind: typed('kind') === 'amount' ? 'amount' : 'percent',
    value: typed('value'),
    plans: typed('scope') === 'all' ? null : fields.getAll('plans'),
    until: typed('until'),
    most: typed('most'),
    renewals: typed('renewals'),
    codes: typed('codes'),
  };
}

/** In words. A coupon's amount applies in every currency. @param code where the sentence names it */
export function couponTerms(
  coupon: Coupon,
  nameOf: (product: string) => string,
  code = '',
): string {
  const { plans, until, max_redemptions: most, renewals, codes } = coupon;
  const off = 'percent' in coupon ? `${coupon.percent}%` : decimal(coupon.amount, 'USD');
  const next = renewals === 1 ? 'renewal' : `${renewals} renewals`;
  return [
    `${off} off the first payment${renewals ? ` and the next ${next}` : ''}${code && ` with the code ${code}`}`,
    plans
      ? `for ${plans.map(nameOf).join(', ')}`
      : 'for every plan that has no discount of its own and does not begin free',
    ...(until ? [`until ${until}`] : []),
    ...(most ? [`at most ${most.toLocaleString('en')} redemptions`] : []),
    ...(codes ? [`${codes.count.toLocaleString('en')} codes of one redemption each`] : []),
  ].join('; ');
}

/** As in `config.json`. What is no number stays as typed, so that the check names it. */
function couponOf(
  { kind, value, plans, until, most, renewals, codes }: CouponForm,
  seed: string,
): Record<string, unknown> {
  return {
    ...(kind === 'amount'
      ? { amount: typedAmount(value, 2) ?? value }
      : { percent: Number(value) || value }),
    ...(plans && { plans }),
    ...(until && { until }),
    ...(most && { max_redemptions: Number(most) || most }),
    ...(renewals && { renewals: Number(renewals) || renewals }),
    ...(codes && { codes: { count: Number(codes) || codes, seed } }),
  };
}

interface Written {
  coupons?: Record<string, { codes?: { seed?: string } }>;
}

const newSeed = () => crypto.randomUUID().replaceAll('-', '');

/** `config.json` with a coupon added, changed, renamed or removed. More codes leave the first ones valid. */
export function withCoupon(config: string, form: CouponForm, isRemoved: boolean): string {
  const document = JSON.parse(config) as Written;
  const seed = document.coupons?.[form.was]?.codes?.seed ?? newSeed();
  const changed = isRemoved ? form.code : form.was;
  const coupons = Object.entries(document.coupons ?? {}).filter(([code]) => code !== changed);
  if (!isRemoved) coupons.push([form.code, couponOf(form, seed)]);
  return JSON.stringify({ ...document, coupons: Object.fromEntries(coupons) }, null, 2);
}
