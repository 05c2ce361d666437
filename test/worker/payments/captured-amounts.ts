import type { BraintreeFake } from '../../fakes/braintree/server.ts';
import type { StripeFake } from '../../fakes/stripe/server.ts';

/** Money that one attempt took, in minor units. */
export interface CapturedAmount {
  account: string;
  attempt: string;
  amount: number;
  refunded: number;
}

/** All charges of a Stripe fake. */
export const capturedAtStripe = (stripe: Pick<StripeFake, 'captures'>): CapturedAmount[] =>
  stripe.captures().map(({ metadata, amount, refunded }) => ({
    account: metadata.account ?? '',
    attempt: metadata.attempt_id ?? '',
    amount,
    refunded,
  }));

/** All charges of a Braintree fake. */
export const capturedAtBraintree = (braintree: Pick<BraintreeFake, 'captures'>): CapturedAmount[] =>
  braintree.captures().map(({ customer, orderId, subscription, amount, refunded }) => ({
    account: customer ?? '',
    // A subscription has its attempt's own id.
    attempt: orderId ?? subscription ?? '',
    amount,
    refunded,
  }));
