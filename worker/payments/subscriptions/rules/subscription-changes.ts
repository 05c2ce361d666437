import { firstRenewal } from '../../../catalog/rules/renewal-date.ts';
import { dayMs } from '../../../platform/durations.ts';
import { epochMs } from '../../../platform/types.ts';
import { remindAt } from '../../notices/subscription-notices.ts';
import type { ChangeOutcome, PlanChange } from '../../purchase/change-state.ts';
import { gatewayTraits } from '../../purchase/gateway-traits.ts';
import { sendLimitMs } from '../../purchase/gateway-try.ts';
import type { Movements } from '../../purchase/money-movements.ts';
import { isLong, noticeAt, noticeLeadMs } from '../../purchase/renewal-notice.ts';
import type { EarlyEnd } from '../../purchase/renewal-state.ts';
import type { Attempt, Subscription } from '../../purchase/state.ts';
import {
  blankSubscription,
  changed,
  requestCancellation,
  stateOf,
} from '../../purchase/subscription.ts';
import { monthMs, webhookGraceMs } from '../../purchase/sync-schedule.ts';

/** The subscription and the first payment of a successful attempt. @throws RangeError without a charge */
export function startSubscription(
  attempt: Attempt,
  now: number,
): { subscription: Subscription; movements: Movements } {
  const { id, slot, plan, gateway, charge } = attempt;
  if (!charge) throw new RangeError(`attempt ${id} bought nothing`);
  // A payment may be found long after it was made, but none is made later than this.
  const paidAt = epochMs(Math.min(now, attempt.openedAt + 2 * sendLimitMs));
  const paidUntil = firstRenewal(plan, paidAt);
  const { paymentId, customerId, subscriptionId, amount, tax } = charge;
  const subscription: Subscription = {
    ...blankSubscription,
    ...{ attempt: id, slot, plan, gateway, customerId, subscriptionId },
    status: 'active',
    paidUntil,
    trialUntil: paymentId === null ? paidUntil : null,
    ends: false,
    dueAt: paidUntil === null ? now + monthMs : paidUntil + webhookGraceMs,
    version: 1,
  };
  return {
    subscription: {
      ...subscription,
      remindAt: remindAt(plan, paidUntil) ?? noticeAt(subscription, now),
    },
    movements:
      paymentId === null
        ? []
        : [{ kind: 'capture', id: paymentId, paymentId, amount, tax, at: paidAt }],
  };
}

/** Confirms a provisional subscription after its debit was paid; the owner's pending requests follow next. */
export function confirmProvisional(
  { paidUntil, cancelRequestedAt, withdrawnAt, version }: Subscription,
  started: Subscription,
  now: number,
): Subscription {
  const requests = { paidUntil, cancelRequestedAt, withdrawnAt, version: version + 1 };
  const hasRequest = cancelRequestedAt !== null || withdrawnAt !== null;
  return { ...started, ...requests, ...(hasRequest && { remindAt: null, dueAt: now }) };
}

/** A cancellation can be undone until it takes effect, but not after a lost dispute. */
export function mayResume(
  subscription: Subscription,
  rows: readonly { kind: string }[],
  now: number,
): boolean {
  const { gateway, status, withdrawnAt, paidUntil, earlyEnd } = subscription;
  if (earlyEnd) return false;
  const ending = status === 'active' && !withdrawnAt && stateOf(subscription) === 'ending';
  const runs = paidUntil !== null && paidUntil - gatewayTraits[gateway].lastResumeMs > now;
  return ending && runs && !rows.some(({ kind }) => kind === 'dispute');
}

export function resume(subscription: Subscription, now: number): Subscription {
  const again = { cancelRequestedAt: null, resumedAt: now, ends: false, dueAt: now };
  return changed(subscription, again, now);
}

export const endEarly = (subscription: Subscription, earlyEnd: EarlyEnd, now: number) => {
  const end = { earlyEnd, paidUntil: earlyEnd.at, resumedAt: null, dueAt: now };
  return changed(requestCancellation(subscription, now), end, now);
};

/** Ends the subscription and makes everything paid refundable. Idempotent. */
export function withdraw(subscription: Subscription, now: number): Subscription {
  if (subscription.withdrawnAt) return subscription;
  return {
    ...requestCancellation(subscription, now),
    withdrawnAt: now,
    remindAt: null,
    dueAt: now,
    version: subscription.version + 1,
  };
}

/** How long before the end of a pause its owner is reminded. */
const pauseReminderMs = 3 * dayMs;

/** Whether the owner cancelled after confirming a change. */
export const isCancelledSince = (
  { cancelRequestedAt }: Pick<Subscription, 'cancelRequestedAt'>,
  { openedAt }: PlanChange,
): boolean => cancelRequestedAt !== null && cancelRequestedAt > openedAt;

/** The subscription after a change was made. A cancellation requested meanwhile is still pending. */
export function changeSubscription(
  before: Subscription,
  change: PlanChange,
  made: Extract<ChangeOutcome, { kind: 'done' }>,
  now: number,
): Subscription {
  const { id, kind, plan, until, amount, next, credited = [] } = change;
  const { earlier, subscriptionId, cancelRequestedAt } = before;
  const isReplaced = made.subscriptionId && made.subscriptionId !== subscriptionId;
  const paymentIds = made.payment ? [...earlier.paymentIds, made.payment.id] : earlier.paymentIds;
  const ids: Partial<Subscription> = {
    ...(isReplaced && { subscriptionId: id }),
    earlier: {
      subscriptionIds:
        isReplaced && subscriptionId
          ? [...earlier.subscriptionIds, subscriptionId]
          : earlier.subscriptionIds,
      paymentIds,
    },
  };
  if (kind === 'restart') return changed(before, { ...ids, isRestartDue: false, dueAt: now }, now);
  const base: Partial<Subscription> = {
    ...ids,
    status: 'active',
    ends: false,
    cancelRequestedAt: null,
    resumedAt: null,
    pausesUntil: null,
    nextPlan: null,
    dueAt: now,
  };
  const paid = { paidUntil: next.at, paidSince: { plan, at: epochMs(now), credited } };
  const effects: Record<Exclude<PlanChange['kind'], 'restart'>, Partial<Subscription>> = {
    upgrade: { ...paid, plan, remindAt: null },
    switch: { nextPlan: plan },
    pause: {
      pausesUntil: until,
      remindAt: until && until - (isLong(plan) ? noticeLeadMs : pauseReminderMs),
    },
    resume: { ...(amount > 0 && paid), remindAt: null },
    continue: {},
    raise: { nextPlan: plan },
    agree: {},
  };
  const cancelled = isCancelledSince(before, change) ? { cancelRequestedAt, nextPlan: null } : {};
  return changed(before, { ...base, ...effects[kind], ...cancelled }, now);
}
