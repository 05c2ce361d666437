import { type Slot, withoutReduction } from '../../catalog/rules/plans.ts';
import { dayMs } from '../../platform/durations.ts';
import { type Refused, refused } from '../../platform/errors.ts';
import { type AttemptId, minor } from '../../platform/types.ts';
import { confirmNotice } from '../notices/money-notices.ts';
import {
  cancellationNotice,
  extraEndedNotice,
  resumptionNotice,
} from '../notices/subscription-notices.ts';
import type { PlanChange } from '../purchase/change-state.ts';
import { earlyEndOf } from '../purchase/early-end.ts';
import { netRows } from '../purchase/money-movements.ts';
import type { EarlyEnd } from '../purchase/renewal-state.ts';
import type { Subscription } from '../purchase/state.ts';
import { accessUntil, renews, requestCancellation } from '../purchase/subscription.ts';
import type { PurchaseStorage } from '../storage/purchase-storage.ts';
import { withPlanId } from '../storage/stored-records.ts';
import type { OwnedPurchase } from './owned-subscription.ts';
import {
  endEarly as endEarlyAt,
  isCancelledSince,
  mayResume,
  resume,
} from './rules/subscription-changes.ts';

export function listOwned(
  storage: PurchaseStorage,
  pending: readonly PlanChange[] = [],
): OwnedPurchase[] {
  const rows = storage.rows();
  return storage.subscriptions().map((subscription) => {
    const own = netRows(rows.filter(({ attempt }) => attempt === subscription.attempt));
    const attempt = storage.attempt(subscription.attempt);
    const { terms = null, coupon = null, reduction, amount = minor(0) } = attempt ?? {};
    const change = pending.find(({ attempt }) => attempt === subscription.attempt);
    const pendingChange = change ? withPlanId(change) : null;
    const bought = withoutReduction(attempt?.plan ?? subscription.plan);
    const boughtPlan = reduction ? { ...bought, reduction } : bought;
    return { subscription, boughtPlan, rows: own, coupon, terms, amount, pendingChange };
  });
}

export function findOwned(storage: PurchaseStorage, id: AttemptId) {
  const found = storage.subscription(id);
  const attempt = storage.attempt(id);
  const { profile } = storage;
  if (!found || !attempt || !profile) return undefined;
  return { found, attempt, profile, rows: storage.rowsOf(id) };
}

interface EndOptions {
  /** Whether the owner gets an e-mail. */
  receipt?: boolean;
  /** A confirmed change whose result is not known. */
  pending?: PlanChange | undefined;
}

/** Requests the end of the renewals. */
export function endSubscription(
  storage: PurchaseStorage,
  id: AttemptId,
  { receipt = true, pending }: EndOptions = {},
): Subscription | undefined {
  const owned = findOwned(storage, id);
  if (!owned) return undefined;
  const { found, attempt } = owned;
  const now = Date.now();
  const isBeingUndone = pending !== undefined && !isCancelledSince(found, pending);
  const cancelled = requestCancellation(found, now, isBeingUndone);
  if (cancelled === found) return found;
  storage.saveSubscription(cancelled);
  if (receipt) storage.notify(id, cancellationNotice(attempt, cancelled, now));
  return cancelled;
}

export interface ShownEnd {
  noticeMonths: number;
  /** What the page showed. */
  at: number;
  back: number;
}

/** Ends a renewed period as the page showed it, and its extras with the same right. Their refunds follow. Idempotent. */
export function endEarly(
  storage: PurchaseStorage,
  id: AttemptId,
  { noticeMonths, ...shown }: ShownEnd,
): Subscription | Refused<'quote_expired' | 'purchase_unknown'> {
  const owned = findOwned(storage, id);
  if (!owned) return refused('purchase_unknown');
  const { found } = owned;
  const isSame = (end: EarlyEnd | null) => end?.at === shown.at && end.back === shown.back;
  if (isSame(found.earlyEnd)) return found;
  const now = Date.now();
  const endOf = (one: Subscription) =>
    earlyEndOf(one, netRows(storage.rowsOf(one.attempt)), noticeMonths, now);
  if (!isSame(endOf(found))) return refused('quote_expired');
  const extras = storage.subscriptions().filter(({ plan }) => plan.dependsOn === found.slot);
  for (const one of [found, ...extras]) {
    const attempt = storage.attempt(one.attempt);
    const end = endOf(one);
    if (!attempt || !end) continue;
    const ended = endEarlyAt(one, end, now);
    storage.saveSubscription(ended);
    const notice = one === found ? cancellationNotice : extraEndedNotice;
    storage.notify(one.attempt, notice(attempt, ended, now));
  }
  return storage.subscription(id) ?? found;
}

