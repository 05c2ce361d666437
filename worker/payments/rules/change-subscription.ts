import { epochMs } from '../../types.ts';
import type { ChangeKind, ChangeOutcome, PlanChange } from './plan-change.ts';
import { changed, type Subscription } from './subscription.ts';

const day = 24 * 60 * 60_000;
/** How long before the end of a pause its owner is reminded. */
const pauseReminderMs = 3 * day;

/** Its owner decided again after confirming a change. */
export const isCancelledSince = (
  { cancelAskedAt }: Pick<Subscription, 'cancelAskedAt'>,
  { openedAt }: PlanChange,
): boolean => cancelAskedAt !== null && cancelAskedAt > openedAt;

/** The subscription after a change was made. A cancellation that came meanwhile is still to be made. */
export function changeSubscription(
  before: Subscription,
  change: PlanChange,
  made: Extract<ChangeOutcome, { kind: 'done' }>,
  now: number,
): Subscription {
  const { id, kind, plan, until, amount, next } = change;
  const { earlier, subscriptionId, cancelAskedAt } = before;
  const isReplaced = made.subscriptionId && made.subscriptionId !== subscriptionId;
  const paymentIds = made.payment ? [...earlier.paymentIds, made.payment.id] : earlier.paymentIds;
  const base: Partial<Subscription> = {
    ...(isReplaced && { subscriptionId: id }),
    earlier: {
      subscriptionIds:
        isReplaced && subscriptionId
          ? [...earlier.subscriptionIds, subscriptionId]
          : earlier.subscriptionIds,
      paymentIds,
    },
    status: 'active',
    ends: false,
    cancelAskedAt: null,
    resumedAt: null,
    pausesUntil: null,
    nextPlan: null,
    dueAt: now,
  };
  const paid = { paidUntil: next.at, paidSince: { plan, at: epochMs(now) } };
  const effects: Record<ChangeKind, Partial<Subscription>> = {
    upgrade: { ...paid, plan },
    switch: { nextPlan: plan },
    pause: { pausesUntil: until, remindAt: until && until - pauseReminderMs },
    resume: { ...(amount > 0 && paid), remindAt: null },
    continue: {},
  };
  const cancelled = isCancelledSince(before, change) ? { cancelAskedAt, nextPlan: null } : {};
  return changed(before, { ...base, ...effects[kind], ...cancelled }, now);
}
