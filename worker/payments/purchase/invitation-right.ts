import type { ErrorCode } from '../../platform/errors.ts';
import type { Subscription } from './state.ts';
import { accessUntil, stateOf } from './subscription.ts';

export interface InvitationRight {
  /** Why the account may neither invite nor see a location now; null if it may. */
  refusal: ErrorCode | null;
  /** Every invitation requested until then has ended, even if its object was not told. Ms since 1970. */
  endedUntil: number;
}

/** Whether the money of its plan has arrived, and nobody asks for it back. */
const isSettled = ({ isProvisional, isDisputed }: Subscription) => !isProvisional && !isDisputed;

const plansOf = (subscriptions: readonly Subscription[]) =>
  subscriptions.filter(({ slot, withdrawnAt }) => slot === 'main' && withdrawnAt === null);

/** When an account may no longer invite or see a location unless something changes. Ms since 1970; 0 for long ago. */
export const invitationRightUntil = (subscriptions: readonly Subscription[]): number =>
  Math.max(0, ...plansOf(subscriptions).filter(isSettled).map(accessUntil));

/** Why an account may neither invite nor see a location now; null if it may. */
export function invitationRefusal(
  subscriptions: readonly Subscription[],
  now: number,
): ErrorCode | null {
  if (invitationRightUntil(subscriptions) > now) return null;
  const plans = plansOf(subscriptions).filter(({ status }) => status !== 'ended');
  const usable = plans.filter((plan) => accessUntil(plan) > now);
  if (usable.some(({ isDisputed }) => isDisputed)) return 'payment_disputed';
  if (usable.length > 0) return 'payment_unconfirmed';
  if (plans.some((plan) => stateOf(plan) !== 'ending' && plan.pausesUntil !== null))
    return 'plan_paused';
  const isLate = plans.some((plan) => ['active', 'past_due'].includes(stateOf(plan)));
  return isLate ? 'payment_overdue' : 'main_plan_required';
}
