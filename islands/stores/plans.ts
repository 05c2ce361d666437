import { map } from 'nanostores';
import type { PlanView } from '../../worker/catalog/plans.ts';
import { persist } from '../runtime/storage/persist.ts';
import { track } from '../runtime/tracking/track.ts';

/** A coupon that the server takes for a plan. */
export interface Coupon {
  code: string;
  /** Plan id. */
  plan: string;
  /** Minor units off today's charge. */
  discount: number;
}

interface Plans {
  showCheckout: boolean;
  flowType: string;
  /** Id of the chosen plan, such as `monthly_usd`. */
  plan: string;
  upsellPlan: string;
  planDetails: PlanView | null;
  couponDetails: Coupon | null;
  /** Whether an intro was refused, because its buyer had one before. */
  introRefused: boolean;
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

/** Chooses a plan. */
export function selectPlan(plan: PlanView): void {
  $plans.set({ ...$plans.get(), plan: plan.id, planDetails: plan });
}

/** The chosen plan among those on the page, the first when none of them was chosen. */
export function chosenOf(plans: readonly PlanView[], id: string): PlanView | undefined {
  return plans.find((plan) => plan.id === id) ?? plans[0];
}

/** Opens or closes the checkout of a paywall. */
export function setShowCheckout(show: boolean): void {
  $plans.setKey('showCheckout', show);
  if (show) track('checkout_screen_load', {}, 'visit');
}

/** Has the plans at their full price take the place of those with an intro. */
export function refuseIntro(): void {
  $plans.setKey('introRefused', true);
}

export function setUpsellPlan(id: string): void {
  $plans.setKey('upsellPlan', id);
}

/** Sets the flow type; an empty one is not taken. */
export function setFlowType(flowType: string | null | undefined): void {
  if (flowType) $plans.setKey('flowType', flowType);
}

/** What a plan costs today, in minor units: less the coupon, where that was checked for this plan. */
export function todayOf({ id, periodPrice }: PlanView, coupon: Coupon | null): number {
  return coupon?.plan === id ? periodPrice - coupon.discount : periodPrice;
}

/** The code of the coupon that lowers what a plan costs today. */
export function codeFor({ id }: PlanView, coupon: Coupon | null): string | undefined {
  return coupon?.plan === id ? coupon.code : undefined;
}

export function setCouponDetails(coupon: Plans['couponDetails']): void {
  $plans.setKey('couponDetails', coupon);
}
