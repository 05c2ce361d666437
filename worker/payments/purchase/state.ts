import type { Terms } from '../../catalog/accepted-terms.ts';
import type { BankMethod } from '../../catalog/rules/bank-methods.ts';
import type { Currency } from '../../catalog/rules/currencies.ts';
import type { gatewayNames } from '../../catalog/rules/gateway-names.ts';
import type { Plan, Reduction, Slot } from '../../catalog/rules/plans.ts';
import type { StripeWallet } from '../../catalog/rules/stripe-wallets.ts';
import type { AttemptId, EpochMs, Minor, PaymentId } from '../../platform/types.ts';
import type { EarlyEnd, FailedRenewal, NoticeMail, Raise } from './renewal-state.ts';
import type { TaxLocation } from './tax.ts';

/** Money that moved at a gateway, with its id there. */
export interface Movement {
  id: string;
  paymentId: PaymentId;
  amount: Minor;
  /** For a capture, the tax included in the amount; missing where it is unknown. */
  tax?: Minor | undefined;
  /** For a refund, the key that we sent; missing if it was not requested here. */
  refundKey?: string | undefined;
  at: EpochMs;
}

export interface Statement {
  status: ProviderState;
  /** Null for a one-time purchase. */
  paidUntil: EpochMs | null;
  /** Whether it ends at `paidUntil` instead of renewing. */
  ends: boolean;
  /** When Stripe ended it; null while it runs. Its open invoices can still be paid. */
  endedAt?: EpochMs | null;
  /** The end of a period whose renewal an operator voided at Stripe: a gift. */
  giftUntil?: EpochMs | null;
  /** When an operator gave up the newest renewal at Stripe as uncollectible. Its invoice can still be paid. */
  givenUpAt?: EpochMs | null;
  /** The amount owed for unpaid renewals that can still be paid. */
  unpaid: Minor;
  /** Whether a renewal's debit is being processed. */
  isDebited?: boolean;
  isDisputed: boolean;
  /** When a pause, planned or running, ends and charges begin again; null without one. */
  pausesUntil?: EpochMs | null;
  /** The first payment and every renewal; a capture's id is its payment's. */
  captures: Movement[];
  refunds: Movement[];
  /** Chargebacks that were lost. */
  disputes: Movement[];
}

/**
 * `past_due`: access for the plan's grace period. `paused`: no access and no charge until a known day. `lapsed`: unpaid
 * but still chargeable, so access ends and we cancel it at the provider. `ended`: nothing will be charged any more.
 */
export type ProviderState = 'active' | 'past_due' | 'paused' | 'lapsed' | 'ended';

export type GatewayName = (typeof gatewayNames)[number];

/**
 * `open`: nothing was sent yet with this payment method. `sent`: a charge may have reached the gateway.
 * `challenged`: the bank challenges the payer. `returned`: the payer came back from the bank. `rerouted`: the
 * gateway did not take the payment, and the payer is asked for a card at another one. `processing`: the bank was
 * told to debit, and answers in days. The others are final.
 */
export type AttemptState =
  | 'open'
  | 'sent'
  | 'challenged'
  | 'returned'
  | 'rerouted'
  | 'processing'
  | 'active'
  | 'declined'
  | 'failed';

interface Charge {
  subscriptionId: string | null;
  /** Null for a free trial, which charges nothing. */
  paymentId: PaymentId | null;
  customerId: string;
  methodId: string;
  amount: Minor;
  tax?: Minor | undefined;
  currency: Currency;
}

export type GatewayOutcome =
  | { kind: 'active'; charge: Charge }
  /** A debit that the bank may still refuse; nothing was captured yet. */
  | { kind: 'processing'; charge: Charge }
  /** `secret`: of Stripe's intent; at Braintree, which has no payment yet, the nonce that the browser must verify. */
  | { kind: 'challenge'; paymentId: PaymentId | null; secret: string }
  | { kind: 'declined'; declineCode: string; processorResponse: string }
  | {
      kind: 'rejected';
      reason: string;
      refusal?: Attempt['refusal'];
      keptCapture?: { paymentId: PaymentId; amount: Minor };
      /** Captured for this attempt, with its refunds. */
      reversed?: Pick<Statement, 'captures' | 'refunds'>;
    }
  /** It failed, and the payment was definitely not taken. */
  | { kind: 'unavailable'; reason: string }
  | { kind: 'unfinished' }
  | { kind: 'none' }
  | { kind: 'unknown' };

/** How the payer accepted later debits, and the return URL for the page of a bank or a wallet. */
export interface Acceptance {
  ip: string;
  userAgent: string;
  returnUrl: string;
}

/** One try at a gateway: a purchase, a plan change or a new card. Times in ms since 1970. */
export interface GatewayTry {
  state: string;
  openedAt: number;
  dueAt: number;
  /** Unclear answers since it was opened, or since the payer came back. */
  tries: number;
  challengedAt: number | null;
  rounds: number;
  /** When an operator was last told of the unknown outcome. */
  caseAt?: number | null;
}

