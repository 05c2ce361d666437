import type { Terms } from '../../../catalog/accepted-terms.ts';
import { hasOwnCoupon, ownWords, type Plan, renewalPrice } from '../../../catalog/rules/plans.ts';
import { addMonths, renewalSteps } from '../../../catalog/rules/renewal-date.ts';
import type { NamedText } from '../../../content/rules/text-overrides.ts';
import { isOneOf } from '../../../platform/keys.ts';
import type { AttemptId, Minor } from '../../../platform/types.ts';
import { type ChangeKind, changeKinds, type PlanChange } from '../../purchase/change-state.ts';
import { earlyEndOf } from '../../purchase/early-end.ts';
import { balance, type MovementRow } from '../../purchase/money-movements.ts';
import { agreeableAt, upcomingPlan } from '../../purchase/price-raise.ts';
import { guaranteedAmount, mayWithdraw, withdrawalDay } from '../../purchase/refund-rights.ts';
import type { GatewayName, Subscription, SubscriptionState } from '../../purchase/state.ts';
import { accessUntil, stateOf } from '../../purchase/subscription.ts';
import { changeOptions } from './change-options.ts';
import { mayResume } from './subscription-changes.ts';

/** A subscription as its owner sees it. Amounts in minor units, times in ms since 1970. */
export interface SubscriptionView {
  attempt: AttemptId;
  slot: Plan['slot'];
  period: Plan['period'];
  introDays: Plan['introDays'];
  /** Of a plan that began with an intro or has its own name, in the owner's language. */
  name?: string;
  currency: Plan['currency'];
  state: SubscriptionState | 'withdrawn';
  /** Whether its first debit is unpaid: being processed while it is active, failed once it has ended. */
  isProvisional: boolean;
  waitsForMoney: boolean;
  /** When access ends or, while active, the next charge is due; null for neither. */
  until: number | null;
  /** The action required of the owner; null for none. */
  todo: 'update_card' | null;
  paidUntil: number | null;
  price: number;
  coupon: { full: number; percent: number } | null;
  next: { amount: number; at: number } | null;
  /** After so many renewals that a coupon lowers, also of a cancelled one if it is continued. */
  later: { price: number; at: number; after: number } | null;
  /** When the first payment was made; null before it. */
  boughtAt: number | null;
  /** The last day to withdraw, as midnight UTC, and the refund; null after it. */
  withdraw: { last: number; back: number } | null;
  guarantee: number;
  /** The end of a renewed period before it is over, chosen or possible by law, and the refund; null without one. */
  earlyEnd: { at: number; back: number } | null;
  resumes: boolean;
  pausesUntil: number | null;
  nextPlan: PlanRef | null;
  changes: {
    upgrade: PlanRef[];
    switch: PlanRef[];
    /** The days on which charges would resume after a pause of one, two or three months. */
    pauses: number[];
    resume: boolean;
    continue: boolean;
  };
  /** A confirmed change whose result is not known yet. */
  pendingChange: ChangeKind | null;
  /** The bank's challenge for that change; null for none. */
  challenge: { change: string; gateway: GatewayName; amount: Minor; secret: string } | null;
}

export interface PlanRef {
  id: string;
  /** Its own, in the owner's language. */
  name?: string;
  period: Plan['period'];
  price: number;
  /** What the button says that agrees to a higher price. */
  label?: string;
}

interface Facts {
  subscription: Subscription;
  rows: readonly Pick<MovementRow, 'kind' | 'amount' | 'paymentId' | 'at'>[];
  coupon: string | null;
  terms: Terms | null;
  /** Charged by the attempt; refunded while a first debit is not in `rows` yet. */
  amount?: Minor;
  pendingChange?: Omit<PlanChange, 'plan'> | null;
  /** The plans to which it can change; none where changes are not shown. */
  targets?: readonly Plan[];
  agreeLabel?: string;
  named?: NamedText;
  /** Where the law lets a renewed period be ended early; null elsewhere. */
  noticeMonths?: number | null;
}

const isOwn = isOneOf(changeKinds);

