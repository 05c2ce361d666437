import { type PlanId, planById, type Slot } from '../../catalog/plans.ts';
import { firstRenewal } from '../../catalog/rules/renewal-date.ts';
import { type AttemptId, type EpochMs, epochMs, sumOf } from '../../types.ts';
import { type Attempt, type GatewayName, sendLimitMs } from './attempt.ts';
import { remindAt } from './email-notices.ts';
import type { Movement, ProviderState, Statement } from './gateway.ts';
import { type Movements, movementsOf } from './money-movements.ts';

/** What a successful attempt bought. Times in ms since 1970. */
export interface Subscription {
  attempt: AttemptId;
  slot: Slot;
  plan: PlanId;
  gateway: GatewayName;
  customerId: string;
  subscriptionId: string | null;
  status: Exclude<ProviderState, 'lapsed'>;
  paidUntil: EpochMs | null;
  ends: boolean;
  /** When the owner cancelled; null while nobody did. */
  cancelAskedAt: number | null;
  resumedAt?: number | null;
  remindAt: number | null;
  /** When the owner withdrew; everything paid is then refunded. */
  withdrawnAt: number | null;
  dueAt: number | null;
  version: number;
}

const blank = {
  subscriptionId: null,
  paidUntil: null,
  cancelAskedAt: null,
  resumedAt: null,
  remindAt: null,
  withdrawnAt: null,
  dueAt: null,
} satisfies Partial<Subscription>;

export const withSubscriptionDefaults = (stored: Subscription): Subscription => ({
  ...blank,
  ...stored,
});

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** How long a renewal's webhook may be late before the statement is read, then daily. */
const webhookGraceMs = 6 * hourMs;

/** A payment may still be refunded or disputed after the last renewal: read monthly for this time. */
const monthMs = 30 * 24 * hourMs;
const lateMoneyMs = 180 * 24 * hourMs;

function nextMonthlySync(captures: readonly Movement[], now: number): number | null {
  const last = Math.max(0, ...captures.map(({ at }) => at));
  return now + monthMs <= last + lateMoneyMs ? now + monthMs : null;
}

export const accessDays = 7;

/** Ms since 1970. From stored facts, so that access ends also when the gateway does not answer. */
export function accessUntil({ status, paidUntil, ends }: Subscription): number {
  if (status === 'ended') return 0;
  if (paidUntil === null) return Number.POSITIVE_INFINITY;
  return ends ? paidUntil : paidUntil + accessDays * 24 * hourMs;
}

function nextSyncAt(
  { paidUntil, captures }: Statement,
  status: Subscription['status'],
  now: number,
): number | null {
  if (status === 'ended' || paidUntil === null) return nextMonthlySync(captures, now);
  return status === 'active' && paidUntil + webhookGraceMs > now
    ? paidUntil + webhookGraceMs
    : now + 24 * hourMs;
}

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
  const { paymentId, customerId, subscriptionId, amount } = charge;
  return {
    subscription: {
      attempt: id,
      slot,
      plan,
      gateway,
      customerId,
      subscriptionId,
      status: 'active',
      paidUntil,
      ends: false,
      cancelAskedAt: null,
      remindAt: remindAt(row, paidUntil),
      withdrawnAt: null,
      dueAt: paidUntil === null ? now + monthMs : paidUntil + webhookGraceMs,
      version: 1,
    },
    movements: [{ kind: 'capture', id: paymentId, paymentId, amount, at: paidAt }],
  };
}

type Money = Pick<Statement, 'captures' | 'refunds' | 'disputes'>;

const remaining = ({ captures, refunds, disputes }: Money) =>
  sumOf(captures) - sumOf(refunds) - sumOf(disputes);

