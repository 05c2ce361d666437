import type { Plan } from '../../catalog/plans.ts';
import { type AttemptId, type EpochMs, epochMs, type Minor, type PaymentId } from '../../types.ts';
import type { Attempt } from './attempt.ts';
import type { Card } from './card-update.ts';
import type { FailedRenewal, FailureStep } from './failed-renewal.ts';
import { movementOf } from './money-movements.ts';
import type { PlanChange } from './plan-change.ts';
import { includesTax } from './receipt.ts';
import { withdrawalDay } from './refund-rights.ts';
import { type Subscription, stateOf } from './subscription.ts';

/** Times in ms since 1970. */
interface About {
  plan: string;
  coupon: string | null;
  at: number;
  timeZone: string;
}

/** Of the payment's printable receipt. */
interface Receipt {
  receipt?: PaymentId | undefined;
  /** Inside the amount; missing where it is unknown. */
  tax?: Minor | undefined;
  taxIncluded: boolean;
}

/** An e-mail about money. Its id follows from the event, so that a repeated delivery is sent once. */
export type Notice = { id: string; until: number | null } & (
  | {
      template: 'bought';
      data: About & Receipt & { paid: Minor; renews: EpochMs | null; withdraw: number | null };
    }
  | { template: 'reminder'; data: About & { renews: number } }
  | { template: 'cancelled'; data: About & { ends: number | null } }
  | { template: 'extra_ended'; data: About & { ends: number | null } }
  | { template: 'confirm_payment'; data: About & { invoice: string } }
  | {
      template: 'renewal_failed';
      data: About & { attempt: AttemptId; step: FailureStep; amount: Minor; until: number };
    }
  | {
      template: 'card_expires';
      data: About & { attempt: AttemptId; card: string; year: number; month: number };
    }
  | { template: 'renewed'; data: About & Receipt & { paid: Minor; renews: EpochMs | null } }
  | { template: 'resumed'; data: About & { renews: number } }
  | {
      template: 'plan_changed';
      data: About &
        Receipt &
        Pick<PlanChange, 'kind' | 'takesEffectAt' | 'until' | 'next'> & {
          paid: Minor;
          credit: Minor;
        };
    }
  | { template: 'pause_ends'; data: About & { renews: number } }
  | { template: 'debit_processing' | 'debit_failed'; data: About & { amount: Minor } }
  | { template: 'withdrawn'; data: About & { back: Minor; claimed: boolean } }
  | { template: 'refunded'; data: About & Receipt & { back: Minor } }
);

const day = 24 * 60 * 60_000;

export const about = ({ plan, coupon, terms }: Attempt, at: number): About => ({
  plan,
  coupon,
  at,
  timeZone: terms?.timeZone ?? 'UTC',
});

const receiptOf = ({ terms }: Attempt, receipt?: PaymentId, tax?: Minor): Receipt => ({
  receipt,
  ...(tax !== undefined && { tax }),
  taxIncluded: includesTax(terms),
});

export function purchaseNotice(attempt: Attempt, subscription: Subscription, now: number): Notice {
  const { id, charge, amount, terms } = attempt;
  const told = { paid: charge?.amount ?? amount, renews: subscription.paidUntil };
  const receipt = receiptOf(attempt, charge?.paymentId, charge?.tax);
  const data = { ...about(attempt, now), ...told, withdraw: withdrawalDay(terms), ...receipt };
  return { id: `bought:${id}`, template: 'bought', until: null, data };
}

export function remindAt(
  { trialDays }: Pick<Plan, 'trialDays'>,
  paidUntil: EpochMs | null,
): EpochMs | null {
  return trialDays > 0 && paidUntil !== null ? epochMs(paidUntil - day) : null;
}

/** Null when nothing will be charged; not sent after the renewal. */
export function reminderOf(
  attempt: Attempt,
  subscription: Subscription,
  now: number,
): Notice | null {
  const { paidUntil: renews, pausesUntil, ends, cancelAskedAt, status } = subscription;
  if (pausesUntil !== null && cancelAskedAt === null && status !== 'ended' && pausesUntil > now) {
    const data = { ...about({ ...attempt, plan: subscription.plan }, now), renews: pausesUntil };
    const id = `pause_ends:${attempt.id}:${pausesUntil}`;
    return { id, template: 'pause_ends', until: pausesUntil, data };
  }
  const stays = status === 'active' && !ends && cancelAskedAt === null;
  if (!stays || renews === null || renews <= now) return null;
  const data = { ...about(attempt, now), renews };
  return { id: `reminder:${attempt.id}`, template: 'reminder', until: renews, data };
}

export function cancellationNotice(
  attempt: Attempt,
  { plan, paidUntil: ends, cancelAskedAt }: Subscription,
  now: number,
): Notice {
  const data = { ...about({ ...attempt, plan }, now), ends };
  const id = `cancelled:${attempt.id}:${cancelAskedAt}`;
  return { id, template: 'cancelled', until: null, data };
}

