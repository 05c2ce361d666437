import type { World } from './call.ts';
import { givenBack } from './money-back.ts';

/** Money that was taken by one transaction. */
export interface BraintreeCapture {
  transaction: string;
  /** Minor units, as charged. */
  amount: number;
  /** Minor units given back; all of it when it was voided. */
  refunded: number;
  currency: string;
  customer: string | null;
  /** The attempt; null for a renewal. */
  orderId: string | null;
  /** The subscription that it renews. */
  subscription: string | null;
}

const taken = new Set(['SUBMITTED_FOR_SETTLEMENT', 'SETTLING', 'SETTLED', 'VOIDED']);

/** Every transaction that took money, oldest first, those that were voided later included. */
export function braintreeCaptures(world: Pick<World, 'state'>): BraintreeCapture[] {
  return Object.values(world.state.transactions)
    .filter(({ status }) => taken.has(status))
    .map(({ id, status, amount, currency, customer, orderId, subscription }) => ({
      transaction: id,
      amount,
      refunded: status === 'VOIDED' ? amount : givenBack(world, id),
      currency,
      customer,
      orderId,
      subscription,
    }));
}
