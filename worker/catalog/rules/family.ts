import type { Tier } from './prices.ts';

/** A slot has at most one active subscription. */
export type Slot = 'main' | 'upsell' | 'guide';

export type Period = 'month' | 'quarter' | 'once';
export interface Family<Price> {
  slot: Slot;
  /** This plan is sold only with an active purchase in that slot, and ends with it. */
  dependsOn: Slot | null;
  /** Name at the providers and on their receipts; not translated. */
  productId: string;
  period: Period;
  /** Each renewal, before the built-in coupon. */
  price: Price;
  /** Today's charge, before coupons. */
  today: Price;
  introDays: 0 | 3 | 5 | 7;
  /** How long access lasts while a renewal is unpaid. */
  graceDays: number;
  /** The struck-out price. */
  list?: Price;
  coupon?: BuiltInCoupon;
}

/** Each price names its row of `prices.ts`. */
export type FamilyRow = Family<Tier>;

export interface BuiltInCoupon {
  code: string;
  percent: number;
}
