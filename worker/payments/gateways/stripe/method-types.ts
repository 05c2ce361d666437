import { isRedirect } from '../../../catalog/rules/bank-methods.ts';
import { isRedirectWallet } from '../../../catalog/rules/stripe-wallets.ts';
import type { Attempt } from '../../purchase/state.ts';

/**
 * The methods that may pay a subscription; null for the dashboard's setting. A bank redirect pays the first
 * invoice, the account behind it the others, and a new card may pay those of any method
 * (docs.stripe.com/api/subscriptions/object, `payment_settings.payment_method_types`).
 */
export function typesOf({ bank, wallet }: Attempt) {
  const own = wallet ?? bank;
  return own && [...new Set([own, ...(bank ? ['sepa_debit' as const] : []), 'card' as const])];
}

/** Paid on another page; the payment then attaches the method to the customer. */
export const isPaidElsewhere = ({ bank, wallet, nonce }: Attempt): boolean =>
  isRedirect(bank) || (nonce !== null && isRedirectWallet(wallet));
