import type { Attempt, GatewayOutcome, Progress } from './attempt.ts';
import type { ProviderState } from './provider-status.ts';

export interface ChargeRequest {
  attempt: Attempt;
  account: string;
  email: string;
  /** The gateway's customer of this account. */
  customerId: string;
  /** The saved payment method, when there is one. */
  methodId: string | null;
  /** Stores progress before the next call, so that no crash loses it. */
  record(progress: Progress): void;
}

/** Money that moved at a gateway, with its id there; minor units. */
export interface Movement {
  id: string;
  paymentId: string;
  amount: number;
  /** ms since 1970. */
  at: number;
}

/** The gateway's current state of a subscription. */
export interface Statement {
  status: ProviderState;
  /** Ms since 1970; null for a single payment. */
  paidUntil: number | null;
  /** Whether it ends at `paidUntil` instead of renewing. */
  ends: boolean;
  /** The first payment and every renewal; a capture's id is its payment's. */
  captures: Movement[];
  refunds: Movement[];
  /** Chargebacks that were lost. */
  disputes: Movement[];
}

export interface RefundRequest {
  /** Idempotency key of this refund. */
  key: string;
  /** When the refund was last sent, ms since 1970; null when it never was. */
  sentAt: number | null;
  /** Stores the current time as `sentAt`. */
  markSent(): void;
}

/** A payment provider. Repeating any call in the attempt's state never charges twice. */
export interface Gateway {
  /**
   * The customer of an account, created by the first call. Moves no money.
   *
   * @returns undefined when the gateway refuses the customer, for example the e-mail
   * @throws when the gateway does not answer
   */
  customer(account: string, email: string): Promise<string | undefined>;
  /**
   * Removes the e-mail from the customer of a deleted account; payments stay. Idempotent.
   *
   * @throws when the gateway does not answer
   */
  forget(account: string, customerId: string): Promise<void>;
  /**
   * Identifies a card, or a wallet's account, the same on each use. Only for a keyed hash.
   *
   * @returns null when the gateway does not know the nonce, or gives no identity
   * @throws when the gateway does not answer
   */
  fingerprint(nonce: string): Promise<string | null>;
  /** Charges the attempt unless it was charged. Records `sentAt` before it sends. */
  charge(request: ChargeRequest): Promise<GatewayOutcome>;
  /** Only reads: a declined payment may still be paid until `cancelUnpaid` confirms the decline. */
  lookUp(request: ChargeRequest): Promise<GatewayOutcome>;
  /**
   * Cancels an unpaid attempt so that it can never be paid; `active` if it was paid, `unknown` while a
   * payment that was sent may still appear.
   */
  cancelUnpaid(request: ChargeRequest): Promise<GatewayOutcome>;
  /** @throws when the gateway does not answer */
  statement(request: ChargeRequest): Promise<Statement>;
  /**
   * Stops the renewals; the paid period runs on. Idempotent.
   *
   * @param askedAt when the owner cancelled, which distinguishes one cancellation from the next
   */
  cancel(request: ChargeRequest, askedAt: number): Promise<void>;
  /**
   * Takes a cancellation back before it takes effect. Idempotent. Absent where a cancellation is final.
   */
  resume?(request: ChargeRequest, askedAt: number): Promise<void>;
  /**
   * Refunds once for a key, never more than remains of the payment.
   *
   * @param amount minor units
   * @returns the reason when the refund is refused, and nothing will be refunded under this key
   */
  refund(
    request: ChargeRequest,
    paymentId: string,
    amount: number,
    refund: RefundRequest,
  ): Promise<{ refused: string } | null>;
}
