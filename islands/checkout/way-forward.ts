/** What helps after a refusal; `none` where the message says it all; `lost`: a new try, after no answer came; `plans`: another price. */
export type Way = 'retry' | 'lost' | 'plans' | 'reload' | 'manage' | 'support' | 'none';

export interface RefusalReason {
  message: string;
  /** The specification's sentence, in small print. */
  detail?: string | undefined;
  way: Way;
}

const ways: Readonly<Record<string, Way>> = {
  already_active: 'manage',
  plan_ending: 'manage',
  payment_overdue: 'manage',
  plan_unpaid: 'manage',
  plan_paused: 'manage',
  debit_pending: 'manage',
  payment_unconfirmed: 'manage',
  payment_disputed: 'manage',
  account_suspended: 'support',
  too_many_declines: 'support',
  card_testing_protection: 'support',
  unauthorized: 'reload',
  terms_changed: 'reload',
  plan_unknown: 'reload',
  plan_not_offered: 'reload',
  poll_unknown: 'reload',
  payment_intent_mismatch: 'reload',
  // The page changes by itself: the plan at full price, or the field that is wrong.
  intro_used: 'plans',
  offer_ended: 'plans',
  full_price_only: 'none',
  method_not_offered: 'none',
  main_plan_required: 'none',
};

/** @param code of the refusal; empty when the connection failed */
export function wayForward(code: string): Way {
  if (!code) return 'lost';
  return ways[code] ?? (code.startsWith('coupon_') ? 'none' : 'retry');
}

/**
 * Declines that end every try with the same card: it is expired, closed, or not made for this purchase
 * (docs.stripe.com/declines/codes). Braintree's responses arrive as these codes.
 */
const finalDeclines = new Set([
  'expired_card',
  'card_not_supported',
  'currency_not_supported',
  'invalid_account',
  'transaction_not_allowed',
  'new_account_information_available',
  'stop_payment_order',
  'revocation_of_all_authorizations',
]);

export const isFinalDecline = (code: string): boolean => finalDeclines.has(code);