/** The newest payment went back whole, so nothing pays for the running period. */
function isNewestPaymentReturned({ captures, refunds, disputes }: Statement): boolean {
  const [newest] = captures.toSorted((a, b) => b.at - a.at);
  if (!newest) return false;
  const its = ({ paymentId }: Movement) => paymentId === newest.paymentId;
  const own = { refunds: refunds.filter(its), disputes: disputes.filter(its) };
  return remaining({ captures: [newest], ...own }) <= 0;
}

/**
 * The subscription after the gateway's statement, and all its money. A lost dispute ends the renewals; a
 * subscription that is not paid for is over.
 */
export function applyStatement(
  before: Subscription,
  statement: Statement,
  now: number,
): { subscription: Subscription; movements: Movements } {
  const { paidUntil, disputes, status: reported } = statement;
  const ending = statement.ends || reported === 'ended';
  const over = reported === 'lapsed' || isNewestPaymentReturned(statement);
  const status = over ? 'ended' : reported;
  const asked = over || disputes.length > 0 ? requestCancellation(before, now) : before;
  const isResumePending = asked.resumedAt != null && ending && status === 'active';
  const ends = ending && !isResumePending;
  const isChangePending = isResumePending || (asked.cancelAskedAt !== null && !ends);
  const isRefundDue = asked.withdrawnAt !== null && remaining(statement) > 0;
  return {
    subscription: {
      ...asked,
      status,
      paidUntil,
      ends,
      resumedAt: isResumePending ? asked.resumedAt : null,
      dueAt: isChangePending || isRefundDue ? now + minuteMs : nextSyncAt(statement, status, now),
      version: before.version + 1,
    },
    movements: movementsOf(statement),
  };
}

export const renews = ({ status, ends, cancelAskedAt, withdrawnAt }: Subscription): boolean =>
  status !== 'ended' && !ends && cancelAskedAt === null && withdrawnAt === null;

/** Idempotent. */
export function requestCancellation(subscription: Subscription, now: number): Subscription {
  if (
    subscription.ends ||
    subscription.cancelAskedAt !== null ||
    subscription.subscriptionId === null
  )
    return subscription;
  const asked = { cancelAskedAt: now, resumedAt: null, dueAt: now };
  return { ...subscription, ...asked, version: subscription.version + 1 };
}

/** Braintree's cancellations are final. */
const resumableGateways: readonly GatewayName[] = ['stripe'];
/** In the last hour the gateway may be ending the subscription already. */
const lastResumeMs = hourMs;

export const canResume = (gateway: GatewayName): boolean => resumableGateways.includes(gateway);

/** A cancellation can be taken back until it takes effect, but not after a lost dispute. */
export function mayResume(
  subscription: Subscription,
  rows: readonly { kind: string }[],
  now: number,
): boolean {
  const { gateway, status, ends, cancelAskedAt, withdrawnAt, paidUntil } = subscription;
  const ending = status === 'active' && !withdrawnAt && (ends || cancelAskedAt !== null);
  const runs = paidUntil !== null && paidUntil - lastResumeMs > now;
  return ending && runs && canResume(gateway) && !rows.some(({ kind }) => kind === 'dispute');
}

export function resume(subscription: Subscription, now: number): Subscription {
  const again = { cancelAskedAt: null, resumedAt: now, ends: false, dueAt: now };
  return { ...subscription, ...again, version: subscription.version + 1 };
}

/** Ends the subscription and makes everything paid refundable. Idempotent. */
export function withdraw(subscription: Subscription, now: number): Subscription {
  if (subscription.withdrawnAt) return subscription;
  const asked = requestCancellation(subscription, now);
  return {
    ...asked,
    withdrawnAt: now,
    remindAt: null,
    dueAt: now,
    version: subscription.version + 1,
  };
}

export function clearReminder(subscription: Subscription): Subscription {
  return { ...subscription, remindAt: null, version: subscription.version + 1 };
}

export function scheduleSync(subscription: Subscription, dueAt: number): Subscription {
  return { ...subscription, dueAt, version: subscription.version + 1 };
}
