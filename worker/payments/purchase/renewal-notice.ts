import { monthsOfPeriod } from '../../../locales/format/periods.ts';
import type { Plan } from '../../catalog/rules/plans.ts';
import { dayMs } from '../../platform/durations.ts';
import { type EpochMs, epochMs } from '../../platform/types.ts';
import type { Subscription } from './state.ts';

/** Also within the 15 to 45 days of California for a term of a year (Business and Professions Code 17602). */
export const noticeLeadMs = 21 * dayMs;
/** Later than this it is not sent: only an alarm that is weeks late could. */
const leastNoticeMs = 7 * dayMs;

export const isLong = ({ period }: Pick<Plan, 'period'>): boolean => monthsOfPeriod[period] >= 6;

type Facts = Pick<
  Subscription,
  | 'plan'
  | 'nextPlan'
  | 'status'
  | 'ends'
  | 'cancelRequestedAt'
  | 'withdrawnAt'
  | 'paidUntil'
  | 'pausesUntil'
  | 'isProvisional'
  | 'remindedUntil'
>;

/** A gateway may move the day by hours. */
export const isSameRenewal = (paidUntil: EpochMs, remindedUntil: EpochMs | null): boolean =>
  remindedUntil !== null && paidUntil < remindedUntil + leastNoticeMs;

/** Whether a renewal that ends or begins half a year or more is still to be announced. */
export function owesNotice(facts: Facts, now: number): facts is Facts & { paidUntil: EpochMs } {
  const { plan, nextPlan, status, ends, cancelRequestedAt, withdrawnAt } = facts;
  const { paidUntil, pausesUntil, isProvisional, remindedUntil } = facts;
  const renews = status === 'active' && !ends && !isProvisional && withdrawnAt === null;
  if (!renews || cancelRequestedAt !== null || pausesUntil !== null || paidUntil === null)
    return false;
  return (
    !isSameRenewal(paidUntil, remindedUntil) &&
    [plan, nextPlan ?? plan].some(isLong) &&
    paidUntil - now >= leastNoticeMs
  );
}

/** When the next renewal is announced. Null after a change in the last weeks, whose own e-mail announces it. */
export const noticeAt = (facts: Facts, now: number): EpochMs | null =>
  owesNotice(facts, now + noticeLeadMs - leastNoticeMs)
    ? epochMs(facts.paidUntil - noticeLeadMs)
    : null;