function untilOf(subscription: Subscription, state: SubscriptionView['state']): number | null {
  if (state === 'ended' || state === 'withdrawn') return null;
  if (state === 'active') return subscription.paidUntil;
  const until = accessUntil(subscription);
  return Number.isFinite(until) ? until : null;
}

function challengeOf({ gateway }: Subscription, change: Facts['pendingChange']) {
  if (change?.state !== 'challenged' || !change.challenge) return null;
  const { id, amount, challenge } = change;
  return { change: id, gateway, amount, secret: challenge.secret };
}

/** The next renewal; null without one. */
function nextCharge(
  { paidUntil, pausesUntil }: Subscription,
  state: SubscriptionView['state'],
  amount: Minor,
  now: number,
): SubscriptionView['next'] {
  const isCurrent = state === 'past_due' || state === 'active' || state === 'paused';
  if (!isCurrent || paidUntil === null) return null;
  const at = state === 'past_due' ? Math.max(paidUntil, now) : (pausesUntil ?? paidUntil);
  return { amount, at };
}

export function subscriptionView(
  {
    subscription,
    rows,
    coupon,
    terms,
    amount,
    pendingChange,
    targets = [],
    agreeLabel = '',
    named = () => undefined,
    noticeMonths = null,
  }: Facts,
  now: number,
): SubscriptionView {
  const { attempt, slot, plan, paidUntil, pausesUntil, withdrawnAt } = subscription;
  const upcoming = upcomingPlan(subscription);
  const state = withdrawnAt ? 'withdrawn' : stateOf(subscription);
  const { period, introDays, currency } = plan;
  const price = renewalPrice(plan, coupon);
  const own = hasOwnCoupon(plan, coupon) ? plan.coupon : undefined;
  const { isProvisional, waitsForMoney } = subscription;
  const isDue = isProvisional && state !== 'ended';
  const back = isDue && amount !== undefined ? amount : balance(rows);
  const last = withdrawalDay(terms);
  const amountDue = renewalPrice(upcoming, coupon);
  const asked = agreeableAt(subscription, rows, now) !== null ? subscription.raise : null;
  const options = changeOptions({ subscription, rows, targets }, now);
  const refOf = ({ id, period: cycle, ...own }: Plan): PlanRef => {
    const { name } = ownWords(own, named);
    return { id, ...(name && { name }), period: cycle, price: renewalPrice(own, coupon) };
  };
  const next = period === 'once' ? null : nextCharge(subscription, state, amountDue, now);
  const [lowered, later] = renewalSteps(upcoming, coupon, next?.at ?? paidUntil ?? 0);
  const open = state !== 'withdrawn' && back > 0 && mayWithdraw(terms, now);
  return {
    attempt,
    slot,
    period,
    introDays,
    currency,
    state,
    isProvisional,
    waitsForMoney,
    until: untilOf(subscription, state),
    todo: state === 'past_due' ? 'update_card' : null,
    paidUntil,
    price,
    coupon: own ? { full: plan.price, percent: own.percent } : null,
    next,
    later: later ? { price: later.amount, at: later.at, after: lowered?.times ?? 0 } : null,
    boughtAt: rows[0]?.at ?? null,
    withdraw: open && last !== null ? { last, back } : null,
    guarantee: guaranteedAmount(subscription, rows, now),
    earlyEnd:
      subscription.earlyEnd ??
      (pendingChange ? null : earlyEndOf(subscription, rows, noticeMonths, now)),
    resumes: mayResume(subscription, rows, now),
    pausesUntil,
    nextPlan: upcoming === plan ? null : refOf(upcoming),
    changes: {
      upgrade: options.upgrade.map(refOf),
      switch: [
        ...(asked ? [{ ...refOf(asked.plan), label: agreeLabel }] : []),
        ...options.switch.map(refOf),
      ],
      pauses: Array.from({ length: options.maxPauseMonths }, (_, at) =>
        addMonths(paidUntil ?? now, at + 1),
      ),
      resume: options.resume,
      continue: options.continue,
    },
    pendingChange: pendingChange && isOwn(pendingChange.kind) ? pendingChange.kind : null,
    challenge: challengeOf(subscription, pendingChange),
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
