import type { Minor, PaymentId } from '../../types.ts';

/** Waits for our answer, was answered, or is over. An inquiry that ended without a loss is won. */
export type DisputeState = 'open' | 'answered' | 'won' | 'lost';

export interface Dispute {
  id: string;
  paymentId: PaymentId;
  amount: Minor;
  currency: string;
  reason: string;
  /** Until when evidence is taken, ms since 1970; null where none is. */
  dueAt: number | null;
  /** Ms since 1970. */
  openedAt: number;
  state: DisputeState;
}

/** A bank expects a dispute: the payment can still be refunded before it comes. */
interface FraudWarning {
  id: string;
  paymentId: PaymentId;
  /** Ms since 1970. */
  at: number;
}

/** What a provider says may cost money soon, with the disputes of half a year that are over. */
export interface Risks {
  disputes: Dispute[];
  warnings: FraudWarning[];
}
