import type { Currency } from '../../catalog/rules/currencies.ts';
import type { AccountId, Minor } from '../../platform/types.ts';
import type { Card, CardUpdate, PayOutcome, VerifyOutcome } from '../purchase/card-update.ts';

/** The payment method for the renewals of some subscriptions, and their open amount. */
interface Billing {
  card: Card | null;
  due: Minor;
}

/** A new card for renewals. Subscriptions have the gateway's ids and one currency. */
export interface CardOrder {
  update: CardUpdate;
  account: AccountId;
  customerId: string;
  currency: Currency;
  subscriptionIds: readonly string[];
  /** Stores that a payment of a subscription is about to be sent. @param newest the payment before it */
  markPaymentSent(subscriptionId: string, newest: string | null): void;
}

/** Cards at a payment provider. Every call throws when the provider gives no definite answer. */
export interface CardGateway {
  /** @param subscriptionIds the first one's card is shown */
  billing(subscriptionIds: readonly string[]): Promise<Billing>;
  /** Has the bank verify the card, and saves it with the customer. A repeated call saves it once. */
  verify(order: CardOrder): Promise<VerifyOutcome>;
  /** For the customer and the subscriptions. Charges nothing. Idempotent. */
  setDefault(order: CardOrder): Promise<void>;
  /** Pays each open invoice of the subscriptions once, however often it is called. */
  pay(order: CardOrder): Promise<PayOutcome>;
  /** The outcome of the challenge for a payment. */
  lookUpPayment(order: CardOrder): Promise<PayOutcome>;
}
