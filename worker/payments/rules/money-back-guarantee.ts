import type { Slot } from '../../catalog/plans.ts';
import { balance } from './money-movements.ts';
import type { Subscription } from './subscription.ts';

const day = 24 * 60 * 60_000;
/** The person has 14 days to agree; their requester may ask for the money for 30 more. */
const claimPeriodMs = 44 * day;

/**
 * Whether money may be asked back because nobody agreed.
 *
 * @param paidAt when the plan was first paid, ms since 1970; null where nothing was
 */
export const mayClaim = (paidAt: number | null, now: number): boolean =>
  paidAt !== null && now < paidAt + claimPeriodMs;

/**
 * What goes back of something bought when nobody agreed, ended or not, in minor units; 0 once it was
 * taken back, and after its time.
 *
 * @param rows the money that moved for it, oldest first
 */
export function guaranteedAmount(
  { withdrawnAt }: Pick<Subscription, 'withdrawnAt'>,
  rows: readonly { kind: 'capture' | 'refund' | 'dispute'; amount: number; at: number }[],
  now: number,
): number {
  const paidAt = rows.find(({ kind }) => kind === 'capture')?.at ?? null;
  return withdrawnAt || !mayClaim(paidAt, now) ? 0 : Math.max(0, balance(rows));
}

/** An account's question to somebody; times in ms since 1970. */
export interface InvitationOutcome {
  askedAt: number;
  /** A yes that was shown, an end without one, or neither yet. */
  answer: 'agreed' | 'refused' | 'open';
}

/** The plan that was the newest at a time. */
export const planAt = <Plan extends { at: number }>(plans: readonly Plan[], at: number) =>
  plans.filter((plan) => plan.at <= at).toSorted((a, b) => b.at - a.at)[0];

/** Something bought and first paid at a time. */
interface Paid {
  attempt: string;
  slot: Slot;
  at: number;
  /** What goes back of it, in minor units. */
  back: number;
}

/**
 * Attempts that the guarantee gives back: each plan with which somebody was asked who refused, and what
 * was bought with that plan. A refusal from an earlier plan's time does not count for a later one.
 */
export function refundableAttempts(
  held: readonly Paid[],
  asked: readonly InvitationOutcome[],
): string[] {
  if (asked.some(({ answer }) => answer === 'agreed')) return [];
  const plans = held.filter(({ slot }) => slot === 'main');
  const refused = asked
    .filter(({ answer }) => answer === 'refused')
    .map(({ askedAt }) => planAt(plans, askedAt))
    .filter((plan) => plan !== undefined && plan.back > 0);
  return held.filter(({ at }) => refused.includes(planAt(plans, at))).map(({ attempt }) => attempt);
}
