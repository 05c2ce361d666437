import type { Minor, PaymentId } from '../../platform/types.ts';

/** `open`: waits for our evidence. An inquiry that ended without a loss is won. */
export type DisputeState = 'open' | 'answered' | 'won' | 'lost';

export interface Dispute {
  id: string;
  paymentId: PaymentId;
  amount: Minor;
  currency: string;
  reason: string;
  /** Deadline for evidence, ms since 1970; null if none is accepted. */
  dueAt: number | null;
  openedAt: number;
  state: DisputeState;
}

/** A bank expects a dispute: the payment can still be refunded before it comes. */
interface FraudWarning {
  paymentId: PaymentId;
  at: number;
}

/** A provider's risks of losing money soon, with the disputes of the last half year that are over. */
export interface Risks {
  disputes: Dispute[];
  warnings: FraudWarning[];
}
