/**
 * What a provider's status of a subscription means to us. `past_due`: access for `accessDays` more.
 * `lapsed`: not paid, and could be charged again: no access, and we end it there. `ended`: nothing will
 * be charged any more.
 */
export type ProviderState = 'active' | 'past_due' | 'lapsed' | 'ended';

export type StripeStatus =
  | 'incomplete'
  | 'incomplete_expired'
  | 'trialing'
  | 'active'
  | 'past_due'
  | 'unpaid'
  | 'paused'
  | 'canceled';

/** https://docs.stripe.com/billing/subscriptions/overview#subscription-statuses */
export const stripeStates: Record<StripeStatus, ProviderState> = {
  // For 23 hours at most. It is told for a moment after the first payment, too, so it is not ended.
  incomplete: 'past_due',
  incomplete_expired: 'ended',
  trialing: 'active',
  active: 'active',
  past_due: 'past_due',
  // All retries failed; later invoices stay drafts, which the customer may still pay.
  unpaid: 'lapsed',
  // It bills no more until somebody resumes it.
  paused: 'lapsed',
  canceled: 'ended',
};

export type BraintreeStatus = 'Pending' | 'Active' | 'Past Due' | 'Canceled' | 'Expired';

/** https://developer.paypal.com/braintree/docs/guides/recurring-billing/overview#subscription-statuses */
export const braintreeStates: Record<BraintreeStatus, ProviderState> = {
  // It begins later: what was paid today is a sale of its own.
  Pending: 'active',
  Active: 'active',
  'Past Due': 'past_due',
  Canceled: 'ended',
  Expired: 'ended',
};

/** The state of a provider's word; a new word of theirs gives access for a limited time only. */
export const providerState = (table: Readonly<Record<string, ProviderState>>, word: string) =>
  (Object.hasOwn(table, word) ? table[word] : undefined) ?? 'past_due';
