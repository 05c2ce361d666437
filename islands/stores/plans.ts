import { map } from 'nanostores';
import type { PlanView } from '../../worker/catalog/rules/plans.ts';
import { persist } from '../runtime/storage/persist.ts';
import { updateSlice } from '../runtime/storage/update-slice.ts';
import { track } from '../runtime/tracking/track.ts';

export interface Coupon {
  code: string;
  plan: string;
  /** Deducted from today's charge, minor units. */
  discount: number;
  /** How many renewals cost less, with what they cost from when on. */
  renewals?: number;
  renewal_discount?: number;
  rows?: [date: string, price: string][];
  sentence?: string;
}

export interface Plans {
  showCheckout: boolean;
  flowType: string;
  /** Selected plan id, such as `monthly_usd`. */
  plan: string;
  upsellPlan: string;
  planDetails: PlanView | null;
  couponDetails: Coupon | null;
  /** Whether an intro price was refused, because the buyer had one before. */
  introRefused: boolean;
}

declare module '../runtime/storage/update-slice.ts' {
  interface Slices {
    plans: Plans;
  }
}

export const $plans = map<Plans>({
  showCheckout: false,
  flowType: 'default',
  plan: '',
  upsellPlan: '',
  planDetails: null,
  couponDetails: null,
  introRefused: false,
});
persist('plans', $plans);

/** The plan with that id, else the preselected one. */
export function chosenOf(plans: readonly PlanView[], id: string): PlanView | undefined {
  return (
    plans.find((plan) => plan.id === id) ?? plans.find(({ preselected }) => preselected) ?? plans[0]
  );
}

export function setShowCheckout(show: boolean): void {
  $plans.setKey('showCheckout', show);
  if (show) track('checkout_screen_load', {}, 'visit');
}

export function refuseIntro(): void {
  $plans.setKey('introRefused', true);
}

export function setUpsellPlan(id: string): void {
  $plans.setKey('upsellPlan', id);
}

export function setFlowType(flowType: string | null | undefined): void {
  if (flowType) $plans.setKey('flowType', flowType);
}

export function todayOf({ id, periodPrice }: PlanView, coupon: Coupon | null): number {
  return coupon?.plan === id ? periodPrice - coupon.discount : periodPrice;
}

export function codeFor({ id }: PlanView, coupon: Coupon | null): string | undefined {
  return coupon?.plan === id ? coupon.code : undefined;
}

/** Nothing if the coupon was changed on the page meanwhile. */
export function couponShown(plan: string, code: string | undefined) {
  const { couponDetails: coupon } = $plans.get();
  return coupon?.plan === plan && coupon.code === code
    ? { coupon_discount: coupon.discount, coupon_renewals: coupon.renewals }
    : {};
}

export function setCouponDetails(coupon: Plans['couponDetails']): void {
  updateSlice('plans', { couponDetails: coupon });
}
