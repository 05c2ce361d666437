import { balance } from './balance.ts';
import type { Subscription } from './subscription.ts';

const day = 24 * 60 * 60_000;
/** The person has 14 days to agree; their requester may ask for the money for 30 more. */
const claimable = 44 * day;

/**
 * Whether money may be asked back because nobody agreed.
 *
 * @param paidAt when the plan was first paid, ms since 1970; null where nothing was
 */
export const mayClaim = (paidAt: number | null, now: number): boolean =>
  paidAt !== null && now < paidAt + claimable;

/**
 * What goes back of something bought when nobody agreed, ended or not, in minor units; 0 once it was
 * taken back, and after its time.
 *
 * @param rows the money that moved for it, oldest first
 */
export function guaranteed(
  { withdrawnAt }: Pick<Subscription, 'withdrawnAt'>,
  rows: readonly { kind: 'capture' | 'refund' | 'dispute'; amount: number; at: number }[],
  now: number,
): number {
  const paidAt = rows.find(({ kind }) => kind === 'capture')?.at ?? null;
  return withdrawnAt || !mayClaim(paidAt, now) ? 0 : Math.max(0, balance(rows));
}
