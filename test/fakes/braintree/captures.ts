import type { Sandbox } from './call.ts';
import { refundedAmount } from './money-back.ts';

/** The money captured by one transaction. */
export interface BraintreeCapture {
  transaction: string;
  /** Minor units, as charged. */
  amount: number;
  /** Minor units; all of it when it was voided. */
  refunded: number;
  currency: string;
  customer: string | null;
  /** The attempt; null for a renewal. */
  orderId: string | null;
  /** The subscription that it renews. */
  subscription: string | null;
}

const taken = new Set(['SUBMITTED_FOR_SETTLEMENT', 'SETTLING', 'SETTLED', 'VOIDED']);

/** Every captured transaction, oldest first, voided ones included. */
export function braintreeCaptures(sandbox: Pick<Sandbox, 'state'>): BraintreeCapture[] {
  return Object.values(sandbox.state.transactions)
    .filter(({ status }) => taken.has(status))
    .map(({ id, status, amount, currency, customer, orderId, subscription }) => ({
      transaction: id,
      amount,
      refunded: status === 'VOIDED' ? amount : refundedAmount(sandbox, id),
      currency,
      customer,
      orderId,
      subscription,
    }));
}
