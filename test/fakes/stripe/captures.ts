import { idOf } from './find.ts';
import { invoiceOf } from './invoices.ts';
import type { StripeState } from './state.ts';

/** The money captured by one payment intent. */
export interface Capture {
  payment_intent: string;
  /** Minor units, as charged. */
  amount: number;
  /** Minor units. */
  refunded: number;
  currency: string;
  customer: string | null;
  /** The subscription that the intent paid for, if any. */
  subscription: string | null;
  /** The intent's own metadata over the subscription's. */
  metadata: Record<string, string>;
}

/** Every succeeded payment intent, oldest first. */
export function capturesOf(state: StripeState): Capture[] {
  return Object.values(state.payment_intents)
    .filter(({ status }) => status === 'succeeded')
    .map((intent) => {
      const details = invoiceOf(intent, state)?.parent?.subscription_details;
      const charge = state.charges[idOf(intent.latest_charge)];
      return {
        payment_intent: intent.id,
        amount: intent.amount_received,
        refunded: charge?.amount_refunded ?? 0,
        currency: intent.currency,
        customer: idOf(intent.customer) || null,
        subscription: idOf(details?.subscription) || null,
        metadata: { ...details?.metadata, ...intent.metadata },
      };
    });
}
