import { type Plan, type PlanId, planById, renewalPrice } from '../../catalog/rules/plans.ts';
import { addMonths, firstRenewal } from '../../catalog/rules/renewal-date.ts';
import { hourMs, minuteMs } from '../../platform/durations.ts';
import {
  type AttemptId,
  type EpochMs,
  epochMs,
  type Minor,
  minor,
  type PaymentId,
} from '../../platform/types.ts';
import { sendLimitMs } from './attempt.ts';
import type { Statement } from './gateway.ts';
import { operatorCaseAfterMs } from './operator-case.ts';
import type { Subscription } from './subscription.ts';

/** `upgrade` is paid at once, `switch` takes effect at the period's end. `continue` undoes that or a cancellation. */
export const changeKinds = ['upgrade', 'switch', 'pause', 'resume', 'continue'] as const;
export type ChangeKind = (typeof changeKinds)[number];

export interface Quote {
  /** Charged now. */
  amount: Minor;
  /** For the unused days of the running period; already deducted from `amount`. */
  credit: Minor;
}

/** The payment for the running period. */
export interface RunningPeriod {
  paid: Minor;
  from: EpochMs;
  until: EpochMs;
}

interface Challenge {
  intentId: string | null;
  secret: string;
}

/** One try to change a subscription. Its id is also the order id at the gateway. Times in ms since 1970. */
export interface PlanChange extends Quote {
  id: string;
  attempt: AttemptId;
  /** `restart`: nobody asks for it; it moves the next charge to the end of a period that a late payment began. */
  kind: ChangeKind | 'restart';
  plan: PlanId;
  /** `sent`: it may have reached the gateway. `challenged`: the bank challenges the payer. The others are final. */
  state: 'quoted' | 'open' | 'sent' | 'challenged' | 'done' | 'declined' | 'failed';
  /** Whole seconds. Unused days are counted from here. */
  quotedAt: EpochMs;
  /** When the change takes effect for its owner. */
  takesEffectAt: EpochMs;
  /** When the pause ends, or would have ended. */
  until: EpochMs | null;
  next: { amount: Minor; at: EpochMs };
  /** The payments whose unused days are deducted; missing in a change of an older build. */
  credited?: PaymentId[];
  openedAt: number;
  sentAt: number | null;
  paymentId: PaymentId | null;
  /** Data for the bank's challenge in the browser. */
  challenge: Challenge | null;
  challengedAt: number | null;
  rounds: number;
  /** At Braintree: the saved card's nonce after verification by the bank. */
  nonce: string | null;
  dueAt: number;
  tries: number;
  caseAt: number | null;
  /** Raised whenever it is stored. */
  version: number;
}

interface ChangePayment {
  id: PaymentId;
  amount: Minor;
  tax?: Minor | undefined;
}

export type ChangeProgress = Partial<Pick<PlanChange, 'sentAt' | 'paymentId'>>;

export type ChangeOutcome =
  /** `subscriptionId` where the gateway needed a new subscription. */
  | { kind: 'done'; subscriptionId?: string; payment?: ChangePayment }
  | { kind: 'declined' }
  /** Nothing was taken yet. */
  | ({ kind: 'challenge' } & Challenge)
  | {
      kind: 'rejected';
      reason: string;
      reversed?: Pick<Statement, 'captures' | 'refunds'>;
    }
  /** It was not made, and was not started because it is late. */
  | { kind: 'none' }
  | { kind: 'unknown' };

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
