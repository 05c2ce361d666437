import {
  afterRenewal,
  isFreeTrial,
  type Plan,
  trialNoticeDays,
} from '../../catalog/rules/plans.ts';
import { dayMs } from '../../platform/durations.ts';
import { type EpochMs, epochMs } from '../../platform/types.ts';
import type { PlanChange } from '../purchase/change-state.ts';
import { upcomingPlan } from '../purchase/price-raise.ts';
import { owesNotice } from '../purchase/renewal-notice.ts';
import type { Attempt, Subscription } from '../purchase/state.ts';
import { about, type Notice, type Receipt, receiptOf } from './email-notices.ts';

export function remindAt(
  plan: Pick<Plan, 'introDays' | 'today'>,
  paidUntil: EpochMs | null,
): EpochMs | null {
  const { introDays } = plan;
  if (introDays === 0 || paidUntil === null) return null;
  if (!isFreeTrial(plan)) return epochMs(paidUntil - dayMs);
  return introDays > trialNoticeDays ? epochMs(paidUntil - trialNoticeDays * dayMs) : null;
}

/** A gateway may move the end of an intro by hours. */
const reminderLeadMs = 2 * dayMs;

/** Null if nothing will be charged then: after the renewal, or for a time that a change left behind. */
export function reminderOf(
  attempt: Attempt,
  subscription: Subscription,
  now: number,
): Notice | null {
  const { paidUntil: renews, pausesUntil, ends, cancelRequestedAt, status } = subscription;
  const { trialUntil } = subscription;
  if (
    pausesUntil !== null &&
    cancelRequestedAt === null &&
    status !== 'ended' &&
    pausesUntil > now
  ) {
    const data = { ...about({ ...attempt, plan: subscription.plan }, now), renews: pausesUntil };
    const id = `pause_reminder:${attempt.id}:${pausesUntil}`;
    return { id, template: 'pause_reminder', until: pausesUntil, data };
  }
  const stays = status === 'active' && !ends && cancelRequestedAt === null;
  const isTrial = trialUntil !== null && renews !== null && renews <= trialUntil + dayMs;
  if (!isTrial && owesNotice(subscription, now)) {
    const plan = upcomingPlan(subscription);
    const data = { ...about({ ...attempt, plan }, now), renews: subscription.paidUntil };
    const id = `renewal_reminder:${attempt.id}:${renews}`;
    return { id, template: 'renewal_reminder', until: renews, data: { ...data, early: true } };
  }
  const leadMs = isTrial ? trialNoticeDays * dayMs + dayMs : reminderLeadMs;
  if (!stays || renews === null || renews <= now || renews > now + leadMs) return null;
  const data = { ...about({ ...attempt, plan: subscription.plan }, now), renews };
  return {
    id: `renewal_reminder:${attempt.id}`,
    template: 'renewal_reminder',
    until: renews,
    data,
  };
}

export function cancellationNotice(
  attempt: Attempt,
  { plan, paidUntil: ends, cancelRequestedAt, earlyEnd }: Subscription,
  now: number,
): Notice {
  const back = earlyEnd && { back: earlyEnd.back };
  const data = { ...about({ ...attempt, plan }, now), ends, ...back };
  const id = `cancellation:${attempt.id}:${cancelRequestedAt}`;
  return { id, template: 'cancellation', until: null, data };
}

export function extraEndedNotice(
  attempt: Attempt,
  { plan, paidUntil: ends, cancelRequestedAt, earlyEnd }: Subscription,
  now: number,
): Notice {
  const back = earlyEnd && { back: earlyEnd.back };
  const data = { ...about({ ...attempt, plan }, now), ends, ...back };
  const id = `extra_ended:${attempt.id}:${cancelRequestedAt}`;
  return { id, template: 'extra_ended', until: null, data };
}

export function resumptionNotice(
  attempt: Attempt,
  { plan, paidUntil, resumedAt }: Subscription,
  now: number,
): Notice {
  const data = { ...about({ ...attempt, plan }, now), renews: paidUntil ?? now };
  return { id: `resumption:${attempt.id}:${resumedAt}`, template: 'resumption', until: null, data };
}

type MadeChange = PlanChange & Pick<Receipt, 'tax'>;

/** Null for a change that the payment's own receipt tells. */
export function changeNotice(attempt: Attempt, change: MadeChange, now: number): Notice | null {
  const { kind } = change;
  if (kind === 'restart' || kind === 'agree' || kind === 'raise') return null;
  const { id, plan, amount: paid, credit, takesEffectAt, until, next, paymentId } = change;
  const data = {
    ...about({ ...attempt, plan: paid > 0 ? afterRenewal(plan) : plan }, now),
    kind,
    paid,
    credit,
    takesEffectAt,
    until,
    next,
    ...receiptOf(attempt, paid > 0 && paymentId ? paymentId : undefined, change.tax),
  };
  return { id: `plan_change:${attempt.id}:${id}`, template: 'plan_change', until: null, data };
}
