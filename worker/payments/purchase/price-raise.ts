import { isFreeTrial, type Plan, renewalPrice } from '../../catalog/rules/plans.ts';
import { renewalOn } from '../../catalog/rules/renewal-date.ts';
import type { Unsold } from '../../documents/manifest.ts';
import { dayMs, hourMs } from '../../platform/durations.ts';
import { type EpochMs, epochMs } from '../../platform/types.ts';
import { sells } from './gateway-traits.ts';
import type { Raise, StopReason } from './renewal-state.ts';
import type { Subscription } from './state.ts';

const noticeLeadMs = 30 * dayMs;
/** How long the e-mail may wait in its queue, and after that for a bounce. */
export const deliveryMs = 3 * dayMs;
/** The gateway is told this long before the renewal, so that the owner's own changes are possible until then. */
const scheduleLeadMs = 3 * dayMs;
const lastStartMs = dayMs;

export const isOpen = (raise: Raise | null): raise is Raise =>
  !!raise && raise.state !== 'applied' && raise.state !== 'stopped';

export const stopped = (raise: Raise, why: StopReason): Raise => ({
  ...raise,
  state: 'stopped',
  dueAt: null,
  why,
});

type Row = { kind: string; at: EpochMs };

/**
 * A paid intro's days are not worth the plan's price. A period that a late payment began is a trial at Stripe, for
 * whose days it gives no credit. `reduced`: a coupon lowers the next renewal.
 */
export function unusualPeriod(
  {
    plan,
    paidSince,
    trialUntil = null,
  }: Pick<Subscription, 'plan' | 'paidSince'> & Partial<Pick<Subscription, 'trialUntil'>>,
  rows: readonly Row[],
): 'intro' | 'restarted' | 'reduced' | null {
  const captures = rows.filter(({ kind }) => kind === 'capture');
  if (plan.introDays !== 0 && captures.length < (trialUntil === null ? 2 : 1)) return 'intro';
  if (paidSince?.isLate && captures.every(({ at }) => at <= paidSince.at)) return 'restarted';
  return plan.reduction ? 'reduced' : null;
}

export type Standing =
  | 'running'
  | 'once'
  | 'provisional'
  | 'over'
  | 'ending'
  | 'paused'
  | 'changing'
  | 'disputed'
  | 'unpaid'
  | 'intro'
  | 'restarted'
  | 'reduced';

export function standingOf(subscription: Subscription, rows: readonly Row[]): Standing {
  const { plan, status, subscriptionId, paidUntil, isProvisional, withdrawnAt } = subscription;
  if (plan.period === 'once') return 'once';
  if (status === 'ended' || withdrawnAt !== null) return 'over';
  if (isProvisional || subscriptionId === null || paidUntil === null) return 'provisional';
  if (subscription.ends || subscription.cancelRequestedAt !== null) return 'ending';
  if (subscription.pausesUntil !== null || status === 'paused') return 'paused';
  if (subscription.nextPlan !== null) return 'changing';
  if (subscription.isDisputed || rows.some(({ kind }) => kind === 'dispute')) return 'disputed';
  if (status === 'past_due') return 'unpaid';
  if (subscription.isRestartDue) return 'restarted';
  return unusualPeriod(subscription, rows) ?? 'running';
}

/** Called with every change of a subscription: what its owner does stops the raise at once. */
export function followRaise(after: Subscription): Raise | null {
  const { raise, plan, nextPlan, status, withdrawnAt } = after;
  if (!isOpen(raise)) return raise;
  if (plan.id === raise.plan.id) return { ...raise, state: 'applied', dueAt: null };
  const ending = after.ends || after.cancelRequestedAt !== null;
  if (status === 'ended' || withdrawnAt !== null || ending) return stopped(raise, 'ending');
  if (after.pausesUntil !== null) return stopped(raise, 'paused');
  const isOther = nextPlan !== null && nextPlan.id !== raise.plan.id;
  if (plan.product !== raise.plan.product || isOther) return stopped(raise, 'changed');
  return raise;
}

/** At the end of a month the day is that of an earlier payment: 31 January, 28 February, 31 March. */
function renewalAfter(
  { plan, paidUntil }: Pick<Subscription, 'plan' | 'paidUntil'>,
  rows: readonly Row[],
  count: number,
): EpochMs {
  const end = paidUntil ?? 0;
  if (plan.period === 'once' || count === 0) return epochMs(end);
  const isPaidIntro = plan.introDays !== 0 && !isFreeTrial(plan);
  const captures = rows.filter(({ kind }) => kind === 'capture').slice(isPaidIntro ? 1 : 0);
  const days = captures.map(({ at }) => new Date(at).getUTCDate());
  return renewalOn(end, plan.period, count, Math.max(0, ...days));
}

function firstRenewalFrom(
  subscription: Pick<Subscription, 'plan' | 'paidUntil'>,
  rows: readonly Row[],
  earliest: number,
): EpochMs {
  for (let count = 0; ; count += 1) {
    const at = renewalAfter(subscription, rows, count);
    if (at >= earliest) return at;
  }
}

export interface RaiseTerms {
  plans: readonly Plan[];
  from: EpochMs;
  needsYes: boolean;
  unsold?: Unsold;
}

