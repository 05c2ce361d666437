import type { Plan } from '../../catalog/rules/plans.ts';
import { addPeriods, firstRenewal } from '../../catalog/rules/renewal-date.ts';
import { dayMs, hourMs, minuteMs } from '../../platform/durations.ts';
import { epochMs } from '../../platform/types.ts';
import { earlyRefundOf } from './early-end.ts';
import { followFailure, type Reading, takeNotice } from './failed-renewal.ts';
import {
  isPeriodReturned,
  type Movements,
  movementsOf,
  remaining,
  remainingOf,
} from './money-movements.ts';
import { debitLimitMs } from './operator-case.ts';
import { followRaise } from './price-raise.ts';
import { lateRenewals } from './refund-rights.ts';
import { noticeAt } from './renewal-notice.ts';
import type { FailureStep } from './renewal-state.ts';
import type { Statement, Subscription, SubscriptionState } from './state.ts';
import { monthMs, nextSyncAt } from './sync-schedule.ts';

export const blankSubscription = {
  subscriptionId: null,
  paidUntil: null,
  trialUntil: null,
  isProvisional: false,
  isDebited: false,
  giftUntil: null,
  waitsForMoney: false,
  pausesUntil: null,
  nextPlan: null,
  raise: null,
  earlier: { subscriptionIds: [], paymentIds: [] },
  paidSince: null,
  switchedAt: null,
  earlyEnd: null,
  isRestartDue: false,
  cancelRequestedAt: null,
  resumedAt: null,
  remindAt: null,
  remindedUntil: null,
  noticeMail: null,
  withdrawnAt: null,
  failure: null,
  cardChangedAt: null,
  isDisputed: false,
  dueAt: null,
} satisfies Partial<Subscription>;

export const withSubscriptionDefaults = <T extends object>(stored: T): T => ({
  ...blankSubscription,
  ...stored,
});

export function stateOf({
  status,
  ends,
  cancelRequestedAt,
}: Pick<Subscription, 'status' | 'ends' | 'cancelRequestedAt'>): SubscriptionState {
  switch (status) {
    case 'ended':
      return 'ended';
    case 'active':
    case 'past_due':
    case 'paused':
      return ends || cancelRequestedAt !== null ? 'ending' : status;
    default:
      return status satisfies never;
  }
}

/** Every change of a subscription is a step of the state machine. */
export function changed(
  before: Subscription,
  change: Partial<Subscription>,
  now: number,
  reading?: Reading,
): Subscription {
  const after = { ...before, ...change, version: before.version + 1 };
  const failure = followFailure(after, stateOf(after), reading, now);
  const remindAt = after.remindAt ?? noticeAt(after, now);
  return { ...after, remindAt, failure, raise: followRaise(after) };
}

/** After a free trial, access lasts only as long as a gateway may take to charge. */
function graceMs({ plan, trialUntil }: Subscription, from: number): number {
  const isTrialOver = trialUntil !== null && from <= trialUntil + dayMs;
  return Math.min(plan.graceDays, isTrialOver ? 1 : plan.graceDays) * dayMs;
}

/** Ms since 1970. Computed from stored facts, so that access ends even if the gateway does not respond. */
export function accessUntil(subscription: Subscription): number {
  const { paidUntil, pausesUntil, isProvisional, isDebited, withdrawnAt } = subscription;
  const { waitsForMoney } = subscription;
  const state = stateOf(subscription);
  if (state === 'ended' || (isProvisional && (withdrawnAt !== null || waitsForMoney))) return 0;
  if (paidUntil === null) return Number.POSITIVE_INFINITY;
  const isLate =
    !waitsForMoney && pausesUntil === null && (state === 'active' || state === 'past_due');
  const grace = graceMs(subscription, paidUntil);
  return isLate ? paidUntil + (isDebited ? Math.max(grace, debitLimitMs) : grace) : paidUntil;
}

/** Long enough to cancel, also while a gateway does not answer for a day. */
const giveUpLeadMs = 2 * dayMs;

/**
 * When a late renewal is given up, even if the gateway still plans retries: after a month, and before the next billing
 * date, on which Braintree would charge both periods at once.
 */
