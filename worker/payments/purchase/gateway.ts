import * as v from 'valibot';
import { gatewayNames } from '../../catalog/rules/gateway-names.ts';
import type { Plan } from '../../catalog/rules/plans.ts';
import type { AccountId, AttemptId, EpochMs, Minor, PaymentId } from '../../platform/types.ts';
import type { AttemptProgress } from './attempt.ts';
import type {
  ChangeOutcome,
  ChangeProgress,
  PlanChange,
  Quote,
  RunningPeriod,
} from './change-state.ts';
import type { Attempt, GatewayOutcome, ProviderState, Statement, Subscription } from './state.ts';

export interface ChargeRequest {
  attempt: Attempt;
  account: AccountId;
  email: string;
  customerId: string;
  methodId: string | null;
  /** The resulting subscription; missing before the purchase succeeded. */
  owned?: Subscription | undefined;
  /** The captures in the ledger, which a gateway's list may no longer show. */
  captured?: readonly PaymentId[];
  /** When the new subscription of a change is first charged; a purchase's is charged after its own first period. */
  renewsAt?: EpochMs;
  /** Stores progress before the next call, so that no crash loses it. */
  record(progress: AttemptProgress): void;
}

export interface RefundRequest {
  key: string;
  /** When the refund was last sent, ms since 1970; null when it never was. */
  sentAt: number | null;
  /** Stores the current time as `sentAt`. */
  markSent(): void;
}

export type RefundReply = { kind: 'refunded' | 'voided' } | { kind: 'refused'; reason: string };

export interface ChangeRequest extends ChargeRequest {
  change: PlanChange;
  /** False when it is late: then the change is only looked up. */
  mayStart: boolean;
  /** False when a challenge is no longer possible. */
  mayChallenge: boolean;
  recordChange(progress: ChangeProgress): void;
}

/** A payment provider. Repeating any call in the attempt's state never charges twice. */
export interface Gateway {
  /** Moves no money. @returns undefined for a refused customer @throws when the gateway does not answer */
  customer(account: AccountId, email: string): Promise<string | undefined>;
  /** Removes the e-mail; payments stay. Idempotent. @throws when the gateway does not answer */
  forget(account: AccountId, customerId: string): Promise<void>;
  /**
   * Identifies a card, or a wallet's account, the same on each use. Only for a keyed hash.
   * @returns null when the gateway does not know the nonce, or gives no identity
   * @throws when the gateway does not answer
   */
  fingerprint(nonce: string): Promise<string | null>;
  /** Charges the attempt unless it is already charged. Records `sentAt` before sending. */
  charge(request: ChargeRequest): Promise<GatewayOutcome>;
  /** Only reads: a declined payment may still be paid until `cancelUnpaid` confirms the decline. */
  lookUp(request: ChargeRequest): Promise<GatewayOutcome>;
  /** It can then never be paid. `active` if it was paid, `unknown` while a sent payment may still appear. */
  cancelUnpaid(request: ChargeRequest): Promise<GatewayOutcome>;
  /** @throws when the gateway does not answer */
  statement(request: ChargeRequest): Promise<Statement>;
  /** The paid period continues. Idempotent. @param requestedAt distinguishes one cancellation from the next */
  cancel(request: ChargeRequest, requestedAt: number): Promise<void>;
  /** Idempotent. Absent where a new subscription is needed, which a change of the kind `continue` makes. */
  resume?(request: ChargeRequest, requestedAt: number): Promise<void>;
  /** Renewals cost the full price from now on. Idempotent. Absent where the gateway counts them itself. */
  endReduction?(request: ChargeRequest): Promise<void>;
  /** Moves no money. @throws when the gateway does not respond */
  quote(request: ChargeRequest, plan: Plan, at: EpochMs, running: RunningPeriod): Promise<Quote>;
  /** Makes the change once, for the quoted amount. @throws when the gateway does not respond */
  change(request: ChangeRequest): Promise<ChangeOutcome>;
  /** Refunds once per key, never more than remains of the payment. After a refusal, this key never refunds. */
  refund(
    request: ChargeRequest,
    paymentId: PaymentId,
    amount: Minor,
    refund: RefundRequest,
  ): Promise<RefundReply>;
}

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
  // For 23 hours at most, and for a moment after the first payment, so it does not count as ended.
  incomplete: 'past_due',
  incomplete_expired: 'ended',
  trialing: 'active',
  active: 'active',
  past_due: 'past_due',
  // All retries failed; later invoices stay drafts, which the customer may still pay.
  unpaid: 'lapsed',
  // Since 2026-09-30 an account may pause a subscription whose renewal failed; it is not billed until it is resumed.
  paused: 'past_due',
  canceled: 'ended',
};

export type BraintreeStatus = 'Pending' | 'Active' | 'Past Due' | 'Canceled' | 'Expired';

/** https://developer.paypal.com/braintree/docs/guides/recurring-billing/overview#subscription-statuses */
export const braintreeStates: Record<BraintreeStatus, ProviderState> = {
  // It begins after the paid period, which was paid by a separate sale.
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
  gateway: v.picklist(gatewayNames),
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

/** A webhook, reduced to the ids of the objects to read again; null for missing ones. Its content is not trusted. */
export type GatewayEvent = Omit<
  v.InferInput<typeof eventSchema>,
  'account' | 'attempt' | 'paymentId'
> & { account: AccountId | null; attempt: AttemptId | null; paymentId: PaymentId | null };

export function isGatewayEvent(message: unknown): message is GatewayEvent {
  return v.is(eventSchema, message);
}
