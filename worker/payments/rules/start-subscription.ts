import { planById } from '../../catalog/plans.ts';
import { firstRenewal } from '../../catalog/rules/renewal-date.ts';
import { epochMs } from '../../types.ts';
import { type Attempt, sendLimitMs } from './attempt.ts';
import type { Movements } from './money-movements.ts';
import { blankSubscription, monthMs, type Subscription, webhookGraceMs } from './subscription.ts';
import { remindAt } from './subscription-notices.ts';

/** The subscription and the first payment of a successful attempt. @throws RangeError without a charge */
export function startSubscription(
  attempt: Attempt,
  now: number,
): { subscription: Subscription; movements: Movements } {
  const { id, slot, plan, gateway, charge } = attempt;
  const row = planById(plan);
  if (!charge || !row) throw new RangeError(`attempt ${id} bought nothing`);
  // A payment may be found long after it was made, but none is made later than this.
  const paidAt = epochMs(Math.min(now, attempt.openedAt + 2 * sendLimitMs));
  const paidUntil = firstRenewal(row, paidAt);
  const { paymentId, customerId, subscriptionId, amount, tax } = charge;
  return {
    subscription: {
      ...blankSubscription,
      attempt: id,
      slot,
      plan,
      gateway,
      customerId,
      subscriptionId,
      status: 'active',
      since: paidAt,
      paidUntil,
      ends: false,
      remindAt: remindAt(row, paidUntil),
      dueAt: paidUntil === null ? now + monthMs : paidUntil + webhookGraceMs,
      version: 1,
    },
    movements: [{ kind: 'capture', id: paymentId, paymentId, amount, tax, at: paidAt }],
  };
}

/** What the bank has paid now; what its owner asked for meanwhile is done next. */
export function confirmProvisional(
  { since, paidUntil, cancelAskedAt, withdrawnAt, version }: Subscription,
  started: Subscription,
  now: number,
): Subscription {
  const asked = { since, paidUntil, cancelAskedAt, withdrawnAt, version: version + 1 };
  const isAsked = cancelAskedAt !== null || withdrawnAt !== null;
  return { ...started, ...asked, ...(isAsked && { remindAt: null, dueAt: now }) };
}
