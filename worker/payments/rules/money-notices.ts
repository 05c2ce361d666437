import type { EpochMs, Minor, PaymentId } from '../../types.ts';
import type { Attempt } from './attempt.ts';
import { about, type Notice, receiptOf } from './email-notices.ts';
import { movementOf } from './money-movements.ts';
import { withdrawalDay } from './refund-rights.ts';
import { type Subscription, stateOf } from './subscription.ts';

const day = 24 * 60 * 60_000;

export function purchaseNotice(attempt: Attempt, subscription: Subscription, now: number): Notice {
  const { id, charge, amount, terms } = attempt;
  const told = { paid: charge?.amount ?? amount, renews: subscription.paidUntil };
  const receipt = receiptOf(attempt, charge?.paymentId, charge?.tax);
  const data = { ...about(attempt, now), ...told, withdraw: withdrawalDay(terms), ...receipt };
  return { id: `bought:${id}`, template: 'bought', until: null, data };
}

export function confirmNotice(attempt: Attempt, invoice: string, now: number): Notice {
  const data = { ...about(attempt, now), invoice };
  return { id: `confirm_payment:${invoice}`, template: 'confirm_payment', until: null, data };
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
