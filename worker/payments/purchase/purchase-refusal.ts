import type { ErrorCode } from '../../platform/errors.ts';
import type { Subscription } from './state.ts';
import { accessUntil, stateOf } from './subscription.ts';

/** How an account stands with a slot. `pausing`: usable until its confirmed pause begins. `unpaid`: past due after the grace period. */
export type Standing =
  | 'none'
  | 'open'
  | 'provisional'
  | 'active'
  | 'pausing'
  | 'paused'
  | 'past_due'
  | 'unpaid'
  | 'ending';

/** @param subscription missing while the slot's attempt is not paid */
export function standingOf(
  isOccupied: boolean,
  subscription: Subscription | undefined,
  now: number,
): Standing {
  if (!isOccupied) return 'none';
  if (!subscription) return 'open';
  if (subscription.isProvisional) return 'provisional';
  const state = stateOf(subscription);
  const isUsable = accessUntil(subscription) > now;
  switch (state) {
    case 'ended':
      return 'none';
    case 'ending':
      // The gateway confirmed the end, and the period is over.
      return isUsable || !subscription.ends ? 'ending' : 'none';
    case 'paused':
      return 'paused';
    case 'past_due':
      return isUsable ? 'past_due' : 'unpaid';
    case 'active':
      if (subscription.pausesUntil !== null) return isUsable ? 'pausing' : 'paused';
      return isUsable ? 'active' : 'unpaid';
    default:
      return state satisfies never;
  }
}

type Answer = Extract<
  ErrorCode,
  | 'main_plan_required'
  | 'purchase_in_progress'
  | 'debit_pending'
  | 'already_active'
  | 'plan_paused'
  | 'payment_overdue'
  | 'plan_unpaid'
  | 'plan_ending'
>;

/**
 * The answer to a purchase in each standing; null if it is sold. `same`: of the same plan, where `retry` returns the
 * attempt's result again. `other`: of another plan in the slot. `extra`: of an extra, by the standing of its plan.
 */
export const answers: Record<
  Standing,
  { same: Answer | 'retry' | null; other: Answer | null; extra: Answer | null }
> = {
  none: { same: null, other: null, extra: 'main_plan_required' },
  open: { same: 'retry', other: 'purchase_in_progress', extra: 'purchase_in_progress' },
  provisional: { same: 'retry', other: 'debit_pending', extra: 'debit_pending' },
  active: { same: 'retry', other: 'already_active', extra: null },
  pausing: { same: 'retry', other: 'already_active', extra: 'plan_paused' },
  paused: { same: 'plan_paused', other: 'plan_paused', extra: 'plan_paused' },
  past_due: { same: 'payment_overdue', other: 'payment_overdue', extra: 'payment_overdue' },
  unpaid: { same: 'plan_unpaid', other: 'plan_unpaid', extra: 'plan_unpaid' },
  ending: { same: 'plan_ending', other: 'plan_ending', extra: 'plan_ending' },
};
