import { dayMs } from '../../platform/durations.ts';
import type { Minor } from '../../platform/types.ts';
import { balance, type MovementRow, movementIdOf } from '../purchase/money-movements.ts';
import { upcomingPlan } from '../purchase/price-raise.ts';
import { withdrawalDay } from '../purchase/refund-rights.ts';
import type { Attempt, Subscription } from '../purchase/state.ts';
import { stateOf } from '../purchase/subscription.ts';
import { about, type Notice, receiptOf } from './email-notices.ts';

export function purchaseNotice(attempt: Attempt, subscription: Subscription, now: number): Notice {
  const { id, charge, amount, terms } = attempt;
  const amounts = { paid: charge?.amount ?? amount, renews: subscription.paidUntil };
  const receipt = receiptOf(attempt, charge?.paymentId ?? undefined, charge?.tax);
  const data = { ...about(attempt, now), ...amounts, withdraw: withdrawalDay(terms), ...receipt };
  return {
    id: `purchase_confirmation:${id}`,
    template: 'purchase_confirmation',
    until: null,
    data,
  };
}

export function confirmNotice(attempt: Attempt, invoice: string, now: number): Notice {
  const data = { ...about(attempt, now), invoice };
  return {
    id: `payment_confirmation:${invoice}`,
    template: 'payment_confirmation',
    until: null,
    data,
  };
}

/** @param back the refund @param claimed whether under the guarantee */
export function withdrawalNotice(
  attempt: Attempt,
  back: Minor,
  claimed: boolean,
  now: number,
): Notice {
  const data = { ...about(attempt, now), back, claimed };
  return { id: `withdrawal:${attempt.id}`, template: 'withdrawal', until: null, data };
}

/** @param bought whether the payment has a receipt of its own @param partOf the payment, for a partial refund */
export function refundNotice(
  attempt: Attempt,
  { id, amount: back, paymentId, tax, at }: Omit<MovementRow, 'kind'>,
  { bought = true, partOf }: { bought?: boolean; partOf?: Minor } = {},
): Notice {
  const receipt = receiptOf(attempt, bought ? paymentId : undefined, tax);
  const data = { ...about(attempt, at), back, ...(partOf && { partOf }), ...receipt };
  return { id: `refund:${id}`, template: 'refund', until: null, data };
}

/** The first payment has its own e-mail. @param rows of its attempt, including the movement's own */
export function movementNotice(
  attempt: Attempt,
  subscription: Subscription,
  movement: MovementRow,
  rows: readonly MovementRow[],
): Notice | null {
  const { id, kind, amount, paymentId, tax, at } = movement;
  const isReversal = movementIdOf(id) !== id;
  const isFirst = rows[0]?.id === id && !subscription.trialUntil;
  if (kind === 'refund' && !isReversal) {
    const own = rows.filter((row) => row.paymentId === paymentId);
    const paid = balance(own.filter((row) => row.kind === 'capture'));
    const renews = stateOf(subscription) === 'active' && subscription.paidUntil !== null;
    const isRenewing = renews && balance(own) > 0;
    return refundNotice(attempt, movement, isRenewing ? { partOf: paid } : {});
  }
  const { plan, paidSince } = subscription;
  // The charge of a change is in the change's own receipt.
  const isChange = !!paidSince && !paidSince.isLate && Math.abs(at - paidSince.at) < dayMs;
  if (kind !== 'capture' || isFirst || isReversal || isChange) return null;
  const renews = stateOf(subscription) === 'active' ? subscription.paidUntil : null;
  const receipt = receiptOf(attempt, paymentId, tax);
  const upcoming = { ...upcomingPlan(subscription), introDays: plan.introDays };
  const data = { ...about({ ...attempt, plan: upcoming }, at), paid: amount, renews, ...receipt };
  return {
    id: `renewal_receipt:${attempt.id}:${id}`,
    template: 'renewal_receipt',
    until: null,
    data,
  };
}

/** @param waits whether access begins only with the money */
export function debitNotice(attempt: Attempt, waits: boolean, now: number): Notice {
  const data = { ...about(attempt, now), amount: attempt.amount, waits };
  const id = `debit_${waits ? 'waiting' : 'processing'}:${attempt.id}`;
  return { id, template: 'debit_processing', until: null, data };
}

export function debitFailedNotice(attempt: Attempt, now: number): Notice {
  const data = { ...about(attempt, now), amount: attempt.amount };
  return { id: `debit_failed:${attempt.id}`, template: 'debit_failed', until: null, data };
}
