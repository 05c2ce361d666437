import { hourMs } from '../../platform/durations.ts';
import { gatewayTraits } from './gateway-traits.ts';
import { answerOfCard, move, sendLimitMs, type TryRules, tryMachine } from './gateway-try.ts';
import { isCaseDue } from './operator-case.ts';
import type { Attempt, AttemptState, GatewayOutcome } from './state.ts';

/** How often a debit is looked up without a webhook. */
const debitLookUpMs = 6 * hourMs;

export type GatewayStep = 'charge' | 'lookUp' | 'cancelUnpaid';

/** Every fourth call after unclear answers looks the payment up instead of sending it again. */
const lookUpEvery = 4;

function repeatedStep({ gateway, tries }: Attempt): GatewayStep {
  if (!gatewayTraits[gateway].repeatsCharges) return 'cancelUnpaid';
  return tries % lookUpEvery === lookUpEvery - 1 ? 'lookUp' : 'charge';
}

const steps = {
  open: { step: 'charge', late: 'expire' },
  sent: { step: repeatedStep, late: 'cancelUnpaid' },
  rerouted: { step: 'nothing', late: 'expire' },
  challenged: { step: 'nothing', late: 'cancelUnpaid' },
  // The payer may have returned without completing the challenge.
  returned: { step: 'lookUp', late: 'cancelUnpaid' },
  processing: { step: 'lookUp', late: 'lookUp' },
} satisfies TryRules<Attempt, GatewayStep, GatewayOutcome>['steps'];

export const isFinal = (state: AttemptState): boolean => !Object.hasOwn(steps, state);

export const withChange = (attempt: Attempt, change: Partial<Attempt>): Attempt =>
  complete({ ...attempt, ...change });

function complete(after: Attempt): Attempt {
  const { state, taxLocation, version } = after;
  const changed = { ...after, version: version + 1 };
  if (!isFinal(state) && state !== 'processing') return changed;
  const forgotten = { deviceData: null, acceptance: null };
  return { ...changed, ...forgotten, taxLocation: taxLocation && { ...taxLocation, ip: null } };
}

export type AttemptProgress = Partial<
  Pick<Attempt, 'sentAt' | 'chargedAt' | 'subscriptionId' | 'invoiceId' | 'paymentId' | 'isUntaxed'>
>;

export function applyProgress(attempt: Attempt, progress: AttemptProgress): Attempt {
  if (isFinal(attempt.state)) return attempt;
  const isSent = progress.sentAt && attempt.state === 'open';
  return withChange(attempt, { ...progress, ...(isSent ? { state: 'sent' } : {}) });
}

const mayConfirmAgain = ({ gateway, state, subscriptionId, paymentId }: Attempt): boolean =>
  gatewayTraits[gateway].confirmsAfterChallenge &&
  state === 'returned' &&
  subscriptionId === null &&
  paymentId !== null;

/** An attempt that is known to be unpaid is sent again at once. */
const sentAgain = ({ state, openedAt }: Attempt, now: number): Partial<Attempt> =>
  state === 'sent' && now - openedAt <= sendLimitMs ? { dueAt: now } : {};

const maxRounds = 2;

export const {
  nextStep,
  applyOutcome,
  expire: markFailed,
  resume: resumeAfterChallenge,
} = tryMachine<Attempt, GatewayStep, GatewayOutcome>({
  steps,
  meanings: {
    active: (_, { charge }) => move({ state: 'active', charge, secret: null }),
    processing: (attempt, { charge }, now) =>
      move({
        ...{ state: 'processing', charge, secret: null, dueAt: now + debitLookUpMs },
        ...(isCaseDue(attempt, now) && { caseAt: now }),
      }),
    declined: (_, { declineCode, processorResponse }) =>
      move({ state: 'declined', charge: null, secret: null, declineCode, processorResponse }),
    rejected: (_, { refusal = null }) => ({ kind: 'expire', change: { refusal } }),
    challenge: (_, { paymentId, secret }) => ({ kind: 'challenge', change: { paymentId, secret } }),
    unavailable: ({ gateway, state }) =>
      gatewayTraits[gateway].leavesUnpaid || state !== 'sent'
        ? { kind: 'retry' }
        : { kind: 'retry', change: { state: 'open', sentAt: null, chargedAt: null } },
    unfinished(attempt, _, now) {
      const again = mayConfirmAgain(attempt) ? ({ state: 'sent', secret: null } as const) : {};
      return { kind: 'retry', change: { ...again, ...sentAgain({ ...attempt, ...again }, now) } };
    },
    none: (attempt, _, now) => ({ kind: 'retry', change: sentAgain(attempt, now) }),
  },
  answerOf: answerOfCard,
  expired: () => ({ state: 'failed', charge: null, secret: null }),
  maxRounds: ({ gateway }) =>
    gatewayTraits[gateway].verifiesBeforeCharge ? maxRounds : Number.POSITIVE_INFINITY,
  firstChallengeAt: ({ challengedAt }) => challengedAt,
  complete,
});

export function applyWebhook(attempt: Attempt, now: number): Attempt {
  const isOverdue = attempt.state === 'sent' && now - attempt.openedAt > sendLimitMs;
  const needsLookUp = isOverdue || attempt.state === 'processing';
  return needsLookUp ? withChange(attempt, { dueAt: now }) : attempt;
}
