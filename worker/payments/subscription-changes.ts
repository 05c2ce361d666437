import { type Plan, planById, type Slot } from '../catalog/plans.ts';
import type { Env } from '../env.ts';
import { type Refused, refused } from '../errors.ts';
import { withBindingTimeouts } from '../http/binding-timeouts.ts';
import { endInvitations } from '../invitations/invitation-index.ts';
import { logger } from '../log.ts';
import type { LedgerRow } from './purchase-projection.ts';
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
import { balance, netRows } from './rules/money-movements.ts';
import type { Terms } from './rules/new-attempt.ts';
import {
  mayResume,
  renews,
  requestCancellation,
  resume,
  type Subscription,
  withdraw,
} from './rules/subscription.ts';
import { mayWithdraw } from './rules/withdrawal-right.ts';

const log = logger();

export interface OwnedSubscription {
  subscription: Subscription;
  plan: Plan;
  rows: LedgerRow[];
  coupon: string | null;
  terms: Terms | null;
}

export function listOwned(ledger: PurchaseStorage): OwnedSubscription[] {
  const rows = ledger.rows();
  return ledger.subscriptions().flatMap((subscription) => {
    const plan = planById(subscription.plan);
    const own = netRows(rows.filter(({ attempt }) => attempt === subscription.attempt));
    const { terms = null, coupon = null } = ledger.attempt(subscription.attempt) ?? {};
    return plan ? [{ subscription, plan, rows: own, coupon, terms }] : [];
  });
}

function findOwned(ledger: PurchaseStorage, id: string) {
  const found = ledger.subscription(id);
  const attempt = ledger.attempt(id);
  const { profile } = ledger;
  if (!found || !attempt || !profile) return undefined;
  return { found, attempt, profile, rows: ledger.rowsOf(id) };
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
  if (receipt) ledger.queue({ kind: 'email', notice: cancellationNotice(attempt, asked, now) });
  return asked;
}

function willRenew(ledger: PurchaseStorage, slot: Slot): boolean {
  const subscription = ledger.subscriptionInSlot(slot);
  return subscription !== undefined && renews(subscription);
}

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
    if (!profile.isDeleted)
      ledger.queue({ kind: 'email', notice: extraEndedNotice(attempt, asked, now) });
  }
}

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
  ledger.queue({ kind: 'email', notice: confirmNotice(attempt, invoice, now) });
}

/** An account gets two e-mails for each cancellation that it takes back. */
const maxResumesPerDay = 3;
const dayMs = 24 * 60 * 60_000;

export type ResumeResult =
  | { kind: 'resumed'; subscription: Subscription }
  | Refused<'resume_over' | 'too_many_resumptions'>;

export function resumeSubscription(ledger: PurchaseStorage, id: string): ResumeResult {
  const owned = findOwned(ledger, id);
  if (!owned || owned.profile.isDeleted) return refused('resume_over');
  const { found, attempt, profile, rows } = owned;
  const now = Date.now();
  const ending = found.ends || found.cancelAskedAt !== null || found.withdrawnAt !== null;
  if (found.status === 'active' && !ending) return { kind: 'resumed', subscription: found };
  if (!mayResume(found, rows, now)) return refused('resume_over');
  const recentResumes = (profile.resumedAt ?? []).filter((at) => at > now - dayMs);
  if (recentResumes.length >= maxResumesPerDay) return refused('too_many_resumptions');
  const resumed = resume(found, now);
  ledger.updateProfile({ resumedAt: [...recentResumes, now] });
  ledger.saveSubscription(resumed);
  ledger.queue({ kind: 'email', notice: resumptionNotice(attempt, resumed, now) });
  return { kind: 'resumed', subscription: resumed };
}

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
  ledger.queue({ kind: 'email', notice: withdrawalNotice(attempt, balance(rows), isClaim, now) });
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

/** Ends the invitations of a plan that was withdrawn from. @returns false while one could not be ended */
export async function endReturnedInvitations(ledger: PurchaseStorage, env: Env): Promise<boolean> {
  const until = ledger.invitationsEndAt;
  const account = ledger.profile?.account;
  if (until === null || !account) return true;
  try {
    await endInvitations(withBindingTimeouts(env), account, until);
  } catch (error) {
    const reason = error instanceof Error ? error.name : 'thrown';
    log('warn', 'invitation_cleanup_failed', { account, reason });
    return false;
  }
  // Another withdrawal may have set a later time meanwhile.
  if (ledger.invitationsEndAt === until) ledger.setInvitationsEnd(null);
  return true;
}
