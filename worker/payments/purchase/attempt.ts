import type { Terms } from '../../catalog/accepted-terms.ts';
import type { BankMethod } from '../../catalog/rules/bank-methods.ts';
import type { Slot } from '../../catalog/rules/family.ts';
import type { Currency } from '../../catalog/rules/markets.ts';
import type { PlanId } from '../../catalog/rules/plans.ts';
import type { StripeWallet } from '../../catalog/rules/stripe-wallets.ts';
import { hourMs, minuteMs } from '../../platform/durations.ts';
import type { AttemptId, Minor, PaymentId } from '../../platform/types.ts';
import type { Statement } from './gateway.ts';
import { isCaseDue, operatorCaseAfterMs } from './operator-case.ts';
import type { TaxLocation } from './tax.ts';

export type GatewayName = 'stripe' | 'braintree';

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
  paymentId: PaymentId;
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

export interface Attempt {
  id: AttemptId;
  pollingId: string;
  epoch: number;
  gateway: GatewayName;
  /** The gateways that may take the attempt over, the next one first. */
  others: GatewayName[];
  isRerouted: boolean;
  slot: Slot;
  plan: PlanId;
  /** Charged today, in the plan's currency: the plan's price less the coupon. */
  amount: Minor;
  coupon: string | null;
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
  terms: Terms | null;
  state: AttemptState;
  openedAt: number;
  sentAt: number | null;
  /** When a call that takes money was first sent; before that the gateway cannot have taken any. */
  chargedAt: number | null;
  challengedAt: number | null;
  rounds: number;
  dueAt: number;
  tries: number;
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

/** How often a debit is looked up without a webhook. */
const debitLookUpMs = 6 * hourMs;

/** A first charge, or the answer to a challenge, is accepted for this time after the click. */
export const sendLimitMs = 10 * minuteMs;

export function isFinal(state: AttemptState): boolean {
  return state === 'active' || state === 'declined' || state === 'failed';
}

/** 250 ms doubling to 8 s; 5 minutes once the attempt is late; an hour after a day. */
function retryDelayMs(attempt: Attempt, now: number): number {
  if (now - attempt.openedAt >= operatorCaseAfterMs) return hourMs;
  if (now - attempt.openedAt > sendLimitMs) return 5 * minuteMs;
  return Math.min(8000, 250 * 2 ** attempt.tries);
}

export function withChange(attempt: Attempt, change: Partial<Attempt>): Attempt {
  const changed = { ...attempt, ...change, version: attempt.version + 1 };
  if (!change.state || !(isFinal(change.state) || change.state === 'processing')) return changed;
  const { taxLocation } = changed;
  const forgotten = { deviceData: null, acceptance: null };
  return { ...changed, ...forgotten, taxLocation: taxLocation && { ...taxLocation, ip: null } };
}

export type Progress = Partial<
  Pick<Attempt, 'sentAt' | 'chargedAt' | 'subscriptionId' | 'invoiceId' | 'paymentId' | 'isUntaxed'>
>;

export function applyProgress(attempt: Attempt, progress: Progress): Attempt {
  if (isFinal(attempt.state)) return attempt;
  const isSent = progress.sentAt && attempt.state === 'open';
  return withChange(attempt, { ...progress, ...(isSent ? { state: 'sent' } : {}) });
}

const maxRounds = 2;

export function markFailed(attempt: Attempt): Attempt {
  const failed = { state: 'failed', charge: null, secret: null } as const;
  return isFinal(attempt.state) ? attempt : withChange(attempt, failed);
}

function retryLater(attempt: Attempt, { kind }: GatewayOutcome, now: number): Attempt {
  const isUnpaid = kind === 'unfinished' || kind === 'none';
  const isInTime = now - attempt.openedAt <= sendLimitMs;
  // An attempt that is known to be unpaid is sent again at once.
  const delayMs = attempt.state === 'sent' && isUnpaid && isInTime ? 0 : retryDelayMs(attempt, now);
  const change = { tries: attempt.tries + 1, dueAt: now + delayMs };
  return withChange(attempt, isCaseDue(attempt, now) ? { ...change, caseAt: now } : change);
}

/** At Braintree only the charge is sent; at Stripe an unpaid subscription may be left. */
function withoutCharge(attempt: Attempt): Attempt {
  const { gateway, state } = attempt;
  if (gateway !== 'braintree' || state !== 'sent') return attempt;
  return { ...attempt, state: 'open', sentAt: null, chargedAt: null };
}

/** Stripe's one-time payments wait for our confirmation after the challenge; an invoice's is confirmed by the bank's page. */
const mayConfirmAgain = ({ gateway, state, subscriptionId, paymentId }: Attempt): boolean =>
  gateway === 'stripe' && state === 'returned' && subscriptionId === null && paymentId !== null;

export function applyOutcome(attempt: Attempt, outcome: GatewayOutcome, now: number): Attempt {
  if (isFinal(attempt.state)) return attempt;
  switch (outcome.kind) {
    case 'active':
      return withChange(attempt, { state: 'active', charge: outcome.charge, secret: null });
    case 'processing':
      return withChange(attempt, {
        state: 'processing',
        charge: outcome.charge,
        secret: null,
        dueAt: now + debitLookUpMs,
        ...(isCaseDue(attempt, now) && { caseAt: now }),
      });
    case 'declined':
      return withChange(attempt, {
        state: 'declined',
        charge: null,
        declineCode: outcome.declineCode,
        processorResponse: outcome.processorResponse,
        secret: null,
      });
    case 'rejected':
      return markFailed({ ...attempt, refusal: outcome.refusal ?? null });
    case 'challenge':
      if (attempt.gateway === 'braintree' && attempt.rounds === maxRounds)
        return markFailed(attempt);
      return withChange(attempt, {
        state: 'challenged',
        rounds: attempt.rounds + 1,
        challengedAt: attempt.challengedAt ?? now,
        dueAt: (attempt.challengedAt ?? now) + sendLimitMs + 1000,
        paymentId: outcome.paymentId,
        secret: outcome.secret,
      });
    case 'unavailable':
      return retryLater(withoutCharge(attempt), outcome, now);
    case 'unfinished':
      return retryLater(
        mayConfirmAgain(attempt) ? withChange(attempt, { state: 'sent', secret: null }) : attempt,
        outcome,
        now,
      );
    case 'none':
    case 'unknown':
      return retryLater(attempt, outcome, now);
    default:
      return outcome satisfies never;
  }
}

export function applyWebhook(attempt: Attempt, now: number): Attempt {
  const isOverdue = attempt.state === 'sent' && now - attempt.openedAt > sendLimitMs;
  const needsLookUp = isOverdue || attempt.state === 'processing';
  return needsLookUp ? withChange(attempt, { dueAt: now }) : attempt;
}
