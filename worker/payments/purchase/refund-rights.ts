import type { Terms } from '../../catalog/accepted-terms.ts';
import { marketById } from '../../catalog/rules/markets.ts';
import type { Slot } from '../../catalog/rules/plans.ts';
import type { InvitationOutcome } from '../../invitations/rules/invitation-outcome.ts';
import { dayMs, minuteMs } from '../../platform/durations.ts';
import { type AttemptId, type Minor, minor, type PaymentId } from '../../platform/types.ts';
import { balance } from './money-movements.ts';
import type { Subscription } from './state.ts';

const days = 14;

function dayIn(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone }).formatToParts(at);
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return Date.UTC(of('year'), of('month') - 1, of('day'));
}

/**
 * The last day of the right to withdraw, as midnight UTC of that calendar day: the
 * 14th after the purchase, or the Monday after it at a weekend (Regulation 1182/71, article 3).
 * @returns null where no law gives the right
 */
export function withdrawalDay(terms: Terms | null | undefined): number | null {
  // The law that prescribes the button's label also grants this right (Directive 2011/83/EU, articles 8 and 9).
  if (!terms || marketById(terms.market)?.orderButton !== 'order') return null;
  const last = dayIn(terms.at, terms.timeZone) + days * dayMs;
  const weekday = new Date(last).getUTCDay();
  return last + (weekday === 6 ? 2 : weekday === 0 ? 1 : 0) * dayMs;
}

export function mayWithdraw(terms: Terms | null | undefined, now: number): boolean {
  const last = withdrawalDay(terms);
  return last !== null && terms != null && dayIn(now, terms.timeZone) <= last;
}

/** The invitee has 14 days to agree; the requester may claim for 30 more. */
const claimPeriodMs = 44 * dayMs;

export const lastClaim = (paidAt: number): number => paidAt + claimPeriodMs;

/** @param paidAt when the plan was first paid, ms since 1970; null if never */
export const mayClaim = (paidAt: number | null, now: number): boolean =>
  paidAt !== null && now < lastClaim(paidAt);

/** 0 after a withdrawal or after the period. @param rows oldest first */
export function guaranteedAmount(
  { withdrawnAt }: Pick<Subscription, 'withdrawnAt'>,
  rows: readonly { kind: 'capture' | 'refund' | 'dispute'; amount: Minor; at: number }[],
  now: number,
): Minor {
  const paidAt = rows.find(({ kind }) => kind === 'capture')?.at ?? null;
  return minor(withdrawnAt || !mayClaim(paidAt, now) ? 0 : Math.max(0, balance(rows)));
}

/** The gateway's clock may differ from ours. */
const clockToleranceMs = minuteMs;

/**
 * Renewals that were charged after their cancellation, because the gateway did not answer in time.
 * @param captures oldest first
 */
export function lateRenewals<Capture extends { paymentId: PaymentId; at: number }>(
  {
    cancelRequestedAt,
    earlier,
    trialUntil,
  }: Pick<Subscription, 'cancelRequestedAt' | 'earlier' | 'trialUntil'>,
  captures: readonly Capture[],
): Capture[] {
  if (cancelRequestedAt === null) return [];
  // The first payment after a trial is a renewal; any other may be a debit that took days.
  const others = captures.slice(trialUntil === null ? 1 : 0);
  const isRenewal = ({ paymentId }: Capture) => !earlier.paymentIds.includes(paymentId);
  return others.filter((one) => isRenewal(one) && one.at > cancelRequestedAt + clockToleranceMs);
}

export const planAt = <Plan extends { at: number }>(plans: readonly Plan[], at: number) =>
  plans.filter((plan) => plan.at <= at).toSorted((a, b) => b.at - a.at)[0];

interface PaidAttempt {
  attempt: AttemptId;
  slot: Slot;
  at: number;
  back: Minor;
}

/**
 * Attempts that the guarantee refunds: each plan during which an invitation was sent and refused, with
 * its extras. A refusal from an earlier plan's time does not count for a later plan.
 */
export function refundableAttempts(
  paidAttempts: readonly PaidAttempt[],
  invitations: readonly InvitationOutcome[],
): AttemptId[] {
  if (invitations.some(({ answer }) => answer === 'agreed')) return [];
  const plans = paidAttempts.filter(({ slot }) => slot === 'main');
  const refused = invitations
    .filter(({ answer }) => answer === 'refused')
    .map(({ requestedAt }) => planAt(plans, requestedAt))
    .filter((plan) => plan !== undefined && plan.back > 0);
  return paidAttempts
    .filter(({ at }) => refused.includes(planAt(plans, at)))
    .map(({ attempt }) => attempt);
}
