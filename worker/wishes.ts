import { balance } from './funnel/balance.ts';
import { askToEnd, type Bought, mayResume, renews, resume, withdraw } from './funnel/bought.ts';
import { mayClaim, planAt } from './funnel/guarantee.ts';
import {
  cancelledNotice,
  confirmNotice,
  extraEndedNotice,
  resumedNotice,
  withdrawnNotice,
} from './funnel/notice.ts';
import { planById, type Slot } from './funnel/plans.ts';
import type { Attempt } from './funnel/purchase.ts';
import { mayWithdraw } from './funnel/withdrawal.ts';
import type { Ledger } from './ledger.ts';

/** Something held, with all that a wish about it has to know; undefined when it is not held. */
function holding(ledger: Ledger, id: string) {
  const found = ledger.bought().find(({ attempt }) => attempt === id);
  const attempt = ledger.attempt(id);
  const { profile } = ledger;
  if (!found || !attempt || !profile) return undefined;
  const rows = ledger.rows().filter((row) => row.attempt === id);
  return { found, attempt, profile, rows };
}

/**
 * Notes that an attempt's renewals are to end; the job tells the gateway.
 *
 * @param receipt whether its owner is mailed that it ends
 */
export function end(ledger: Ledger, id: string, receipt = true): Bought | undefined {
  const held = holding(ledger, id);
  if (!held) return undefined;
  const { found, attempt, profile } = held;
  const now = Date.now();
  const asked = askToEnd(found, now);
  if (asked === found) return found;
  ledger.hold(asked, [], profile.account, now);
  if (receipt) ledger.post(cancelledNotice(attempt, asked, now), now);
  return asked;
}

/** Whether the purchase in a slot is going to renew. */
function goesOn(ledger: Ledger, slot: Slot): boolean {
  const attempt = ledger.inSlot(slot);
  const bought = ledger.bought().find((one) => one.attempt === attempt?.id);
  return bought !== undefined && renews(bought);
}

/** The slot whose purchase an extra needs; null for a plan. */
const dependsOn = ({ plan }: Bought) => planById(plan)?.dependsOn ?? null;

/**
 * Ends every extra whose plan does not go on, whatever ended the plan, and tells the buyer. Calling it
 * again changes nothing.
 */
export function endExtras(ledger: Ledger): void {
  const { profile } = ledger;
  const now = Date.now();
  for (const extra of ledger.bought()) {
    const slot = dependsOn(extra);
    const attempt = ledger.attempt(extra.attempt);
    if (!profile || !attempt || !slot || extra.status === 'ended' || goesOn(ledger, slot)) continue;
    const asked = askToEnd(extra, now);
    if (asked === extra) continue;
    ledger.hold(asked, [], profile.account, now);
    if (!profile.left) ledger.post(extraEndedNotice(attempt, asked, now), now);
  }
}

/** A renewal's invoice whose payment a bank wants the buyer to confirm. */
export interface Unconfirmed {
  subscriptionId: string;
  invoice: string;
}

/** Owes the buyer a mail that a bank wants them to confirm a renewal, unless it was paid meanwhile. */
export function askToConfirm(ledger: Ledger, { subscriptionId, invoice }: Unconfirmed): void {
  const found = ledger.bought().find((one) => one.subscriptionId === subscriptionId);
  const attempt = found && ledger.attempt(found.attempt);
  const late = found?.status === 'past_due' && renews(found);
  // The first invoice is confirmed on the page.
  if (!attempt || !late || attempt.invoiceId === invoice || ledger.profile?.left) return;
  const now = Date.now();
  ledger.post(confirmNotice(attempt, invoice, now), now);
}

/** How often a day an account may take cancellations back: it gets two mails each time. */
const mostResumes = 3;
const day = 24 * 60 * 60_000;

/** Why renewals cannot go on. */
export type NotResumed = { refusal: 'resume_over' | 'resumes_enough' };

/** Notes that an attempt's renewals are to go on after all; the job tells the gateway. */
export function goOn(ledger: Ledger, id: string): Bought | NotResumed {
  const held = holding(ledger, id);
  if (!held || held.profile.left) return { refusal: 'resume_over' };
  const { found, attempt, profile, rows } = held;
  const now = Date.now();
  const ending = found.ends || found.cancelAskedAt !== null || found.withdrawnAt !== null;
  if (found.status === 'active' && !ending) return found;
  if (!mayResume(found, rows, now)) return { refusal: 'resume_over' };
  const resumes = (profile.resumes ?? []).filter((at) => at > now - day);
  if (resumes.length >= mostResumes) return { refusal: 'resumes_enough' };
  const resumed = resume(found, now);
  ledger.setProfile({ ...profile, resumes: [...resumes, now] });
  ledger.hold(resumed, [], profile.account, now);
  ledger.post(resumedNotice(attempt, resumed, now), now);
  return resumed;
}

/** What was added to a plan and has not ended; not what was added to one bought later. */
function extrasOf(ledger: Ledger, plan: Bought): Bought[] {
  const openedAt = ({ attempt }: Bought) => ledger.attempt(attempt)?.openedAt ?? 0;
  const plans = ledger
    .bought()
    .filter(({ slot }) => slot === plan.slot)
    .map((one) => ({ attempt: one.attempt, at: openedAt(one) }));
  return ledger
    .bought()
    .filter((one) => dependsOn(one) === plan.slot && one.status !== 'ended')
    .filter((one) => planAt(plans, openedAt(one))?.attempt === plan.attempt);
}

/**
 * Notes that the account takes back what an attempt bought, by law or under the guarantee; the job
 * ends it and pays it back. The extras of a plan are taken back with it while their own time lasts.
 *
 * @param guaranteed whether it is for the guarantee, because nobody agreed, and not by law
 * @returns undefined when it is not held, or its time is over
 */
export function takeBack(ledger: Ledger, id: string, guaranteed = false): Bought | undefined {
  const held = holding(ledger, id);
  if (!held) return undefined;
  const { found, attempt, profile, rows } = held;
  if (found.withdrawnAt) return found;
  const now = Date.now();
  const paidAt = rows.find(({ kind }) => kind === 'capture')?.at ?? null;
  const claimed = guaranteed && mayClaim(paidAt, now);
  if (!claimed && !mayWithdraw(attempt.terms, now)) return undefined;
  const gone = withdraw(found, now);
  ledger.hold(gone, [], profile.account, now);
  ledger.post(withdrawnNotice(attempt, balance(rows), claimed, now), now);
  for (const extra of extrasOf(ledger, gone)) takeBack(ledger, extra.attempt, guaranteed);
  if (found.slot === 'main' && !ledger.inSlot('main')) ledger.setInvitationsEnd(now);
  return gone;
}

/**
 * Gives back an extra whose plan was withdrawn from while the extra was being paid, and ends one whose
 * plan ends.
 */
export function followPlan(ledger: Ledger, { id, plan, openedAt }: Attempt): void {
  const slot = planById(plan)?.dependsOn;
  const withdrawn = ledger
    .bought()
    .some((one) => one.slot === slot && (one.withdrawnAt ?? 0) >= openedAt);
  // By law, else under the guarantee: the plan's buyer had one of the two.
  if (withdrawn && !takeBack(ledger, id)) takeBack(ledger, id, true);
  endExtras(ledger);
}
