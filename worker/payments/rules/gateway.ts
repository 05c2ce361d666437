import * as v from 'valibot';
import type { Plan } from '../../catalog/plans.ts';
import type { EpochMs, Minor, PaymentId } from '../../types.ts';
import type { Attempt, GatewayOutcome, Progress } from './attempt.ts';
import type {
  ChangeOutcome,
  ChangeProgress,
  PlanChange,
  Quote,
  RunningPeriod,
} from './plan-change.ts';
import type { Subscription } from './subscription.ts';

export interface ChargeRequest {
  attempt: Attempt;
  account: string;
  email: string;
  customerId: string;
  methodId: string | null;
  /** What the attempt bought, as it is now; missing until it is bought. */
  owned?: Subscription | undefined;
  /** Stores progress before the next call, so that no crash loses it. */
  record(progress: Progress): void;
}

/** Money that moved at a gateway, with its id there. */
export interface Movement {
  id: string;
  paymentId: PaymentId;
  amount: Minor;
  /** Of a capture, the tax inside the amount; missing where it is unknown. */
  tax?: Minor | undefined;
  /** Of a refund, the key that we sent it with; missing for one that was not asked for here. */
  refundKey?: string | undefined;
  at: EpochMs;
}

export interface Statement {
  status: ProviderState;
  /** Null for a single payment. */
  paidUntil: EpochMs | null;
  /** Whether it ends at `paidUntil` instead of renewing. */
  ends: boolean;
  /** What is owed for renewals that were not paid. */
  unpaid: Minor;
  /** Whether a renewal's debit is with the bank. */
  isDebited?: boolean;
  /** Whether a chargeback is open. */
  isDisputed: boolean;
  /** When a pause, planned or running, ends and charges begin again; null without one. */
  pausesUntil?: EpochMs | null;
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

export type RefundReply = { kind: 'refunded' | 'voided' } | { kind: 'refused'; reason: string };

export interface ChangeRequest extends ChargeRequest {
  change: PlanChange;
  /** False once it is late: then the change is only looked up. */
  mayStart: boolean;
  /** False once the payer can no longer be asked by the bank. */
  mayChallenge: boolean;
  /** Stores progress before the next call, so that no crash loses it. */
  recordChange(progress: ChangeProgress): void;
}

/** A payment provider. Repeating any call in the attempt's state never charges twice. */
export interface Gateway {
  /**
   * The customer of an account, created by the first call. Moves no money.
   * @returns undefined when the gateway refuses the customer, for example the e-mail
   * @throws when the gateway does not answer
   */
  customer(account: string, email: string): Promise<string | undefined>;
  /**
   * Removes the e-mail from the customer of a deleted account; payments stay. Idempotent.
   * @throws when the gateway does not answer
   */
  forget(account: string, customerId: string): Promise<void>;
  /**
   * Identifies a card, or a wallet's account, the same on each use. Only for a keyed hash.
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
   * @param askedAt when the owner cancelled, which distinguishes one cancellation from the next
   */
  cancel(request: ChargeRequest, askedAt: number): Promise<void>;
  /**
   * Takes a cancellation back before it takes effect. Idempotent. Absent where that needs a new subscription,
   * which a change of the kind `continue` makes.
   */
  resume?(request: ChargeRequest, askedAt: number): Promise<void>;
  /**
   * What a change to a dearer plan costs at a moment. Moves no money.
   * @throws when the gateway does not answer
   */
  quote(request: ChargeRequest, plan: Plan, at: EpochMs, running: RunningPeriod): Promise<Quote>;
  /** Makes the change once, at the amount that was quoted. @throws when the gateway does not answer */
  change(request: ChangeRequest): Promise<ChangeOutcome>;
  /**
   * Refunds once for a key, never more than remains of the payment.
   * Once refused, nothing will be refunded under this key.
   */
  refund(
    request: ChargeRequest,
    paymentId: PaymentId,
    amount: Minor,
    refund: RefundRequest,
  ): Promise<RefundReply>;
}

/**
 * `past_due`: access for the plan's grace period. `paused`: no access and no charge until a known day.
 * `lapsed`: unpaid but still chargeable, so access ends and we
 * cancel it at the provider. `ended`: nothing will be charged any more.
 */
export type ProviderState = 'active' | 'past_due' | 'paused' | 'lapsed' | 'ended';

export type StripeStatus =
  | 'incomplete'
  | 'incomplete_expired'
  | 'trialing'
  | 'active'
  | 'past_due'
  | 'unpaid'
  | 'paused'
  | 'canceled';

/** https://docs.stripe.com/billing/subscriptions/overview#subscription-statuses */
export const stripeStates: Record<StripeStatus, ProviderState> = {
  // For 23 hours at most, and for a moment after the first payment: so it does not count as ended.
  incomplete: 'past_due',
  incomplete_expired: 'ended',
  trialing: 'active',
  active: 'active',
  past_due: 'past_due',
  // All retries failed; later invoices stay drafts, which the customer may still pay.
  unpaid: 'lapsed',
  // It is not billed until somebody resumes it.
  paused: 'lapsed',
  canceled: 'ended',
};

export type BraintreeStatus = 'Pending' | 'Active' | 'Past Due' | 'Canceled' | 'Expired';

/** https://developer.paypal.com/braintree/docs/guides/recurring-billing/overview#subscription-statuses */
export const braintreeStates: Record<BraintreeStatus, ProviderState> = {
  // It begins after the paid period, which is a sale of its own.
  Pending: 'active',
  Active: 'active',
  'Past Due': 'past_due',
  Canceled: 'ended',
  Expired: 'ended',
};

/** A status that is not in the table gives access for a limited time only. */
export const providerState = (table: Readonly<Record<string, ProviderState>>, status: string) =>
  (Object.hasOwn(table, status) ? table[status] : undefined) ?? 'past_due';

const id = v.nullable(v.string());

const eventSchema = v.object({
  gateway: v.picklist(['stripe', 'braintree']),
  /** The gateway's id of the event; messages with the same id are the same event. */
  id: v.string(),
  type: v.string(),
  /** Our ids, from the metadata that we wrote at the gateway. */
  account: id,
  attempt: id,
  customerId: id,
  subscriptionId: id,
  paymentId: v.nullable(v.pipe(v.string(), v.brand('PaymentId'))),
  /** Stripe's invoice; missing in messages that an older build queued. */
  invoiceId: v.nullish(v.string(), null),
  /** When the gateway made it, ms since 1970. */
  createdAt: v.optional(v.number()),
});

/**
 * A webhook, reduced to the ids of what to read again; null where it has none. Its content is not
 * trusted.
 */
export type GatewayEvent = Omit<v.InferInput<typeof eventSchema>, 'paymentId'> &
  Pick<v.InferOutput<typeof eventSchema>, 'paymentId'>;

export function isGatewayEvent(message: unknown): message is GatewayEvent {
  return v.is(eventSchema, message);
}
