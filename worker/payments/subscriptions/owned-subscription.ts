import type { Terms } from '../../catalog/accepted-terms.ts';
import { builtInCatalog } from '../../catalog/rules/catalog.ts';
import type { Plan } from '../../catalog/rules/plans.ts';
import type { Minor } from '../../platform/types.ts';
import type { LedgerRow } from '../ledger/ledger-table.ts';
import type { Subscription } from '../purchase/state.ts';
import {
  plansOf,
  type StoredChange,
  type StoredSubscription,
  storedSubscription,
  subscriptionOf,
} from '../storage/stored-records.ts';

interface Owned {
  boughtPlan: Plan;
  rows: LedgerRow[];
  coupon: string | null;
  terms: Terms | null;
  amount: Minor;
  /** Confirmed, and not known to be made. */
  pendingChange: StoredChange | null;
}

/** A subscription of an account with what was paid for it. */
export interface OwnedPurchase extends Owned {
  subscription: Subscription;
}

/** The same as the account's object sends it to the Worker, which may be of another build. */
export interface OwnedSubscription extends Owned {
  subscription: StoredSubscription;
  plan: Plan;
  /** Those that the subscription names, as they were sold; an object of an older build does not send them. */
  plans?: Plan[];
}

export const sentPurchase = ({ subscription, ...owned }: OwnedPurchase): OwnedSubscription => ({
  ...owned,
  subscription: storedSubscription(subscription),
  plan: subscription.plan,
  plans: plansOf(subscription),
});

/** @throws RangeError for a plan that was not sent and is not built in */
export function receivedPurchase(sent: OwnedSubscription): OwnedPurchase {
  const { plan, plans = [plan], subscription, ...owned } = sent;
  const planOf = (id: string) => {
    const found = plans.find((one) => one.id === id) ?? builtInCatalog.planById(id);
    if (!found) throw new RangeError(`no plan ${id}`);
    return found;
  };
  return { ...owned, subscription: subscriptionOf(subscription, planOf) };
}
