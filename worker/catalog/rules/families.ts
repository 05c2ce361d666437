import type { BuiltInCoupon, FamilyRow, Period } from './family.ts';
import type { Tier } from './prices.ts';

const graceDays = 7;

/** Purchases store the code, so a different percentage needs a new code. */
const upsellCoupon: BuiltInCoupon = { code: 'UPSELL30', percent: 30 };

const plan = (
  productId: string,
  period: Period,
  price: Tier,
  { today, introDays }: Pick<FamilyRow, 'today' | 'introDays'> = { today: price, introDays: 0 },
): FamilyRow => ({
  slot: 'main',
  dependsOn: null,
  productId,
  period,
  price,
  today,
  introDays,
  graceDays,
});
const upsell = (period: Period, price: Tier, coupon?: BuiltInCoupon): FamilyRow => ({
  slot: 'upsell',
  dependsOn: 'main',
  productId: `Anonymous mode and private chat, ${period === 'month' ? 'monthly' : 'quarterly'}`,
  period,
  price,
  today: price,
  introDays: 0,
  graceDays,
  ...(coupon && { coupon }),
});
const guide = (price: Tier, list: Tier): FamilyRow => ({
  slot: 'guide',
  dependsOn: 'main',
  productId: 'Family safety toolkit',
  period: 'once',
  price,
  today: price,
  introDays: 0,
  graceDays,
  list,
});

export const families = {
  monthly: plan('Monthly plan', 'month', 3999),
  quarterly: plan('Quarterly plan', 'quarter', 5999),
  monthly_7d: plan('Monthly plan, 7-day intro', 'month', 3999, { today: 699, introDays: 7 }),
  monthly_5d: plan('Monthly plan, 5-day intro', 'month', 3999, { today: 499, introDays: 5 }),
  monthly_3d: plan('Monthly plan, 3-day intro', 'month', 3999, { today: 299, introDays: 3 }),
  upsell_monthly_999: upsell('month', 999, upsellCoupon),
  upsell_monthly_799: upsell('month', 799),
  upsell_monthly_599: upsell('month', 599),
  upsell_quarterly_999: upsell('quarter', 999, upsellCoupon),
  upsell_quarterly_799: upsell('quarter', 799),
  upsell_quarterly_599: upsell('quarter', 599),
  guide_899: guide(899, 2899),
  guide_1799: guide(1799, 3799),
} as const satisfies Record<string, FamilyRow>;