function giveUpAt({ plan, nextPlan }: Subscription, lateSince: number): number {
  const next = firstRenewal({ ...(nextPlan ?? plan), introDays: 0 }, lateSince);
  return Math.min(lateSince + monthMs, (next ?? Number.POSITIVE_INFINITY) - giveUpLeadMs);
}

/** The end of a period that began with a late payment; 0 without one. */
function restartedUntil({ paidSince }: Pick<Subscription, 'paidSince'>): number {
  if (!paidSince?.isLate) return 0;
  return firstRenewal({ ...paidSince.plan, introDays: 0 }, paidSince.at) ?? 0;
}

/**
 * A renewal that was paid after access had ended buys no day that is already over: its period starts with the payment.
 * One that was paid during the grace period, in which access went on, pays from when it was due. Several renewals may
 * have been paid since the last reading, so when the newest was due follows from the end of its period.
 */
function latePayment(before: Subscription, statement: Statement, plan: Plan) {
  const { paidUntil, pausesUntil } = before;
  const [newest] = statement.captures.toSorted((a, b) => b.at - a.at);
  if (!newest || plan.period === 'once' || paidUntil === null) return null;
  if (statement.paidUntil === null || statement.paidUntil <= paidUntil + dayMs) return null;
  const due = addPeriods(statement.paidUntil, plan.period, -1);
  // A pause has no grace period, and banks charge its end by days, in time zones of their own.
  const isPauseEnd = pausesUntil !== null && Math.abs(pausesUntil - due) <= 2 * dayMs;
  const lasted = accessUntil({
    ...before,
    status: 'past_due',
    cancelRequestedAt: null,
    ends: false,
  });
  const accessEnded = isPauseEnd
    ? pausesUntil + dayMs
    : Math.max(lasted, due + graceMs({ ...before, plan }, due));
  return newest.at > accessEnded ? newest.at : null;
}

/** The statement with the end of a period that began with a late payment. */
function withLatePayment(before: Subscription, read: Statement) {
  const plan = renewed(before, read).plan ?? before.plan;
  const lateAt = latePayment(before, read, plan);
  const paidSince = lateAt === null ? before.paidSince : { plan, at: lateAt, isLate: true };
  const restartedTo = restartedUntil({ paidSince });
  const isLonger = read.paidUntil !== null && restartedTo > read.paidUntil;
  const statement = isLonger ? { ...read, paidUntil: epochMs(restartedTo) } : { ...read };
  if (before.earlyEnd) statement.paidUntil = before.earlyEnd.at;
  return { statement, lateAt, paidSince, restartedTo };
}

/** A lost dispute ends the renewals; an unpaid subscription ends. */
export function applyStatement(
  before: Subscription,
  read: Statement,
  now: number,
  timeZone = 'UTC',
): { subscription: Subscription; movements: Movements; notice: FailureStep | null } {
  const { statement, lateAt, paidSince, restartedTo } = withLatePayment(before, read);
  const { paidUntil, pausesUntil = null, disputes, unpaid } = statement;
  const { status: reported, giftUntil = null, givenUpAt = null } = statement;
  const endedAt = statement.endedAt ?? givenUpAt;
  const ending = statement.ends || reported === 'ended';
  const lateSince = Math.max(paidUntil ?? now, before.pausesUntil ?? 0);
  const isGivenUp = reported === 'past_due' && giveUpAt(before, lateSince) <= now;
  const isLost = reported === 'lapsed' || isGivenUp || givenUpAt !== null;
  const over =
    isLost || isEndedEarly(before, now) || isPeriodReturned(statement, { ...before, paidSince });
  const pauses =
    pausesUntil !== null && reported === 'active' && paidUntil !== null && paidUntil <= now;
  const status = over ? 'ended' : pauses ? 'paused' : reported;
  // Nobody may pay for a subscription that the gateway has ended: what is open is voided, and a payment refunded.
  const isPayable = reported === 'ended' && unpaid > 0 && !statement.isDebited;
  const isStopped = over || disputes.length > 0 || endedAt !== null;
  const current = { ...before, ends: before.ends && !isPayable };
  const known = isStopped ? { ...before, ...cancellation(current, endedAt ?? now) } : before;
  const isResumePending = known.resumedAt != null && ending && status === 'active';
  const ends = ending && !isResumePending && !isPayable;
  const isChangePending = isResumePending || (known.cancelRequestedAt !== null && !ends);
  const isLate = lateRenewals(known, statement.captures).some(
    (capture) => remainingOf(capture, statement) > 0,
  );
  const movements = movementsOf(statement);
  const owesEarly = earlyRefundOf({ ...known, isDisputed: statement.isDisputed }, movements) > 0;
  const isRefundDue =
    isLate || owesEarly || (known.withdrawnAt !== null && remaining(statement) > 0);
  const isRestartDue = restartedTo > now && (lateAt !== null || before.isRestartDue);
  const state = {
    ...renewed(known, statement),
    status,
    paidUntil,
    paidSince,
    isRestartDue,
    pausesUntil,
    isDebited: statement.isDebited ?? false,
    giftUntil,
    ends,
    isDisputed: statement.isDisputed,
    resumedAt: isResumePending ? known.resumedAt : null,
    dueAt: isChangePending || isRefundDue ? now + minuteMs : nextSyncAt(statement, status, now),
    ...(isRestartDue && { dueAt: lateAt === null ? now + hourMs : now }),
  };
  const isDisputed = statement.isDisputed || disputes.length > 0;
  const accessEnds = pausesUntil === null ? accessUntil({ ...known, ...state }) : null;
  const reading = { unpaid, isDisputed, accessEnds, timeZone };
  const after = changed(before, { ...known, ...state }, now, reading);
  const { failure, notice, nextAt } = takeNotice(after.failure, now);
  const dueAt = state.dueAt === null ? null : Math.min(state.dueAt, nextAt);
  const subscription = { ...after, failure, dueAt };
  return { subscription, movements, notice };
}

