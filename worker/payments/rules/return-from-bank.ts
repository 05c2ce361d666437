import { isRedirectWallet } from '../../catalog/rules/stripe-wallets.ts';
import { type Attempt, withChange } from './attempt.ts';

/** @param nonce the verified one that replaces the old; null if the payment itself is verified */
export function resumeAfterChallenge(attempt: Attempt, nonce: string | null, now: number): Attempt {
  if (attempt.state !== 'challenged') return attempt;
  const back = { dueAt: now, tries: 0 };
  if (attempt.gateway === 'stripe') return withChange(attempt, { ...back, state: 'returned' });
  if (!nonce || nonce === attempt.nonce) return attempt;
  // The old nonce paid nothing, and the new one was not sent yet. For a saved card the challenged nonce is only in
  // the secret.
  const challengedNonce =
    attempt.challengedNonce ?? attempt.nonce ?? attempt.secret?.split('#')[0] ?? '';
  return withChange(attempt, { ...back, state: 'open', nonce, challengedNonce, secret: null });
}

/** The payer came back with the browser's Back, to pay with something else. The same method leads to the same page. */
export function leaveBank(
  attempt: Attempt,
  { nonce, bank, wallet }: Pick<Attempt, 'nonce'> & Partial<Pick<Attempt, 'bank' | 'wallet'>>,
  now: number,
): Attempt {
  const isAway = attempt.bank !== null || isRedirectWallet(attempt.wallet);
  const isSame = (bank ?? null) === attempt.bank && (wallet ?? null) === attempt.wallet;
  if (!isAway || attempt.state !== 'challenged' || isSame) return attempt;
  if (!nonce || nonce === attempt.nonce) return attempt;
  return withChange(attempt, { state: 'returned', challengedAt: 0, tries: 0, dueAt: now });
}
