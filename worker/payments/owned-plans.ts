import { type Plan, planById } from '../catalog/plans.ts';
import type { LedgerRow } from './purchase-projection.ts';
import type { PurchaseStorage } from './purchase-storage.ts';
import { netRows } from './rules/money-movements.ts';
import type { Terms } from './rules/new-attempt.ts';
import type { Subscription } from './rules/subscription.ts';

/** A subscription with its plan and its net ledger rows, oldest first. */
export interface OwnedSubscription {
  subscription: Subscription;
  plan: Plan;
  rows: LedgerRow[];
  /** Code of the purchase's coupon. */
  coupon: string | null;
  /** The text beside the button; null when it was not stored. */
  terms: Terms | null;
}

/** Every subscription of the account, ended or not. */
export function listOwned(ledger: PurchaseStorage): OwnedSubscription[] {
  const rows = ledger.rows();
  return ledger.subscriptions().flatMap((subscription) => {
    const plan = planById(subscription.plan);
    const own = netRows(rows.filter(({ attempt }) => attempt === subscription.attempt));
    const { terms = null, coupon = null } = ledger.attempt(subscription.attempt) ?? {};
    return plan ? [{ subscription, plan, rows: own, coupon, terms }] : [];
  });
}
