import { dayMs, hourMs, minuteMs } from '../../platform/durations.ts';
import type { Movement, Statement, Subscription } from './state.ts';

/** How long a renewal's webhook may be late before the statement is read, then daily. */
export const webhookGraceMs = 6 * hourMs;

/** A payment may still be refunded or disputed after the last renewal: read monthly for this time. */
export const monthMs = 30 * dayMs;
const lateMoneyMs = 180 * dayMs;

function nextMonthlySync(captures: readonly Movement[], now: number): number | null {
  const last = Math.max(0, ...captures.map(({ at }) => at));
  return now + monthMs <= last + lateMoneyMs ? now + monthMs : null;
}

/** When the statement is read again, ms since 1970; null for never. */
export function nextSyncAt(
  { paidUntil, pausesUntil = null, captures }: Statement,
  status: Subscription['status'],
  now: number,
): number | null {
  if (status === 'ended' || paidUntil === null) return nextMonthlySync(captures, now);
  if (pausesUntil !== null && pausesUntil > now)
    return paidUntil > now ? paidUntil + minuteMs : pausesUntil + webhookGraceMs;
  return status === 'active' && paidUntil + webhookGraceMs > now
    ? paidUntil + webhookGraceMs
    : now + dayMs;
}
