import { type Plan, planById } from '../catalog/plans.ts';
import type { LedgerRow } from './purchase-projection.ts';
import type { PurchaseStorage } from './purchase-storage.ts';
import { netRows } from './rules/money-movements.ts';
import type { Terms } from './rules/new-attempt.ts';
import type { Subscription } from './rules/subscription.ts';

/** Something that an account bought, its plan, and the money that moved for it, oldest first. */
export interface OwnedSubscription {
  subscription: Subscription;
  plan: Plan;
  rows: LedgerRow[];
  /** Code of the coupon that it was bought with. */
  coupon: string | null;
  /** What the buyer was shown; null when that was not kept. */
  terms: Terms | null;
}

/** All that an account ever bought, ended or not. */
export function listOwned(ledger: PurchaseStorage): OwnedSubscription[] {
  const rows = ledger.rows();
  return ledger.subscriptions().flatMap((subscription) => {
    const plan = planById(subscription.plan);
    const own = netRows(rows.filter(({ attempt }) => attempt === subscription.attempt));
    const { terms = null, coupon = null } = ledger.attempt(subscription.attempt) ?? {};
    return plan ? [{ subscription, plan, rows: own, coupon, terms }] : [];
  });
}
