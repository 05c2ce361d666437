import { type PlanId, planById, type Slot } from '../../catalog/plans.ts';
import { firstRenewal } from '../../catalog/rules/renewal-date.ts';
import { type Attempt, type GatewayName, sendLimitMs } from './attempt.ts';
import { remindAt } from './email-notices.ts';
import type { Movement, Statement } from './gateway.ts';
import type { ProviderState } from './provider-status.ts';

/** What an account holds since an attempt succeeded. Times in ms since 1970. */
export interface Subscription {
  attempt: string;
  slot: Slot;
  plan: PlanId;
  gateway: GatewayName;
  /** The gateway's customer. */
  customerId: string;
  subscriptionId: string | null;
  status: Exclude<ProviderState, 'lapsed'>;
  paidUntil: number | null;
  /** Whether it ends then. */
  ends: boolean;
  /** When the account asked that it ends; null while nobody did. */
  cancelAskedAt: number | null;
  /** When the account took that back; kept until the gateway knows. */
  resumedAt?: number | null;
  /** When its owner is reminded of the first full renewal; null for never, or done. */
  remindAt: number | null;
  /** When the account withdrew from it; all that was paid is then given back. */
  withdrawnAt: number | null;
  /** When the gateway is asked again, without waiting for its message; null for never. */
  dueAt: number | null;
  version: number;
}

/** What nothing is known of yet; an older build did not write what came after it. */
const blank = {
  subscriptionId: null,
  paidUntil: null,
  cancelAskedAt: null,
  resumedAt: null,
  remindAt: null,
  withdrawnAt: null,
  dueAt: null,
} satisfies Partial<Subscription>;

/** What was bought, as any build kept it, with every field. */
export const withSubscriptionDefaults = (kept: Subscription): Subscription => ({
  ...blank,
  ...kept,
});

export type Movements = readonly (Movement & { kind: 'capture' | 'refund' | 'dispute' })[];

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** A renewal's message is waited for so long; then, and daily while it is past due, we ask. */
const webhookGraceMs = 6 * hourMs;

/** What renews no more may still be refunded or disputed: asked for monthly, so long after its payment. */
const monthMs = 30 * 24 * hourMs;
const lateMoneyMs = 180 * 24 * hourMs;

function nextMonthlySync(captures: readonly Movement[], now: number): number | null {
  const last = Math.max(0, ...captures.map(({ at }) => at));
  return now + monthMs <= last + lateMoneyMs ? now + monthMs : null;
}

/** Days after the end of what was paid that a renewal may be late without any loss of access. */
export const accessDays = 7;

/**
 * Until when something bought may be used, ms since 1970: told by what is known here, so that it ends
 * also when the gateway says nothing any more. Infinite for what is paid once.
 */
export function accessUntil({ status, paidUntil, ends }: Subscription): number {
  if (status === 'ended') return 0;
  if (paidUntil === null) return Number.POSITIVE_INFINITY;
  return ends ? paidUntil : paidUntil + accessDays * 24 * hourMs;
}

/** When the gateway has to be asked, should no message come before. */
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

/** What an attempt that has just become active brings, and the money that it took. */
export function startSubscription(
  attempt: Attempt,
  now: number,
): { subscription: Subscription; movements: Movements } {
  const { id, slot, plan, gateway, charge } = attempt;
  const row = planById(plan);
  if (!charge || !row) throw new RangeError(`attempt ${id} bought nothing`);
  // It may be found long after; nothing is charged later than this.
  const paidAt = Math.min(now, attempt.openedAt + 2 * sendLimitMs);
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

const sum = (movements: readonly Movement[]) =>
  movements.reduce((total, { amount }) => total + amount, 0);

type Money = Pick<Statement, 'captures' | 'refunds' | 'disputes'>;

/** All money of a statement in one list. */
export const movementsOf = ({ captures, refunds, disputes }: Money): Movements => [
  ...captures.map((movement) => ({ ...movement, kind: 'capture' as const })),
  ...refunds.map((movement) => ({ ...movement, kind: 'refund' as const })),
  ...disputes.map((movement) => ({ ...movement, kind: 'dispute' as const })),
];

const remaining = ({ captures, refunds, disputes }: Money) =>
  sum(captures) - sum(refunds) - sum(disputes);

/** Whether the newest payment went back whole: nothing pays for the running period. */
function isNewestPaymentReturned({ captures, refunds, disputes }: Statement): boolean {
  const [newest] = captures.toSorted((a, b) => b.at - a.at);
  if (!newest) return false;
  const its = ({ paymentId }: Movement) => paymentId === newest.paymentId;
  const own = { refunds: refunds.filter(its), disputes: disputes.filter(its) };
  return remaining({ captures: [newest], ...own }) <= 0;
}

/**
 * What is held after the gateway's statement, and all the money that it tells of. A lost dispute ends
 * the renewals; what nobody paid for any more is over.
 */
export function applyStatement(
  before: Subscription,
  statement: Statement,
  now: number,
): { subscription: Subscription; movements: Movements } {
  const { paidUntil, disputes, status: told } = statement;
  const ending = statement.ends || told === 'ended';
  const over = told === 'lapsed' || isNewestPaymentReturned(statement);
  const status = over ? 'ended' : told;
  const asked = over || disputes.length > 0 ? requestCancellation(before, now) : before;
  const unresumed = asked.resumedAt != null && ending && status === 'active';
  const ends = ending && !unresumed;
  const unheard = unresumed || (asked.cancelAskedAt !== null && !ends);
  const owed = asked.withdrawnAt !== null && remaining(statement) > 0;
  return {
    subscription: {
      ...asked,
      status,
      paidUntil,
      ends,
      resumedAt: unresumed ? asked.resumedAt : null,
      dueAt: unheard || owed ? now + minuteMs : nextSyncAt(statement, status, now),
      version: before.version + 1,
    },
    movements: movementsOf(statement),
  };
}

/** Whether it is going to renew, as far as is known. */
export const renews = ({ status, ends, cancelAskedAt, withdrawnAt }: Subscription): boolean =>
  status !== 'ended' && !ends && cancelAskedAt === null && withdrawnAt === null;

/** The account asks that it ends; asking again changes nothing. */
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
/** In its last hour a gateway may be ending it already. */
const lastResumeMs = hourMs;

/** Whether a gateway takes a cancellation back at all. */
export const canResume = (gateway: GatewayName): boolean => resumableGateways.includes(gateway);

/**
 * Whether an end can be taken back: asked for, not there yet, and the gateway knows a way back. Not
 * after a lost dispute, which ends the renewals.
 */
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

/** The account takes back that it ends. */
export function resume(subscription: Subscription, now: number): Subscription {
  const again = { cancelAskedAt: null, resumedAt: now, ends: false, dueAt: now };
  return { ...subscription, ...again, version: subscription.version + 1 };
}

/** The account withdraws: it ends, and is paid back. Doing so again changes nothing. */
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

/** The reminder is written, or not needed. */
export function clearReminder(subscription: Subscription): Subscription {
  return { ...subscription, remindAt: null, version: subscription.version + 1 };
}

/** The gateway gave no answer: it is asked again later. */
export function scheduleSync(subscription: Subscription, dueAt: number): Subscription {
  return { ...subscription, dueAt, version: subscription.version + 1 };
}
