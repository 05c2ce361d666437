import type { PaymentId } from '../worker/platform/types.ts';

/** The payment of a charge that is no free trial. */
export function paymentOf({ paymentId }: { paymentId: PaymentId | null }): PaymentId {
  if (!paymentId) throw new Error('no payment');
  return paymentId;
}
