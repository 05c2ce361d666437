import { isRedirectWallet } from '../../../catalog/rules/stripe-wallets.ts';
import { withChange } from '../../purchase/attempt.ts';
import type { Attempt } from '../../purchase/state.ts';

interface Method extends Pick<Attempt, 'nonce'>, Partial<Pick<Attempt, 'bank' | 'wallet'>> {
  /** Whether the payer has just entered it. Otherwise it may be the challenged card, verified by the bank. */
  isEntered?: boolean;
  /** The payment that the bank's challenge was about. */
  paymentId?: Attempt['paymentId'];
}

/**
 * Whether the payer left the bank's challenge to pay with something else. The bank's page of a redirect is not left for
 * the same method, which leads to the same page.
 */
export function leavesBank(
  attempt: Attempt,
  { nonce, bank, wallet, isEntered = false, paymentId }: Method,
): boolean {
  const isAtBank = attempt.state === 'challenged' || attempt.state === 'returned';
  if (!isAtBank || paymentId || !nonce || nonce === attempt.nonce) return false;
  const isAway = attempt.bank !== null || isRedirectWallet(attempt.wallet);
  const isSame = (bank ?? null) === attempt.bank && (wallet ?? null) === attempt.wallet;
  return isAway ? !isSame : isEntered;
}

/** Its payment is cancelled at once, and no other gateway takes it over. */
export const leaveBank = (attempt: Attempt, now: number): Attempt =>
  withChange(attempt, { state: 'returned', others: [], challengedAt: 0, tries: 0, dueAt: now });
