import { hourMs, minuteMs } from '../../platform/durations.ts';
import { gatewayTraits } from './gateway-traits.ts';
import { isCaseDue, operatorCaseAfterMs } from './operator-case.ts';
import type { Attempt, AttemptState, GatewayOutcome } from './state.ts';

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

function withoutCharge(attempt: Attempt): Attempt {
  const { gateway, state } = attempt;
  if (gatewayTraits[gateway].leavesUnpaid || state !== 'sent') return attempt;
  return { ...attempt, state: 'open', sentAt: null, chargedAt: null };
}

const mayConfirmAgain = ({ gateway, state, subscriptionId, paymentId }: Attempt): boolean =>
  gatewayTraits[gateway].confirmsAfterChallenge &&
  state === 'returned' &&
  subscriptionId === null &&
  paymentId !== null;

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
      if (gatewayTraits[attempt.gateway].verifiesBeforeCharge && attempt.rounds === maxRounds)
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
