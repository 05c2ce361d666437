import { type GatewayStep, isFinal, withChange } from './attempt.ts';
import { gatewayTraits } from './gateway-traits.ts';
import { sendLimitMs } from './gateway-try.ts';
import type { Attempt, GatewayName, GatewayOutcome } from './state.ts';

/** An attempt's state when it left a gateway that may still have something unpaid of it. */
export interface AbandonedAttempt {
  attempt: Attempt;
  /** When it is to be cancelled there, ms since 1970. */
  dueAt: number;
}

/** A buyer is asked for another card only after this many failed steps, each retried by the client. */
const failuresBeforeReroute = 2;

/** Whether the gateway has definitely taken nothing, and another one may charge a new card. */
export const canBeRerouted = ({ nonce, others, chargedAt, state }: Attempt): boolean =>
  nonce !== null &&
  others.length > 0 &&
  chargedAt === null &&
  (state === 'open' || state === 'sent');

/** Cancelled at the gateway, which then never takes this payment. */
const isCancelled = (step: GatewayStep, outcome: GatewayOutcome) =>
  step === 'cancelUnpaid' && outcome.kind === 'rejected' && outcome.reason === 'expired';

/** The reason to leave the gateway after a step; null while the attempt stays there. */
export function rerouteReason(
  { nonce, others, openedAt, tries }: Attempt,
  { step, outcome }: { step: GatewayStep; outcome: GatewayOutcome },
  now: number,
): string | null {
  if (nonce === null || others.length === 0 || now - openedAt > sendLimitMs) return null;
  if (isCancelled(step, outcome)) return 'cancelled unpaid';
  const isRepeated = tries + 1 >= failuresBeforeReroute;
  return outcome.kind === 'unavailable' && isRepeated ? outcome.reason : null;
}

/** Then the buyer can pay at the other gateway. */
export const canBeCancelled = (
  step: GatewayStep,
  { gateway, nonce, chargedAt }: Attempt,
): boolean =>
  gatewayTraits[gateway].cancelsUnseen && nonce !== null && chargedAt !== null && step === 'charge';

/** The longest wait for the outcome of a charge: five failures, or one call without a response. */
const stuckAfterMs = 8_000;

export const isStuck = ({ tries, chargedAt }: Attempt, now: number): boolean =>
  tries >= 5 || now - (chargedAt ?? now) >= stuckAfterMs;

/** Returns to the first gateway only if nothing was sent there: what was sent is cancelled under the attempt's id. */
export function reroute(attempt: Attempt, to: GatewayName): Attempt {
  if (isFinal(attempt.state)) return attempt;
  const { gateway: from, others, sentAt, openedAt } = attempt;
  return withChange(attempt, {
    state: 'rerouted',
    gateway: to,
    isRerouted: true,
    others: [...others.filter((name) => name !== to), ...(sentAt === null ? [from] : [])],
    nonce: null,
    challengedNonce: null,
    deviceData: null,
    // The other gateway uses another method.
    wallet: null,
    acceptance: null,
    sentAt: null,
    chargedAt: null,
    challengedAt: null,
    rounds: 0,
    tries: 0,
    dueAt: openedAt + sendLimitMs + 1000,
    subscriptionId: null,
    invoiceId: null,
    paymentId: null,
    secret: null,
  });
}

/** @param card entered at the gateway that takes over the attempt */
export function resumeRerouted(
  attempt: Attempt,
  card: Pick<Attempt, 'gateway' | 'nonce' | 'deviceData'>,
  now: number,
): Attempt {
  const { gateway, nonce, deviceData } = card;
  if (attempt.state !== 'rerouted' || !nonce || gateway !== attempt.gateway) return attempt;
  return withChange(attempt, { state: 'open', nonce, deviceData, dueAt: now });
}