export interface Attempt extends GatewayTry {
  id: AttemptId;
  pollingId: string;
  epoch: number;
  gateway: GatewayName;
  /** The gateways that may take the attempt over, the next one first. */
  others: GatewayName[];
  isRerouted: boolean;
  slot: Slot;
  plan: Plan;
  /** Charged today, in the plan's currency: the plan's price less the coupon. */
  amount: Minor;
  coupon: string | null;
  /** As the coupon was sold; what is left of it follows from the ledger, and is in the plan. */
  reduction: Reduction | null;
  /** The gateway's one-time id of the payment method; null for the saved one. */
  nonce: string | null;
  /** At Braintree: the nonce of the bank's challenge; the verified nonce has to be of the same card. */
  challengedNonce: string | null;
  deviceData: string | null;
  /** Null where no tax is calculated. */
  taxLocation: TaxLocation | null;
  /** Whether Stripe refused to calculate tax; then it is charged without. */
  isUntaxed: boolean;
  /** Null for cards and wallets. */
  bank: BankMethod | null;
  /** Null for any other method, and for wallets that return a card. */
  wallet: StripeWallet | null;
  /** Kept until the payment succeeded, failed or is with the bank. */
  acceptance: Acceptance | null;
  experiment: string | null;
  arm: string;
  /** In the experiments beside the split, `headline:b,price:control`; empty for none. */
  arms: string;
  terms: Terms | null;
  state: AttemptState;
  sentAt: number | null;
  /** When a call that takes money was first sent; before that the gateway cannot have taken any. */
  chargedAt: number | null;
  caseAt: number | null;
  subscriptionId: string | null;
  invoiceId: string | null;
  paymentId: PaymentId | null;
  secret: string | null;
  charge: Charge | null;
  refusal: 'intro_used' | 'full_price_only' | 'coupon_used' | null;
  declineCode: string | null;
  processorResponse: string | null;
  /** Counts changes, so that an older copy never replaces a newer one. */
  version: number;
}

/** The result of a successful attempt. Times in ms since 1970. */
export interface Subscription {
  attempt: AttemptId;
  slot: Slot;
  plan: Plan;
  gateway: GatewayName;
  customerId: string;
  subscriptionId: string | null;
  /** The gateway's status; see `stateOf`. */
  status: Exclude<ProviderState, 'lapsed'>;
  paidUntil: EpochMs | null;
  /** The end of its free trial, also when that is over; null if it had none. */
  trialUntil: EpochMs | null;
  /** Whether nothing was captured for it yet: the debit is being processed, or failed. */
  isProvisional: boolean;
  isDebited: boolean;
  /** The end of a renewed period that an operator gave away; null for none. */
  giftUntil: EpochMs | null;
  /** Whether access begins only when the money of a debit has arrived, because an earlier one bounced. */
  waitsForMoney: boolean;
  ends: boolean;
  pausesUntil: EpochMs | null;
  /** The plan after the next renewal; null if it stays the same. */
  nextPlan: Plan | null;
  raise: Raise | null;
  /** Its ids at the gateway before changes that needed a new subscription there. */
  earlier: { subscriptionIds: string[]; paymentIds: PaymentId[] };
  /**
   * The plan and time of the newest payment that began a period outside the gateway's cycle: of a change, with the
   * payments whose unused days were deducted from it, or of a renewal that was paid after access had ended (late).
   */
  paidSince: { plan: Plan; at: EpochMs; credited?: PaymentId[]; isLate?: boolean } | null;
  /** When a switch of its owner to the running plan took effect; null without one. */
  switchedAt: EpochMs | null;
  /** `paidUntil` is then its day. */
  earlyEnd: EarlyEnd | null;
  /** Whether the gateway has not yet moved its next charge to the end of a period that a late payment began. */
  isRestartDue: boolean;
  cancelRequestedAt: number | null;
  resumedAt?: number | null;
  remindAt: number | null;
  /** The end of the period whose renewal was announced last. */
  remindedUntil: EpochMs | null;
  /** The e-mail about that renewal, while it may bounce; null if no charge depends on it. */
  noticeMail: NoticeMail | null;
  /** When the owner withdrew; everything paid is then refunded. */
  withdrawnAt: number | null;
  /** The newest renewal that was not paid when it was due. */
  failure: FailedRenewal | null;
  cardChangedAt: EpochMs | null;
  /** Whether a chargeback was open when the gateway was last read. */
  isDisputed: boolean;
  dueAt: number | null;
  version: number;
}

/**
 * `past_due`: a renewal is unpaid; access for the plan's grace period, while the gateway retries. `paused`: neither
 * charged nor usable until it resumes. `ending`: paid, and not renewing. `ended`: neither charged nor usable any
 * longer.
 */
export type SubscriptionState = 'active' | 'past_due' | 'paused' | 'ending' | 'ended';