export function extraEndedNotice(
  attempt: Attempt,
  { plan, paidUntil: ends, cancelAskedAt }: Subscription,
  now: number,
): Notice {
  const data = { ...about({ ...attempt, plan }, now), ends };
  const id = `extra_ended:${attempt.id}:${cancelAskedAt}`;
  return { id, template: 'extra_ended', until: null, data };
}

export function confirmNotice(attempt: Attempt, invoice: string, now: number): Notice {
  const data = { ...about(attempt, now), invoice };
  return { id: `confirm_payment:${invoice}`, template: 'confirm_payment', until: null, data };
}

export function resumptionNotice(
  attempt: Attempt,
  { plan, paidUntil, resumedAt }: Subscription,
  now: number,
): Notice {
  const data = { ...about({ ...attempt, plan }, now), renews: paidUntil ?? now };
  return { id: `resumed:${attempt.id}:${resumedAt}`, template: 'resumed', until: null, data };
}

type MadeChange = PlanChange & Pick<Receipt, 'tax'>;

/** The receipt of a change of plan, a pause or its end. */
export function changeNotice(attempt: Attempt, change: MadeChange, now: number): Notice {
  const { id, kind, plan, amount: paid, credit, takesEffectAt, until, next, paymentId } = change;
  const data = {
    ...about({ ...attempt, plan }, now),
    kind,
    paid,
    credit,
    takesEffectAt,
    until,
    next,
    ...receiptOf(attempt, paid > 0 && paymentId ? paymentId : undefined, change.tax),
  };
  return { id: `plan_changed:${attempt.id}:${id}`, template: 'plan_changed', until: null, data };
}

/** @param back the refund @param claimed whether under the guarantee */
export function withdrawalNotice(
  attempt: Attempt,
  back: Minor,
  claimed: boolean,
  now: number,
): Notice {
  const data = { ...about(attempt, now), back, claimed };
  return { id: `withdrawn:${attempt.id}`, template: 'withdrawn', until: null, data };
}

/** @param bought whether the payment bought something, and so has a receipt of its own */
export function refundNotice(
  attempt: Attempt,
  { id, amount: back, paymentId, tax, at }: Omit<Moved, 'kind'>,
  bought = true,
): Notice {
  const receipt = receiptOf(attempt, bought ? paymentId : undefined, tax);
  const data = { ...about(attempt, at), back, ...receipt };
  return { id: `refunded:${id}`, template: 'refunded', until: null, data };
}

/** Not sent once access is over. @param until when access ends, ms since 1970 */
export function failureNotice(
  attempt: Attempt,
  { dueAt, amount }: Pick<FailedRenewal, 'dueAt' | 'amount'>,
  step: FailureStep,
  until: number,
  now: number,
): Notice {
  const data = { ...about(attempt, now), attempt: attempt.id, step, amount, until };
  const id = `renewal_failed:${attempt.id}:${dueAt}:${step}`;
  return { id, template: 'renewal_failed', until, data };
}

export function cardExpiryNotice(
  attempt: Attempt,
  { brand, last4, year, month }: Card,
  now: number,
): Notice {
  const expiry = { year: year ?? 0, month: month ?? 0 };
  const data = {
    ...about(attempt, now),
    attempt: attempt.id,
    card: `${brand} ${last4}`,
    ...expiry,
  };
  const id = `card_expires:${attempt.id}:${year}-${month}`;
  return { id, template: 'card_expires', until: Date.UTC(expiry.year, expiry.month, 1), data };
}

interface Moved {
  id: string;
  kind: string;
  amount: Minor;
  paymentId: PaymentId;
  tax?: Minor | undefined;
  at: EpochMs;
}

/** What the owner is told of a movement that is new; the first payment has its own e-mail. */
export function movementNotice(
  attempt: Attempt,
  subscription: Subscription,
  movement: Moved,
  isFirst: boolean,
): Notice | null {
  const { id, kind, amount, paymentId, tax, at } = movement;
  const isReversal = movementOf(id) !== id;
  if (kind === 'refund' && !isReversal) return refundNotice(attempt, movement);
  const { plan, paidSince } = subscription;
  // What a change charged is in its own receipt.
  const isChange = !!paidSince && Math.abs(at - paidSince.at) < day;
  if (kind !== 'capture' || isFirst || isReversal || isChange) return null;
  const renews = stateOf(subscription) === 'active' ? subscription.paidUntil : null;
  const receipt = receiptOf(attempt, paymentId, tax);
  const data = { ...about({ ...attempt, plan }, at), paid: amount, renews, ...receipt };
  return { id: `renewed:${attempt.id}:${id}`, template: 'renewed', until: null, data };
}

/** Whether an e-mail about a subscription's card still has a reason. */
export function needsCard(
  one: Subscription | undefined,
  why: 'renewal_failed' | 'card_expires',
): boolean {
  if (!one) return false;
  return why === 'renewal_failed' ? one.failure?.outcome === 'open' : stateOf(one) === 'active';
}
