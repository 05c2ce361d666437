/**
 * `past_due`: access for `accessDays` more. `lapsed`: unpaid but still chargeable, so access ends and we
 * cancel it at the provider. `ended`: nothing will be charged any more.
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
  // For 23 hours at most, and for a moment after the first payment: so it does not count as ended.
  incomplete: 'past_due',
  incomplete_expired: 'ended',
  trialing: 'active',
  active: 'active',
  past_due: 'past_due',
  // All retries failed; later invoices stay drafts, which the customer may still pay.
  unpaid: 'lapsed',
  // It is not billed until somebody resumes it.
  paused: 'lapsed',
  canceled: 'ended',
};

export type BraintreeStatus = 'Pending' | 'Active' | 'Past Due' | 'Canceled' | 'Expired';

/** https://developer.paypal.com/braintree/docs/guides/recurring-billing/overview#subscription-statuses */
export const braintreeStates: Record<BraintreeStatus, ProviderState> = {
  // It begins after the paid period, which is a sale of its own.
  Pending: 'active',
  Active: 'active',
  'Past Due': 'past_due',
  Canceled: 'ended',
  Expired: 'ended',
};

/** A status that is not in the table gives access for a limited time only. */
export const providerState = (table: Readonly<Record<string, ProviderState>>, status: string) =>
  (Object.hasOwn(table, status) ? table[status] : undefined) ?? 'past_due';
