import type { MerchantDiscount } from './discounts.ts';
import type { MerchantPlan } from './merchant-plans.ts';
import type { BraintreeState } from './state.ts';

/** The merchant account that the calls work on. */
export interface Sandbox {
  state: BraintreeState;
  /** ms since 1970. */
  now(): number;
  /** Sends a webhook; see `notifications.ts`. */
  notify(kind: string, subject: object): void;
  /** Decline codes of methods whose charges are declined, by token. */
  declines: Map<string, string>;
  /** Months of a billing cycle, by the plan's id. */
  cycleOf(planId: string): number | undefined;
  plans: readonly MerchantPlan[];
  discounts: readonly MerchantDiscount[];
  /** Ms by which the search lags. */
  searchLag: number;
  /** Ms for which a duplicate sale is refused. */
  duplicateWindow: number;
}
