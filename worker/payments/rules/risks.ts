import type { Minor, PaymentId } from '../../types.ts';

/** A dispute that waits for our answer. */
export interface OpenDispute {
  id: string;
  paymentId: PaymentId;
  amount: Minor;
  currency: string;
  reason: string;
  /** Until when evidence is taken, ms since 1970; null where none is. */
  dueAt: number | null;
}

/** A bank expects a dispute: the payment can still be refunded before it comes. */
interface FraudWarning {
  id: string;
  paymentId: PaymentId;
  /** Ms since 1970. */
  at: number;
}

/** What a provider says may cost money soon. */
export interface Risks {
  disputes: OpenDispute[];
  warnings: FraudWarning[];
}
