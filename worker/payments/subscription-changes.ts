import { planById, type Slot } from '../catalog/plans.ts';
import type { PurchaseStorage } from './purchase-storage.ts';
import type { Attempt } from './rules/attempt.ts';
import {
  cancellationNotice,
  confirmNotice,
  extraEndedNotice,
  resumptionNotice,
  withdrawalNotice,
} from './rules/email-notices.ts';
import { mayClaim, planAt } from './rules/money-back-guarantee.ts';
import { balance } from './rules/money-movements.ts';
import {
  mayResume,
  renews,
  requestCancellation,
  resume,
  type Subscription,
  withdraw,
} from './rules/subscription.ts';
import { mayWithdraw } from './rules/withdrawal-right.ts';

function findOwned(ledger: PurchaseStorage, id: string) {
  const found = ledger.subscriptions().find(({ attempt }) => attempt === id);
  const attempt = ledger.attempt(id);
  const { profile } = ledger;
  if (!found || !attempt || !profile) return undefined;
  const rows = ledger.rows().filter((row) => row.attempt === id);
  return { found, attempt, profile, rows };
}

/** Requests the end of the renewals. @param receipt whether the owner gets an e-mail */
export function endSubscription(
  ledger: PurchaseStorage,
  id: string,
  receipt = true,
): Subscription | undefined {
  const owned = findOwned(ledger, id);
  if (!owned) return undefined;
  const { found, attempt } = owned;
  const now = Date.now();
  const asked = requestCancellation(found, now);
  if (asked === found) return found;
  ledger.saveSubscription(asked);
  if (receipt) ledger.queueEmail(cancellationNotice(attempt, asked, now));
  return asked;
}

function willRenew(ledger: PurchaseStorage, slot: Slot): boolean {
  const attempt = ledger.attemptInSlot(slot);
  const subscription = ledger.subscriptions().find((one) => one.attempt === attempt?.id);
  return subscription !== undefined && renews(subscription);
}

/** The slot of the plan that an extra was added to; null for a plan. */
const dependsOn = ({ plan }: Subscription) => planById(plan)?.dependsOn ?? null;

/** Ends every extra whose plan does not renew, whatever ended the plan. Idempotent. */
export function endExtras(ledger: PurchaseStorage): void {
  const { profile } = ledger;
  const now = Date.now();
  for (const extra of ledger.subscriptions()) {
    const slot = dependsOn(extra);
    const attempt = ledger.attempt(extra.attempt);
    if (!profile || !attempt || !slot || extra.status === 'ended' || willRenew(ledger, slot))
      continue;
    const asked = requestCancellation(extra, now);
    if (asked === extra) continue;
    ledger.saveSubscription(asked);
    if (!profile.isDeleted) ledger.queueEmail(extraEndedNotice(attempt, asked, now));
  }
}

/** A renewal's invoice whose payment a bank wants the buyer to confirm. */
export interface UnconfirmedRenewal {
  subscriptionId: string;
  invoice: string;
}

/** Asks the buyer by e-mail to confirm a renewal at the bank, unless it was paid meanwhile. */
export function queueConfirmationEmail(
  ledger: PurchaseStorage,
  { subscriptionId, invoice }: UnconfirmedRenewal,
): void {
  const found = ledger.subscriptions().find((one) => one.subscriptionId === subscriptionId);
  const attempt = found && ledger.attempt(found.attempt);
  const late = found?.status === 'past_due' && renews(found);
  // The first invoice is confirmed on the page.
  if (!attempt || !late || attempt.invoiceId === invoice || ledger.profile?.isDeleted) return;
  const now = Date.now();
  ledger.queueEmail(confirmNotice(attempt, invoice, now));
}

/** An account gets two e-mails for each cancellation that it takes back. */
const maxResumesPerDay = 3;
const dayMs = 24 * 60 * 60_000;

export type ResumeRefusal = { refusal: 'resume_over' | 'too_many_resumptions' };

export function resumeSubscription(
  ledger: PurchaseStorage,
  id: string,
): Subscription | ResumeRefusal {
  const owned = findOwned(ledger, id);
  if (!owned || owned.profile.isDeleted) return { refusal: 'resume_over' };
  const { found, attempt, profile, rows } = owned;
  const now = Date.now();
  const ending = found.ends || found.cancelAskedAt !== null || found.withdrawnAt !== null;
  if (found.status === 'active' && !ending) return found;
  if (!mayResume(found, rows, now)) return { refusal: 'resume_over' };
  const recentResumes = (profile.resumedAt ?? []).filter((at) => at > now - dayMs);
  if (recentResumes.length >= maxResumesPerDay) return { refusal: 'too_many_resumptions' };
  const resumed = resume(found, now);
  ledger.setProfile({ ...profile, resumedAt: [...recentResumes, now] });
  ledger.saveSubscription(resumed);
  ledger.queueEmail(resumptionNotice(attempt, resumed, now));
  return resumed;
}

/** The running extras of a plan, without those that were added to a later plan. */
function extrasOf(ledger: PurchaseStorage, plan: Subscription): Subscription[] {
  const openedAt = ({ attempt }: Subscription) => ledger.attempt(attempt)?.openedAt ?? 0;
  const plans = ledger
    .subscriptions()
    .filter(({ slot }) => slot === plan.slot)
    .map((one) => ({ attempt: one.attempt, at: openedAt(one) }));
  return ledger
    .subscriptions()
    .filter((one) => dependsOn(one) === plan.slot && one.status !== 'ended')
    .filter((one) => planAt(plans, openedAt(one))?.attempt === plan.attempt);
}

/**
 * Withdraws from a purchase, by law or under the guarantee, and from a plan's extras while their own
 * withdrawal period lasts.
 *
 * @param guaranteed whether under the guarantee, because nobody agreed
 * @returns undefined when there is no such subscription, or the period is over
 */
export function withdrawPurchase(
  ledger: PurchaseStorage,
  id: string,
  guaranteed = false,
): Subscription | undefined {
  const owned = findOwned(ledger, id);
  if (!owned) return undefined;
  const { found, attempt, rows } = owned;
  if (found.withdrawnAt) return found;
  const now = Date.now();
  const paidAt = rows.find(({ kind }) => kind === 'capture')?.at ?? null;
  const isClaim = guaranteed && mayClaim(paidAt, now);
  if (!isClaim && !mayWithdraw(attempt.terms, now)) return undefined;
  const withdrawn = withdraw(found, now);
  ledger.saveSubscription(withdrawn);
  ledger.queueEmail(withdrawalNotice(attempt, balance(rows), isClaim, now));
  for (const extra of extrasOf(ledger, withdrawn))
    withdrawPurchase(ledger, extra.attempt, guaranteed);
  if (found.slot === 'main' && !ledger.attemptInSlot('main')) ledger.setInvitationsEnd(now);
  return withdrawn;
}

/** Withdraws from an extra whose plan was withdrawn from while the extra was pending, or ends it with its plan. */
export function alignWithPlan(ledger: PurchaseStorage, { id, plan, openedAt }: Attempt): void {
  const slot = planById(plan)?.dependsOn;
  const isPlanWithdrawn = ledger
    .subscriptions()
    .some((one) => one.slot === slot && (one.withdrawnAt ?? 0) >= openedAt);
  // By law, otherwise under the guarantee: the plan was withdrawn from under one of the two.
  if (isPlanWithdrawn && !withdrawPurchase(ledger, id)) withdrawPurchase(ledger, id, true);
  endExtras(ledger);
}
