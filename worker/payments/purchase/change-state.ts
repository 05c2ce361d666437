import type { Plan } from '../../catalog/rules/plans.ts';
import type { AttemptId, EpochMs, Minor, PaymentId } from '../../platform/types.ts';
import type { GatewayTry, Statement } from './state.ts';

/** `upgrade` is paid at once, `switch` takes effect at the period's end. `continue` undoes that or a cancellation. */
export const changeKinds = ['upgrade', 'switch', 'pause', 'resume', 'continue'] as const;

export type ChangeKind = (typeof changeKinds)[number];

export interface Quote {
  /** Charged now. */
  amount: Minor;
  /** For the unused days of the running period; already deducted from `amount`. */
  credit: Minor;
}

/** The payment for the running period. */
export interface RunningPeriod {
  paid: Minor;
  from: EpochMs;
  until: EpochMs;
}

export interface Challenge {
  intentId: string | null;
  secret: string;
}

/** One try to change a subscription. Its id is also the order id at the gateway. Times in ms since 1970. */
export interface PlanChange extends GatewayTry, Quote {
  id: string;
  attempt: AttemptId;
  /**
   * `restart`: nobody asks for it; it moves the next charge to the end of a period that a late payment began. `agree`:
   * the owner's yes to a higher price, which needs nothing of the gateway. `raise`: that price, with the next renewal.
   */
  kind: ChangeKind | 'restart' | 'agree' | 'raise';
  plan: Plan;
  /** `sent`: it may have reached the gateway. `challenged`: the bank challenges the payer. The others are final. */
  state: 'quoted' | 'open' | 'sent' | 'challenged' | 'done' | 'declined' | 'failed';
  /** Whole seconds. Unused days are counted from here. */
  quotedAt: EpochMs;
  /** When the change takes effect for its owner. */
  takesEffectAt: EpochMs;
  /** When the pause ends, or would have ended. */
  until: EpochMs | null;
  next: { amount: Minor; at: EpochMs };
  /** The payments whose unused days are deducted; missing in a change of an older build. */
  credited?: PaymentId[];
  sentAt: number | null;
  paymentId: PaymentId | null;
  challenge: Challenge | null;
  /** At Braintree: the saved card's nonce after verification by the bank. */
  nonce: string | null;
  caseAt: number | null;
  /** Raised whenever it is stored. */
  version: number;
}

interface ChangePayment {
  id: PaymentId;
  amount: Minor;
  tax?: Minor | undefined;
}

export type ChangeProgress = Partial<Pick<PlanChange, 'sentAt' | 'paymentId'>>;

export type ChangeOutcome =
  /** `subscriptionId` where the gateway needed a new subscription. */
  | { kind: 'done'; subscriptionId?: string; payment?: ChangePayment }
  | { kind: 'declined' }
  /** Nothing was taken yet. */
  | ({ kind: 'challenge' } & Challenge)
  | {
      kind: 'rejected';
      reason: string;
      reversed?: Pick<Statement, 'captures' | 'refunds'>;
    }
  /** It was not made, and was not started because it is late. */
  | { kind: 'none' }
  | { kind: 'unknown' };
