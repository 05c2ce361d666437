import type { BraintreeFake } from '../../fakes/braintree/server.ts';
import type { StripeFake } from '../../fakes/stripe/server.ts';

/** Money that one attempt took, in minor units. */
export interface Taken {
  account: string;
  attempt: string;
  amount: number;
  refunded: number;
}

/** All charges of a Stripe fake. */
export const takenAtStripe = (stripe: Pick<StripeFake, 'captures'>): Taken[] =>
  stripe.captures().map(({ metadata, amount, refunded }) => ({
    account: metadata.account ?? '',
    attempt: metadata.attempt_id ?? '',
    amount,
    refunded,
  }));

/** All charges of a Braintree fake. */
export const takenAtBraintree = (braintree: Pick<BraintreeFake, 'captures'>): Taken[] =>
  braintree.captures().map(({ customer, orderId, subscription, amount, refunded }) => ({
    account: customer ?? '',
    // A subscription has its attempt's own id.
    attempt: orderId ?? subscription ?? '',
    amount,
    refunded,
  }));
