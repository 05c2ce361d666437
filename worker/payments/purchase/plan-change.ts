import { asChargeable, type Currency } from '../../catalog/rules/currencies.ts';
import { afterRenewal, type Plan, renewalPrice } from '../../catalog/rules/plans.ts';
import { addMonths, firstRenewal } from '../../catalog/rules/renewal-date.ts';
import { minuteMs } from '../../platform/durations.ts';
import { epochMs, type Minor, minor } from '../../platform/types.ts';
import type { ChangeOutcome, ChangeProgress, PlanChange, RunningPeriod } from './change-state.ts';
import { move, sendLimitMs, tryMachine } from './gateway-try.ts';
import type { Subscription } from './state.ts';

const quoteLifetimeMs = 15 * minuteMs;

export const isQuoteExpired = ({ quotedAt }: PlanChange, now: number): boolean =>
  now - quotedAt > quoteLifetimeMs;

export const isPending = ({ state }: Pick<PlanChange, 'state'>): boolean =>
  state === 'open' || state === 'sent' || state === 'challenged';

const maxRounds = 2;

/** Whether the payer may still be challenged; without that, what was sent is undone. */
export const mayChallenge = ({ state, rounds, openedAt }: PlanChange, now: number): boolean =>
  state !== 'challenged' && rounds < maxRounds && now - openedAt <= sendLimitMs;

/** The unused value of a payment for the running period, to the second, in amounts that can be charged. */
export function unusedCredit(
  { paid, from, until }: RunningPeriod,
  at: number,
  currency: Currency,
): Minor {
  if (until <= from) return minor(0);
  const share = Math.min(1, Math.max(0, (until - at) / (until - from)));
  return asChargeable(paid * share, currency);
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
): Pick<PlanChange, 'takesEffectAt' | 'until' | 'next'> & { due: Minor } {
  const { paidUntil, pausesUntil } = subscription;
  const price = renewalPrice(plan, coupon);
  const end = epochMs(paidUntil ?? now);
  const isPaidNow = kind === 'upgrade' || (kind === 'resume' && end <= now);
  const pauseEnd = addMonths(end, months);
  const renewal = isPaidNow ? (firstRenewal({ ...plan, introDays: 0 }, now) ?? end) : end;
  const amount = isPaidNow ? renewalPrice(afterRenewal(plan), coupon) : price;
  return {
    due: isPaidNow ? price : minor(0),
    until: kind === 'pause' ? pauseEnd : pausesUntil,
    takesEffectAt: epochMs(isPaidNow || kind === 'resume' ? now : end),
    next: { amount, at: kind === 'pause' ? pauseEnd : renewal },
  };
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

/** The gateway itself looks up what was sent, or undoes it: see `mayStart` and `mayChallenge`. */
const step = { step: 'change', late: 'change' } as const;

export const changeMachine = tryMachine<PlanChange, 'change', ChangeOutcome>({
  steps: { open: step, sent: step, challenged: step },
  meanings: {
    done: ({ paymentId }, { payment }) =>
      move({ state: 'done', challenge: null, paymentId: payment?.id ?? paymentId }),
    declined: () => move({ state: 'declined', challenge: null }),
    challenge: (_, { intentId, secret }, now) => ({
      kind: 'challenge',
      // The gateway is asked at the limit itself: no step waits for the payer's answer.
      change: { challenge: { intentId, secret }, dueAt: now + sendLimitMs },
    }),
    rejected: () => ({ kind: 'expire' }),
    none: () => ({ kind: 'expire' }),
  },
  answerOf(change, nonce) {
    if (change.challenge?.intentId) return { state: 'sent', challenge: null };
    // The old nonce paid nothing, and the new one was not sent yet. The old one identifies the expected card.
    return nonce && nonce !== change.nonce ? { state: 'open', nonce } : null;
  },
  expired: () => ({ state: 'failed', challenge: null }),
});
