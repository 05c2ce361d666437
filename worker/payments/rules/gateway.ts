import type { Attempt, GatewayOutcome, Progress } from './attempt.ts';
import type { ProviderState } from './provider-status.ts';

/** What a gateway is asked to charge. */
export interface ChargeRequest {
  attempt: Attempt;
  account: string;
  email: string;
  /** The gateway's customer of this account. */
  customerId: string;
  /** The saved payment method, when there is one. */
  methodId: string | null;
  /** Stores what was learnt of the attempt, before the next call: no crash may lose it. */
  record(progress: Progress): void;
}

/** Money that moved at a gateway: its own id there, and the payment it belongs to; minor units. */
export interface Movement {
  id: string;
  paymentId: string;
  amount: number;
  /** ms since 1970. */
  at: number;
}

/** All that a gateway knows of what an attempt bought, as it is now. */
export interface Statement {
  status: ProviderState;
  /** Until when it is paid, ms since 1970; null for what is paid once. */
  paidUntil: number | null;
  /** Whether it ends then instead of renewing. */
  ends: boolean;
  /** The first payment and every renewal; a capture's id is its payment's. */
  captures: Movement[];
  refunds: Movement[];
  /** Chargebacks that were lost. */
  disputes: Movement[];
}

/** A refund as it was asked for before. */
export interface RefundRequest {
  /** Names this refund, for repetitions. */
  key: string;
  /** When it was last sent, ms since 1970; null when it never was. */
  sentAt: number | null;
  /** Stores that it is sent now. */
  markSent(): void;
}

/** A payment provider. Nothing is charged twice, whatever call is repeated as the attempt's state says. */
export interface Gateway {
  /**
   * The customer of an account, made at the first call. Moves no money.
   *
   * @returns undefined when the gateway does not take who it is, such as the e-mail
   * @throws when the gateway does not answer
   */
  customer(account: string, email: string): Promise<string | undefined>;
  /**
   * Takes the e-mail off the customer of an account that was deleted; payments stay. May be repeated.
   *
   * @throws when the gateway does not answer
   */
  forget(account: string, customerId: string): Promise<void>;
  /**
   * What tells a payment method from others, the same each time it is used here: of a card, or of a
   * wallet's account. Only for a keyed hash.
   *
   * @returns null when the gateway does not know the nonce, or names nothing
   * @throws when the gateway does not answer
   */
  fingerprint(nonce: string): Promise<string | null>;
  /** Charges whatever was not charged yet. Records when it is sent, before that. */
  charge(order: ChargeRequest): Promise<GatewayOutcome>;
  /** Only reads: what it says no to may still be payable until `settle` says so too. */
  lookUp(order: ChargeRequest): Promise<GatewayOutcome>;
  /**
   * Makes sure that an unpaid attempt will never be paid: a no, or `active` if it was. `unknown` while a
   * payment that was sent may still turn up.
   */
  cancelUnpaid(order: ChargeRequest): Promise<GatewayOutcome>;
  /** Reads what an active attempt bought. @throws when the gateway does not answer */
  statement(order: ChargeRequest): Promise<Statement>;
  /**
   * Stops the renewals of an active attempt; what is paid runs on. May be repeated.
   *
   * @param askedAt when its owner asked for it, which tells one asking from the next
   */
  cancel(order: ChargeRequest, askedAt: number): Promise<void>;
  /**
   * Lets the renewals go on that a cancellation was to end, while they have not ended. May be repeated.
   * Left out where a cancellation is final.
   */
  resume?(order: ChargeRequest, askedAt: number): Promise<void>;
  /**
   * Gives money back, once for a key. It never gives back more than is left of the payment.
   *
   * @param amount minor units
   * @returns why not, when nothing was given back and nothing will be under this key
   */
  refund(
    order: ChargeRequest,
    paymentId: string,
    amount: number,
    request: RefundRequest,
  ): Promise<{ refused: string } | null>;
}
