import { hasOwnCoupon, type Plan, renewalPrice } from '../../catalog/plans.ts';
import type { Minor } from '../../types.ts';
import { balance } from './money-movements.ts';
import type { Terms } from './new-attempt.ts';
import { guaranteedAmount, mayWithdraw, withdrawalDay } from './refund-rights.ts';
import { accessUntil, canResume, mayResume, type Subscription } from './subscription.ts';

interface Payment {
  kind: 'capture' | 'refund' | 'dispute';
  amount: number;
  at: number;
}

/** A subscription as its owner sees it. Amounts in minor units, times in ms since 1970. */
export interface SubscriptionView {
  attempt: string;
  slot: Plan['slot'];
  period: Plan['period'];
  trialDays: Plan['trialDays'];
  currency: Plan['currency'];
  /** `ends`: paid, and not renewing. */
  state: 'active' | 'past_due' | 'ends' | 'ended' | 'withdrawn';
  paidUntil: number | null;
  /** End of access while the renewal is late; null while it is not. */
  usableUntil: number | null;
  price: number;
  coupon: { full: number; percent: number } | null;
  next: { amount: number; at: number } | null;
  payments: Payment[];
  /** The last day to withdraw, as midnight UTC, and the refund; null after it. */
  withdraw: { last: number; back: number } | null;
  guarantee: number;
  undoes: boolean;
  resumes: boolean;
}

interface Facts {
  subscription: Subscription;
  plan: Plan;
  rows: readonly (Payment & { amount: Minor })[];
  coupon: string | null;
  terms: Terms | null;
}

function stateOf({
  status,
  ends,
  cancelAskedAt,
  withdrawnAt,
}: Subscription): SubscriptionView['state'] {
  if (withdrawnAt) return 'withdrawn';
  if (status === 'ended') return 'ended';
  if (ends || cancelAskedAt !== null) return 'ends';
  return status;
}

export function subscriptionView(
  { subscription, plan, rows, coupon, terms }: Facts,
  now: number,
): SubscriptionView {
  const state = stateOf(subscription);
  const { attempt, slot, paidUntil } = subscription;
  const { period, trialDays, currency } = plan;
  const price = renewalPrice(plan, coupon);
  const own = hasOwnCoupon(plan, coupon) ? plan.coupon : undefined;
  const late = state === 'past_due';
  const renews = (late || state === 'active') && period !== 'once' && paidUntil !== null;
  const back = balance(rows);
  const last = withdrawalDay(terms);
  const open = state !== 'withdrawn' && back > 0 && mayWithdraw(terms, now);
  return {
    attempt,
    slot,
    period,
    trialDays,
    currency,
    state,
    paidUntil,
    usableUntil: late ? accessUntil(subscription) : null,
    price,
    coupon: own ? { full: plan.price, percent: own.percent } : null,
    next: renews ? { amount: price, at: late ? Math.max(paidUntil, now) : paidUntil } : null,
    payments: rows.map(({ kind, amount, at }) => ({ kind, amount, at })),
    withdraw: open && last !== null ? { last, back } : null,
    guarantee: guaranteedAmount(subscription, rows, now),
    undoes: period !== 'once' && canResume(subscription.gateway),
    resumes: mayResume(subscription, rows, now),
  };
}

/** Codes that would help a thief (docs.stripe.com/declines/codes): shown as a generic decline. */
const fraud = new Set([
  'fraudulent',
  'lost_card',
  'merchant_blacklist',
  'pickup_card',
  'restricted_card',
  'security_violation',
  'stolen_card',
]);

export function shownDecline(code: string | null): string {
  return code && !fraud.has(code) ? code : 'generic_decline';
}

/** Empty where the processor's text would reveal what `shownDecline` hides. */
export function shownResponse(code: string | null, response: string | null): string {
  return shownDecline(code) === 'generic_decline' ? '' : (response ?? '');
}
