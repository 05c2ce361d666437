import { type Plan, planById, renewalPrice } from '../../catalog/rules/plans.ts';
import { addMonths, firstRenewal } from '../../catalog/rules/renewal-date.ts';
import { hourMs, minuteMs } from '../../platform/durations.ts';
import { epochMs, type Minor, minor } from '../../platform/types.ts';
import { sendLimitMs } from './attempt.ts';
import type { ChangeOutcome, ChangeProgress, PlanChange, RunningPeriod } from './change-state.ts';
import { operatorCaseAfterMs } from './operator-case.ts';
import type { Subscription } from './state.ts';

const quoteLifetimeMs = 15 * minuteMs;

export const isQuoteExpired = ({ quotedAt }: PlanChange, now: number): boolean =>
  now - quotedAt > quoteLifetimeMs;

export const isPending = ({ state }: PlanChange): boolean =>
  state === 'open' || state === 'sent' || state === 'challenged';

const maxRounds = 2;

/** Whether the payer may still be challenged; without that, what was sent is undone. */
export const mayChallenge = ({ state, rounds, openedAt }: PlanChange, now: number): boolean =>
  state !== 'challenged' && rounds < maxRounds && now - openedAt <= sendLimitMs;

/** @param nonce the verified one, if the gateway creates a new one */
export function resumeChange(change: PlanChange, nonce: string | null, now: number): PlanChange {
  if (change.state !== 'challenged') return change;
  const back = { dueAt: now, tries: 0 };
  if (change.challenge?.intentId) return { ...change, ...back, state: 'sent', challenge: null };
  // The old nonce paid nothing, and the new one was not sent yet. The old one identifies the expected card.
  return nonce ? { ...change, ...back, state: 'open', nonce } : change;
}

/** The unused value of a payment for the running period, to the second. */
export function unusedCredit({ paid, from, until }: RunningPeriod, at: number): Minor {
  if (until <= from) return minor(0);
  const share = Math.min(1, Math.max(0, (until - at) / (until - from)));
  return minor(Math.round(paid * share));
}

interface RequestedChange {
  kind: PlanChange['kind'];
  plan: Plan;
  months: number;
}

/** The effect of a change, before its price is known. */
export function changeTerms(
  subscription: Subscription,
  { kind, plan, months }: RequestedChange,
  coupon: string | null,
  now: number,
): Pick<PlanChange, 'takesEffectAt' | 'until' | 'next'> & { isPaidNow: boolean } {
  const { paidUntil, pausesUntil } = subscription;
  const amount = renewalPrice(plan, coupon);
  const end = epochMs(paidUntil ?? now);
  const isPaidNow = kind === 'upgrade' || (kind === 'resume' && end <= now);
  const pauseEnd = addMonths(end, months);
  const renewal = isPaidNow ? (firstRenewal({ ...plan, introDays: 0 }, now) ?? end) : end;
  return {
    isPaidNow,
    until: kind === 'pause' ? pauseEnd : pausesUntil,
    takesEffectAt: epochMs(isPaidNow || kind === 'resume' ? now : end),
    next: { amount, at: kind === 'pause' ? pauseEnd : renewal },
  };
}

/** 250 ms doubling to 8 s; 5 minutes once it is late; an hour after a day. */
function retryDelayMs({ openedAt, tries }: PlanChange, now: number): number {
  if (now - openedAt >= operatorCaseAfterMs) return hourMs;
  return now - openedAt > sendLimitMs ? 5 * minuteMs : Math.min(8000, 250 * 2 ** tries);
}

export const mayStart = ({ openedAt }: PlanChange, now: number): boolean =>
  now - openedAt <= sendLimitMs - 30_000;

export function confirmChange(change: PlanChange, now: number): PlanChange {
  return change.state === 'quoted'
    ? { ...change, state: 'open', openedAt: now, dueAt: now }
    : change;
}

export function applyChangeProgress(change: PlanChange, progress: ChangeProgress): PlanChange {
  if (!isPending(change)) return change;
  return { ...change, ...progress, ...(progress.sentAt ? { state: 'sent' } : {}) };
}

export function applyChangeOutcome(
  change: PlanChange,
  outcome: ChangeOutcome,
  now: number,
): PlanChange {
  if (!isPending(change)) return change;
  switch (outcome.kind) {
    case 'done':
      return {
        ...change,
        state: 'done',
        challenge: null,
        paymentId: outcome.payment?.id ?? change.paymentId,
      };
    case 'declined':
      return { ...change, state: 'declined', challenge: null };
    case 'challenge': {
      const { intentId, secret } = outcome;
      return {
        ...change,
        ...{ state: 'challenged', challenge: { intentId, secret }, challengedAt: now },
        ...{ rounds: change.rounds + 1, dueAt: now + sendLimitMs },
      };
    }
    case 'rejected':
    case 'none':
      return { ...change, state: 'failed', challenge: null };
    case 'unknown': {
      const isCase = now - (change.caseAt ?? change.openedAt) >= operatorCaseAfterMs;
      return {
        ...change,
        tries: change.tries + 1,
        dueAt: now + retryDelayMs(change, now),
        ...(isCase && { caseAt: now }),
      };
    }
    default:
      return outcome satisfies never;
  }
}

/** @throws RangeError for a plan that left the catalog */
export function planOfChange({ plan: id }: Pick<PlanChange, 'plan'>): Plan {
  const plan = planById(id);
  if (!plan) throw new RangeError(`no plan ${id}`);
  return plan;
}
