import type { MerchantDiscount } from './discounts.ts';
import type { MerchantPlan } from './merchant-plans.ts';
import type { BraintreeState } from './state.ts';

/** What every part of the fake works with. */
export interface World {
  state: BraintreeState;
  /** ms since 1970. */
  now(): number;
  /** Tells whoever listens that something happened; see `notifications.ts`. */
  tell(kind: string, subject: object): void;
  /** Charges of these methods are declined from now on, by token: the code. */
  declines: Map<string, string>;
  /** Months of a billing cycle, by the plan's id. */
  cycleOf(planId: string): number | undefined;
  plans: readonly MerchantPlan[];
  discounts: readonly MerchantDiscount[];
  /** How far the search is behind, in ms. */
  searchLag: number;
  /** For how long a sale like one before is refused, in ms. */
  duplicateWindow: number;
}