export const isEndedEarly = ({ earlyEnd }: Subscription, now: number): boolean =>
  earlyEnd !== null && earlyEnd.at <= now;

/** A plan change takes effect with the first paid renewal. */
function renewed(
  { plan, nextPlan, paidUntil }: Subscription,
  statement: Statement,
): Partial<Subscription> {
  const isPaid =
    nextPlan !== null &&
    paidUntil !== null &&
    statement.paidUntil !== null &&
    statement.paidUntil > paidUntil + dayMs;
  if (!isPaid) return {};
  const isSwitch = nextPlan.product !== plan.product;
  return { plan: nextPlan, nextPlan: null, ...(isSwitch && { switchedAt: paidUntil }) };
}

/** A subscription withdrawn while its debit is being processed keeps the slot until the result is known. */
export const releasesSlot = ({ status, withdrawnAt, isProvisional }: Subscription): boolean =>
  status === 'ended' || (Boolean(withdrawnAt) && !isProvisional);

export const renews = ({
  status,
  ends,
  cancelRequestedAt,
  withdrawnAt,
}: Pick<Subscription, 'status' | 'ends' | 'cancelRequestedAt' | 'withdrawnAt'>): boolean =>
  status !== 'ended' && !ends && cancelRequestedAt === null && withdrawnAt === null;

/** Null if there is nothing left to cancel. */
function cancellation(
  { ends, cancelRequestedAt, subscriptionId }: Subscription,
  now: number,
  isBeingUndone = false,
) {
  const isCancelled = ends || cancelRequestedAt !== null;
  if ((isCancelled && !isBeingUndone) || subscriptionId === null) return null;
  return { cancelRequestedAt: now, resumedAt: null, nextPlan: null, dueAt: now };
}

/** Idempotent. @param isBeingUndone whether a change that undoes an earlier cancellation is under way */
export function requestCancellation(
  subscription: Subscription,
  now: number,
  isBeingUndone = false,
): Subscription {
  const change = cancellation(subscription, now, isBeingUndone);
  return change ? changed(subscription, change, now) : subscription;
}

export function clearReminder(subscription: Subscription, isSent: boolean): Subscription {
  const { version, paidUntil, remindedUntil } = subscription;
  const sent = { remindedUntil: isSent ? paidUntil : remindedUntil };
  return { ...subscription, ...sent, remindAt: null, version: version + 1 };
}

export function scheduleSync(subscription: Subscription, dueAt: number): Subscription {
  return { ...subscription, dueAt, version: subscription.version + 1 };
}

export function recordNewCard(subscription: Subscription, now: number): Subscription {
  return { ...subscription, cardChangedAt: epochMs(now), version: subscription.version + 1 };
}
