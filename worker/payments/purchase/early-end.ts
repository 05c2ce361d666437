import { monthsOfPeriod } from '../../../locales/format/periods.ts';
import { asChargeable, multipleOf } from '../../catalog/rules/currencies.ts';
import { addMonths, addPeriods } from '../../catalog/rules/renewal-date.ts';
import { dayMs, minuteMs } from '../../platform/durations.ts';
import { epochMs, type Minor, minor } from '../../platform/types.ts';
import { balance, type MovementRow } from './money-movements.ts';
import { type Standing, standingOf } from './price-raise.ts';
import type { EarlyEnd } from './renewal-state.ts';
import type { Subscription } from './state.ts';

const leastMonths = 3;
/** Months have 28 to 31 days, and gateways charge by days. */
const toleranceMs = 4 * dayMs;
const endable: readonly Standing[] = ['running', 'changing', 'paused', 'restarted', 'reduced'];

type Row = Pick<MovementRow, 'kind' | 'amount' | 'paymentId' | 'at'> & {
  refundKey?: string | undefined;
};

/**
 * The payment of a running period that nobody ordered: the period began by itself. Its owner ordered the first period
 * after a purchase (and after an intro), an upgrade, a switch, and a pause that they ended early.
 */
function renewalOf(subscription: Subscription, rows: readonly Row[]) {
  const { plan, paidUntil, paidSince, switchedAt, trialUntil, giftUntil } = subscription;
  if (plan.period === 'once' || paidUntil === null || paidUntil === giftUntil) return null;
  const paid = (one: Row) => balance(rows.filter(({ paymentId }) => paymentId === one.paymentId));
  const orderedAt = Math.max(switchedAt ?? 0, paidSince?.isLate ? 0 : (paidSince?.at ?? 0));
  const captures = rows
    .filter((one) => one.kind === 'capture' && one.at >= orderedAt - dayMs && paid(one) > 0)
    .toSorted((a, b) => a.at - b.at);
  const hasPaidIntro = orderedAt === 0 && plan.introDays !== 0 && trialUntil === null;
  const newest = captures.at(-1);
  if (!newest || captures.length < (hasPaidIntro ? 3 : 2)) return null;
  const isRestart = paidSince?.isLate === true && newest.at <= paidSince.at + minuteMs;
  const earliest = addPeriods(paidUntil, plan.period, -1);
  if (newest.at < earliest - toleranceMs) return null;
  // Of a period that ends in a short month the payment has the right day: 31 January to 30 April.
  const from = isRestart || newest.at < earliest + toleranceMs ? newest.at : earliest;
  return { paymentId: newest.paymentId, net: paid(newest), from, paidUntil };
}

/**
 * Where the law lets a renewed period be ended: the last whole day of it that the notice allows, and the share of its
 * payment for the days after that. A cancellation, also one by its plan's end, leaves that right. @param noticeMonths null where no law does @param rows net of reversals
 */
export function earlyEndOf(
  subscription: Subscription,
  rows: readonly Row[],
  noticeMonths: number | null,
  now: number,
): EarlyEnd | null {
  const { plan } = subscription;
  if (noticeMonths === null || monthsOfPeriod[plan.period] < leastMonths) return null;
  const uncancelled = { ...subscription, ends: false, cancelRequestedAt: null };
  if (subscription.earlyEnd || subscription.waitsForMoney) return null;
  if (!endable.includes(standingOf(uncancelled, rows))) return null;
  const renewal = renewalOf(subscription, rows);
  if (!renewal) return null;
  const { paymentId, net, from, paidUntil } = renewal;
  const days = Math.round((paidUntil - from) / dayMs);
  const left = Math.min(days, Math.ceil((paidUntil - addMonths(now, noticeMonths)) / dayMs));
  if (left < 1) return null;
  // A payment that was returned in full ends the subscription at once.
  const most = left < days ? net - multipleOf(plan.currency) : net;
  const back = minor(Math.min(most, asChargeable((net * left) / days, plan.currency)));
  return back < 1 ? null : { at: epochMs(paidUntil - left * dayMs), back, paymentId };
}

export const earlyEndKey = 'early_end';

/** What is still to be refunded of an early end; 0 once a refund was made for it, and while the payment is disputed. */
export function earlyRefundOf(
  { earlyEnd, withdrawnAt, isDisputed }: Subscription,
  rows: readonly Row[],
): Minor {
  const own = rows.filter(({ paymentId }) => paymentId === earlyEnd?.paymentId);
  const isSettled = own.some(
    ({ kind, refundKey }) => kind === 'dispute' || refundKey?.startsWith(`${earlyEndKey}:`),
  );
  if (!earlyEnd || withdrawnAt !== null || isDisputed || isSettled) return minor(0);
  return minor(Math.max(0, Math.min(earlyEnd.back, balance(own))));
}
