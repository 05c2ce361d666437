import { renewalPrice } from '../../catalog/rules/plans.ts';
import { type AttemptId, type EpochMs, epochMs, minor } from '../../platform/types.ts';
import { deliveryMs } from '../purchase/price-raise.ts';
import type { Raise } from '../purchase/renewal-state.ts';
import type { Attempt, Subscription } from '../purchase/state.ts';
import { about, type Notice, receiptOf } from './email-notices.ts';

export const raiseNoticeId = (attempt: AttemptId, { announcedAt }: Raise): string =>
  `price_raise:${attempt}:${announcedAt}`;

/** @param first the first renewal at the higher price, if the yes that it needs is given in time */
export function raiseNotice(
  attempt: Attempt,
  { plan, paidUntil }: Subscription,
  raise: Raise,
  first: EpochMs,
  now: number,
): Notice {
  const isAgreed = raise.state === 'agreed';
  const id = raiseNoticeId(attempt.id, raise);
  const data = {
    ...about({ ...attempt, plan: raise.plan }, now),
    attempt: attempt.id,
    step: isAgreed ? 'agreed' : raise.needsYes ? 'asked' : 'noticed',
    before: renewalPrice(plan, attempt.coupon),
    renews: epochMs(paidUntil ?? now),
    next: { amount: raise.amount, at: first },
  } as const;
  return isAgreed
    ? { id: `${id}:agreed`, template: 'price_raise', until: null, data }
    : { id, template: 'price_raise', until: raise.announcedAt + deliveryMs, data };
}

/** The price stays, although its rise was announced. */
export function keptPriceNotice(
  attempt: Attempt,
  { plan, paidUntil }: Subscription,
  { announcedAt }: Raise,
  now: number,
): Notice {
  const at = epochMs(paidUntil ?? now);
  const data = {
    ...about({ ...attempt, plan }, now),
    ...receiptOf(attempt),
    ...({ kind: 'continue', paid: minor(0), credit: minor(0), until: null } as const),
    takesEffectAt: epochMs(now),
    next: { amount: renewalPrice(plan, attempt.coupon), at },
  };
  const id = `plan_change:${attempt.id}:kept:${announcedAt}`;
  return { id, template: 'plan_change', until: null, data };
}