/** `unsold`: its gateway does not sell the version. `open`: a raise is under way. `other coupon`: the version does not have the discount of the purchase. */
export type NotRaised =
  | Exclude<Standing, 'running'>
  | 'open'
  | 'not dearer'
  | 'other coupon'
  | 'unsold';

/** @returns null for a subscription of another product */
export function newRaise(
  subscription: Subscription,
  rows: readonly Row[],
  coupon: string | null,
  { plans, from, needsYes, unsold = {} }: RaiseTerms,
  now: number,
): { raise: Raise; first: EpochMs } | NotRaised | null {
  const { plan: sold, raise: earlier } = subscription;
  const plan = plans.find(
    ({ product, currency }) => product === sold.product && currency === sold.currency,
  );
  if (!plan) return null;
  if (isOpen(earlier)) return 'open';
  const standing = standingOf(subscription, rows);
  if (standing !== 'running') return standing;
  const amount = renewalPrice(plan, coupon);
  if (amount <= renewalPrice(sold, coupon)) return 'not dearer';
  if (plan.coupon?.code !== sold.coupon?.code || plan.coupon?.percent !== sold.coupon?.percent)
    return 'other coupon';
  if (!sells(subscription.gateway, plan, unsold)) return 'unsold';
  const announcedAt = epochMs(now);
  const earliest = Math.max(from, now + noticeLeadMs + deliveryMs);
  const first = firstRenewalFrom(subscription, rows, earliest);
  const raise: Raise = {
    ...{ plan, amount, state: 'announced', from, needsYes, announcedAt },
    ...{ noticedAt: null, mailId: null, isDelivered: false, changeId: null, why: null },
    at: needsYes ? null : first,
    dueAt: epochMs(now + deliveryMs),
  };
  return { raise, first };
}

export function noticed(raise: Raise, mailId: string | null, isSent: boolean, now: number): Raise {
  if (raise.state !== 'announced' || raise.noticedAt !== null) return raise;
  if (!isSent) return stopped(raise, 'unnotified');
  return { ...raise, noticedAt: epochMs(now), mailId, dueAt: epochMs(now + deliveryMs) };
}

const awaitSchedule = (raise: Raise): Raise => ({
  ...raise,
  isDelivered: true,
  dueAt: raise.at === null ? null : epochMs(raise.at - scheduleLeadMs),
});

export function delivered(raise: Raise, hasBounced: boolean | null, now: number): Raise {
  if (hasBounced) return stopped(raise, 'unnotified');
  const isLastTry = raise.at === null || now + dayMs > raise.at - scheduleLeadMs;
  if (hasBounced === null && !isLastTry) return { ...raise, dueAt: epochMs(now + dayMs) };
  return awaitSchedule(raise);
}

/** The renewal from which its owner would pay more after a yes now; null if none is asked for. */
export function agreeableAt(
  subscription: Subscription,
  rows: readonly Row[],
  now: number,
): EpochMs | null {
  const { raise } = subscription;
  if (raise?.state !== 'announced' || !raise.needsYes || raise.noticedAt === null) return null;
  if (standingOf(subscription, rows) !== 'running') return null;
  const earliest = Math.max(
    raise.from,
    raise.noticedAt + noticeLeadMs,
    now + scheduleLeadMs + dayMs,
  );
  return firstRenewalFrom(subscription, rows, earliest);
}

export const agreed = (raise: Raise, at: EpochMs): Raise =>
  awaitSchedule({ ...raise, state: 'agreed', at });

export const scheduled = (raise: Raise, changeId: string): Raise => ({
  ...raise,
  state: 'scheduled',
  changeId,
  dueAt: null,
});

export const rescheduled = (raise: Raise, now: number): Raise => ({
  ...raise,
  state: raise.needsYes ? 'agreed' : 'announced',
  dueAt: epochMs(now + hourMs),
});

export type RaiseStep = 'check' | 'schedule' | 'wait' | { stop: StopReason };

export function raiseStep(
  subscription: Subscription,
  rows: readonly Row[],
  now: number,
): RaiseStep | null {
  const { raise, paidUntil } = subscription;
  if (!isOpen(raise) || raise.dueAt === null || raise.dueAt > now) return null;
  if (raise.noticedAt === null) return { stop: 'unnotified' };
  if (!raise.isDelivered) return 'check';
  if (raise.at === null) return null;
  const isRunning = standingOf(subscription, rows) === 'running';
  const isTold = paidUntil !== null && Math.abs(paidUntil - raise.at) <= dayMs;
  if (now < raise.at - lastStartMs) return isRunning && isTold ? 'schedule' : 'wait';
  if (!isRunning) return { stop: 'unpaid' };
  return { stop: isTold ? 'gateway' : 'moved' };
}

export const waiting = (raise: Raise, now: number): Raise => ({
  ...raise,
  dueAt: epochMs(now + 6 * hourMs),
});

/** The plan whose price the next renewal has. */
export function upcomingPlan({
  plan,
  nextPlan,
  raise,
  paidUntil,
}: Pick<Subscription, 'plan' | 'nextPlan' | 'raise' | 'paidUntil'>): Plan {
  if (nextPlan) return nextPlan;
  const isDue = isOpen(raise) && raise.at !== null && (paidUntil ?? 0) >= raise.at - dayMs;
  return isDue ? raise.plan : plan;
}
