import type { Currency } from '../../catalog/markets.ts';
import type { PlanId, Slot } from '../../catalog/plans.ts';
import type { AttemptId, Minor, PaymentId } from '../../types.ts';
import type { Statement } from './gateway.ts';
import type { Terms } from './new-attempt.ts';

export type GatewayName = 'stripe' | 'braintree';

/**
 * `open`: nothing was sent yet with this payment method. `sent`: a charge may have reached the gateway.
 * `challenged`: the bank asks the payer. `returned`: the payer came back from the bank. The rest is
 * final.
 */
export type AttemptState =
  | 'open'
  | 'sent'
  | 'challenged'
  | 'returned'
  | 'active'
  | 'declined'
  | 'failed';

interface Charge {
  subscriptionId: string | null;
  paymentId: PaymentId;
  customerId: string;
  methodId: string;
  amount: Minor;
  currency: Currency;
}

export type GatewayOutcome =
  | { kind: 'active'; charge: Charge }
  /**
   * The bank asks the payer. Stripe: the intent and its secret. Braintree: no payment yet; the secret
   * is the nonce that the browser has to verify.
   */
  | { kind: 'challenge'; paymentId: PaymentId | null; secret: string }
  | { kind: 'declined'; declineCode: string; processorResponse: string }
  | {
      kind: 'rejected';
      reason: string;
      refusal?: Attempt['refusal'];
      keptCapture?: { paymentId: PaymentId; amount: Minor };
      /** Captured for this attempt, with the refunds that gave it back. */
      reversed?: Pick<Statement, 'captures' | 'refunds'>;
    }
  | { kind: 'unfinished' }
  | { kind: 'none' }
  | { kind: 'unknown' };

export interface Attempt {
  id: AttemptId;
  pollingId: string;
  epoch: number;
  gateway: GatewayName;
  slot: Slot;
  plan: PlanId;
  /** Charged today, in the plan's currency: the plan's price less the coupon. */
  amount: Minor;
  coupon: string | null;
  /** The gateway's one-time id of the payment method; null for the saved one. */
  nonce: string | null;
  deviceData: string | null;
  experiment: string | null;
  arm: string;
  terms: Terms | null;
  state: AttemptState;
  openedAt: number;
  sentAt: number | null;
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
  refusal: 'intro_used' | 'full_price_only' | null;
  declineCode: string | null;
  processorResponse: string | null;
  /** Counts changes, so that an older copy never replaces a newer one. */
  version: number;
}

/** An outcome that stays unknown becomes a case for an operator after this time, and daily again. */
export const operatorCaseAfterMs = 24 * 60 * 60_000;

/** A first charge, or an answer to the bank, is accepted for this time after the click. */
export const sendLimitMs = 10 * 60_000;

export type Step = 'charge' | 'lookUp' | 'cancelUnpaid' | 'fail' | 'nothing';

/** Every fourth call after unclear answers looks the payment up instead of sending it again. */
const lookUpEvery = 4;

export function isFinal(state: AttemptState): boolean {
  return state === 'active' || state === 'declined' || state === 'failed';
}

const isChallengeOverdue = ({ challengedAt }: Attempt, now: number) =>
  now - (challengedAt ?? now) > sendLimitMs;

export function nextStep(attempt: Attempt, now: number): Step {
  const isLate = now - attempt.openedAt > sendLimitMs;
  switch (attempt.state) {
    case 'open':
      return isLate ? 'fail' : 'charge';
    case 'sent':
      // Braintree has no idempotency keys: a charge is sent once, then only looked up.
      if (isLate || attempt.gateway === 'braintree') return 'cancelUnpaid';
      return attempt.tries % lookUpEvery === lookUpEvery - 1 ? 'lookUp' : 'charge';
    case 'challenged':
      return isChallengeOverdue(attempt, now) ? 'cancelUnpaid' : 'nothing';
    case 'returned':
      // Stop waiting if the payer returned without completing the challenge.
      return isChallengeOverdue(attempt, now) ? 'cancelUnpaid' : 'lookUp';
    case 'active':
    case 'declined':
    case 'failed':
      return 'nothing';
    default:
      return attempt.state satisfies never;
  }
}

/** 250 ms doubling to 8 s; 5 minutes once the attempt is late; an hour after a day. */
function retryDelayMs(attempt: Attempt, now: number): number {
  if (now - attempt.openedAt >= operatorCaseAfterMs) return 60 * 60_000;
  if (now - attempt.openedAt > sendLimitMs) return 5 * 60_000;
  return Math.min(8000, 250 * 2 ** attempt.tries);
}

const withChange = (attempt: Attempt, change: Partial<Attempt>): Attempt => ({
  ...attempt,
  ...change,
  deviceData: change.state && isFinal(change.state) ? null : attempt.deviceData,
  version: attempt.version + 1,
});

export type Progress = Partial<
  Pick<Attempt, 'sentAt' | 'subscriptionId' | 'invoiceId' | 'paymentId'>
>;

export function applyProgress(attempt: Attempt, progress: Progress): Attempt {
  if (isFinal(attempt.state)) return attempt;
  const isSent = progress.sentAt && attempt.state === 'open';
  return withChange(attempt, { ...progress, ...(isSent ? { state: 'sent' } : {}) });
}

const maxRounds = 2;

/** @param nonce the verified one that replaces the old; null where the payment itself is verified */
export function resumeAfterChallenge(attempt: Attempt, nonce: string | null, now: number): Attempt {
  if (attempt.state !== 'challenged') return attempt;
  const back = { dueAt: now, tries: 0 };
  if (attempt.gateway === 'stripe') return withChange(attempt, { ...back, state: 'returned' });
  if (!nonce || nonce === attempt.nonce) return attempt;
  // The old nonce paid nothing, and the new one was not sent yet.
  return withChange(attempt, { ...back, state: 'open', nonce, secret: null });
}

export function markFailed(attempt: Attempt): Attempt {
  return isFinal(attempt.state) ? attempt : withChange(attempt, { state: 'failed', secret: null });
}

function retryLater(attempt: Attempt, { kind }: GatewayOutcome, now: number): Attempt {
  const isCase = now - (attempt.caseAt ?? attempt.openedAt) >= operatorCaseAfterMs;
  const isUnpaid = kind === 'unfinished' || kind === 'none';
  const isInTime = now - attempt.openedAt <= sendLimitMs;
  // What is known to be unpaid is sent again at once.
  const delayMs = attempt.state === 'sent' && isUnpaid && isInTime ? 0 : retryDelayMs(attempt, now);
  const change = { tries: attempt.tries + 1, dueAt: now + delayMs };
  return withChange(attempt, isCase ? { ...change, caseAt: now } : change);
}

export function applyOutcome(attempt: Attempt, outcome: GatewayOutcome, now: number): Attempt {
  if (isFinal(attempt.state)) return attempt;
  switch (outcome.kind) {
    case 'active':
      return withChange(attempt, { state: 'active', charge: outcome.charge, secret: null });
    case 'declined':
      return withChange(attempt, {
        state: 'declined',
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
    case 'unfinished':
    case 'none':
    case 'unknown':
      return retryLater(attempt, outcome, now);
    default:
      return outcome satisfies never;
  }
}

export function applyWebhook(attempt: Attempt, now: number): Attempt {
  const isOverdue = attempt.state === 'sent' && now - attempt.openedAt > sendLimitMs;
  return isOverdue ? withChange(attempt, { dueAt: now }) : attempt;
}