/**
 * When an extra lost its plan, ms since 1970; null while the plan gives access, or both pause. The money of a debit
 * may still arrive.
 */
function lostPlanAt(storage: PurchaseStorage, extra: Subscription, slot: Slot, now: number) {
  const plan = storage.subscriptionInSlot(slot);
  if (!plan || !renews(plan)) {
    const last = storage.subscriptions().filter((one) => one.slot === slot && one.paidUntil);
    const ends = last.map((one) =>
      accessUntil({ ...one, status: 'past_due', ends: false, cancelRequestedAt: null }),
    );
    return Math.min(now, ends.length > 0 ? Math.max(...ends) : now);
  }
  const { isProvisional, isDebited, pausesUntil, status } = plan;
  const until = accessUntil(plan);
  // An active plan whose period is over was not read since: the gateway may have renewed it.
  if (until > now || isProvisional || isDebited || status === 'active') return null;
  const isPaused = pausesUntil !== null && status !== 'past_due';
  const pausesToo = extra.pausesUntil !== null || (extra.paidUntil ?? 0) >= (pausesUntil ?? 0);
  return isPaused && pausesToo ? null : until;
}

/**
 * Cancels every extra whose plan does not renew or gives no access, whatever the cause. The cancellation counts from
 * the loss, so that a capture since then is refunded. Idempotent.
 */
export function endExtras(storage: PurchaseStorage): void {
  const { profile } = storage;
  const now = Date.now();
  for (const extra of storage.subscriptions()) {
    const slot = extra.plan.dependsOn;
    const attempt = storage.attempt(extra.attempt);
    if (!profile || !attempt || !slot || extra.status === 'ended') continue;
    const lostAt = lostPlanAt(storage, extra, slot, now);
    if (lostAt === null) continue;
    const cancelled = requestCancellation(extra, lostAt);
    if (cancelled === extra) continue;
    storage.saveSubscription(cancelled);
    if (!profile.isDeleted) storage.notify(attempt.id, extraEndedNotice(attempt, cancelled, now));
  }
}

export interface UnconfirmedRenewal {
  subscriptionId: string;
  invoice: string;
}

/** Asks the buyer by e-mail to confirm a renewal at the bank, unless it was paid meanwhile. */
export function queueConfirmationEmail(
  storage: PurchaseStorage,
  { subscriptionId, invoice }: UnconfirmedRenewal,
): void {
  const found = storage.subscriptions().find((one) => one.subscriptionId === subscriptionId);
  const attempt = found && storage.attempt(found.attempt);
  const late = found?.status === 'past_due' && renews(found);
  // The first invoice is confirmed on the page itself.
  if (!attempt || !late || attempt.invoiceId === invoice || storage.profile?.isDeleted) return;
  const now = Date.now();
  storage.notify(attempt.id, confirmNotice(attempt, invoice, now));
  const [first, ...later] = found.failure?.notices ?? [];
  if (found.failure && first?.step === 'failed') {
    const failure = { ...found.failure, notices: later };
    storage.saveSubscription({ ...found, failure, version: found.version + 1 });
  }
}

/** An account gets two e-mails per cancellation that it undoes. */
const maxResumesPerDay = 3;

export type ResumeResult = { kind: 'resumed' } | Refused<'resume_expired' | 'too_many_resumptions'>;

export function resumeSubscription(storage: PurchaseStorage, id: AttemptId): ResumeResult {
  const owned = findOwned(storage, id);
  if (!owned || owned.profile.isDeleted) return refused('resume_expired');
  const { found, attempt, profile, rows } = owned;
  const now = Date.now();
  const ending = found.ends || found.cancelRequestedAt !== null || found.withdrawnAt !== null;
  if (found.status === 'active' && !ending) return { kind: 'resumed' };
  if (!mayResume(found, rows, now)) return refused('resume_expired');
  const recentResumes = (profile.resumedAt ?? []).filter((at) => at > now - dayMs);
  if (recentResumes.length >= maxResumesPerDay) return refused('too_many_resumptions');
  const resumed = resume(found, now);
  storage.updateProfile({ resumedAt: [...recentResumes, now] });
  storage.saveSubscription(resumed);
  storage.notify(id, resumptionNotice(attempt, resumed, now));
  return { kind: 'resumed' };
}
