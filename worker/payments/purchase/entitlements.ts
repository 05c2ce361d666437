import type { Slot } from '../../catalog/rules/plans.ts';
import type { AccountId } from '../../platform/types.ts';
import type { Subscription } from './state.ts';
import { accessUntil, stateOf } from './subscription.ts';

export interface Entitlement {
  slot: Slot;
  kind: 'plan' | 'extra';
  /** The plan's id, such as `monthly_7d_eur`. */
  plan: string;
  /**
   * `subscription`: paid and renewing. `grace`: a renewal is late. `kept_until_end`: not renewing, and paid until
   * then. `gift`: the operator gave the running period away. `purchase`: paid once, without an end. `provisional`: the debit has not been confirmed yet.
   */
  reason: 'subscription' | 'grace' | 'kept_until_end' | 'gift' | 'purchase' | 'provisional';
  /** Access ends then unless something changes. Ms since 1970; null for no end. */
  until: number | null;
}

export interface Entitlements {
  account: AccountId;
  /** Increases by one with each change; 0 for an account without any purchase. */
  version: number;
  active: Entitlement[];
}

const order: Record<Slot, number> = { main: 0, upsell: 1, guide: 2 };

function reasonOf(subscription: Subscription): Entitlement['reason'] {
  if (subscription.isProvisional) return 'provisional';
  if (subscription.plan.period === 'once') return 'purchase';
  const state = stateOf(subscription);
  const { giftUntil, paidUntil } = subscription;
  if (state === 'active') return giftUntil && giftUntil === paidUntil ? 'gift' : 'subscription';
  return state === 'past_due' ? 'grace' : 'kept_until_end';
}

const endOf = ({ until }: Entitlement) => until ?? Number.POSITIVE_INFINITY;

export const activeAt = (entitlements: readonly Entitlement[], now: number): Entitlement[] =>
  entitlements.filter((one) => endOf(one) > now);

/** One per slot: of two subscriptions in one slot, the one that lasts longer. */
export function entitlementsOf(subscriptions: readonly Subscription[], now: number): Entitlement[] {
  const all = subscriptions
    .filter(({ withdrawnAt }) => withdrawnAt === null)
    .map((subscription): Entitlement => {
      const { slot, plan } = subscription;
      const until = accessUntil(subscription);
      return {
        slot,
        kind: slot === 'main' ? 'plan' : 'extra',
        plan: plan.id,
        reason: reasonOf(subscription),
        until: Number.isFinite(until) ? until : null,
      };
    });
  return activeAt(all, now)
    .toSorted((a, b) => order[a.slot] - order[b.slot] || endOf(b) - endOf(a))
    .filter(({ slot }, at, sorted) => sorted[at - 1]?.slot !== slot);
}

/** The earliest end, ms since 1970; null if there is none. */
export function nextEnd(active: readonly Entitlement[]): number | null {
  const ends = active.flatMap(({ until }) => until ?? []);
  return ends.length > 0 ? Math.min(...ends) : null;
}
