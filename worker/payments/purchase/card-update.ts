import { dayMs } from '../../platform/durations.ts';
import type { Minor } from '../../platform/types.ts';
import type { Challenge } from './change-state.ts';
import { answerOfCard, move, sendLimitMs, type TryRules, tryMachine } from './gateway-try.ts';
import type { Attempt, GatewayName, GatewayOutcome, GatewayTry } from './state.ts';

export interface Card {
  brand: string;
  last4: string;
  month: number | null;
  year: number | null;
}

/**
 * `open`: the bank verifies the card. `challenged`: the bank challenges the payer, for the card or the open
 * invoice. `returned`: the payer came back. `saved`: verified, to become the default. `paying`: the default, and
 * the open invoice may be paid. The others are final; `done` keeps the card, paid or not.
 */
type CardUpdateState =
  | 'open'
  | 'challenged'
  | 'returned'
  | 'saved'
  | 'paying'
  | 'done'
  | 'declined'
  | 'failed';

/** One try to replace the card that pays an account's renewals at one gateway. */
export interface CardUpdate extends GatewayTry {
  id: string;
  /** The browser's id of the update; a repeated key is the same update. */
  key: string;
  gateway: GatewayName;
  nonce: string;
  /** At Braintree: the nonce of the bank's challenge; missing in updates of an older build. */
  challengedNonce?: string | null;
  deviceData: string | null;
  /** The open amount shown on the page. No more is charged. */
  agreed: Minor;
  state: CardUpdateState;
  /** The subject of the bank's challenge: Stripe's SetupIntent or payment. */
  intentId: string | null;
  secret: string | null;
  /** The saved method; null until the bank verified it. */
  methodId: string | null;
  card: Card | null;
  /** Payments that may have been sent, by subscription, with the newest payment before each. */
  sentPayments: Record<string, { at: number; newest: string | null }>;
  payment: 'none' | 'paid' | 'unpaid' | null;
  declineCode: string | null;
  processorResponse: string | null;
}

type Decline = Extract<GatewayOutcome, { kind: 'declined' }>;

/** `intentId` is null at Braintree, where `secret` is the nonce that the browser has to verify. */
type BankChallenge = { kind: 'challenge' } & Challenge;

export type VerifyOutcome =
  | { kind: 'saved'; methodId: string; card: Card }
  | { kind: 'rejected' }
  | BankChallenge
  | Decline;

/** `nothing_due`: no payment is due any longer. `unknown`: a payment that was sent may still appear. */
export type PayOutcome = { kind: 'nothing_due' } | { kind: 'unknown' } | BankChallenge | Decline;

/** `default`: the card is the default now; `due` is the open amount. */
export type CardOutcome = VerifyOutcome | PayOutcome | { kind: 'default'; due: Minor };

export type CardStep = 'verify' | 'setDefault' | 'pay' | 'lookUpPayment';

/** Saving and paying are retried for a day; after that the provider's own retries charge the new card. */
const giveUpAfterMs = dayMs;
const maxRounds = 3;

export const newCardUpdate = (
  request: Pick<CardUpdate, 'id' | 'key' | 'gateway' | 'nonce' | 'deviceData' | 'agreed'>,
  now: number,
): CardUpdate => ({
  ...request,
  state: 'open',
  openedAt: now,
  dueAt: now,
  tries: 0,
  challengedAt: null,
  rounds: 0,
  intentId: null,
  secret: null,
  methodId: null,
  card: null,
  sentPayments: {},
  payment: null,
  declineCode: null,
  processorResponse: null,
});

const steps = {
  open: { step: 'verify', late: 'expire', limitMs: 2 * sendLimitMs },
  challenged: { step: 'nothing', late: 'expire' },
  returned: {
    step: ({ methodId }) => (methodId === null ? 'verify' : 'lookUpPayment'),
    late: 'expire',
  },
  saved: { step: 'setDefault', late: 'expire', limitMs: giveUpAfterMs },
  paying: { step: 'pay', late: 'expire', limitMs: giveUpAfterMs },
} satisfies TryRules<CardUpdate, CardStep, CardOutcome>['steps'];

export const isFinalUpdate = ({ state }: CardUpdate): boolean => !Object.hasOwn(steps, state);

/** Whether the card is the default, so that it stays whatever happens to the payment. */
const isDefault = ({ state, methodId }: CardUpdate): boolean =>
  methodId !== null && state !== 'saved';

const finished = (payment: CardUpdate['payment']): Partial<CardUpdate> => ({
  state: 'done',
  payment,
});

export const cardMachine = tryMachine<CardUpdate, CardStep, CardOutcome>({
  steps,
  meanings: {
    saved: (_, { methodId, card }, now) =>
      move({ state: 'saved', methodId, card, secret: null, tries: 0, dueAt: now }),
    default({ agreed }, { due }, now) {
      if (due === 0) return move(finished('none'));
      // No more than the displayed amount is charged.
      return move(due > agreed ? finished('unpaid') : { state: 'paying', tries: 0, dueAt: now });
    },
    nothing_due: () => move(finished('paid')),
    declined(update, { declineCode, processorResponse }) {
      const end: Partial<CardUpdate> = isDefault(update)
        ? finished('unpaid')
        : { state: 'declined' };
      return move({ ...end, declineCode, processorResponse });
    },
    rejected: () => ({ kind: 'expire' }),
    challenge: (_, { intentId, secret }) => ({ kind: 'challenge', change: { intentId, secret } }),
  },
  answerOf: answerOfCard,
  expired: (update) => (isDefault(update) ? finished('unpaid') : { state: 'failed' }),
  maxRounds: () => maxRounds,
  firstChallengeAt: ({ state, challengedAt }) => (state === 'returned' ? challengedAt : null),
  givesUp: true,
  complete: (update) =>
    isFinalUpdate(update) ? { ...update, secret: null, deviceData: null } : update,
});

/** Card testers want to know which cards are valid: a card that was only verified counts, one that paid does not. */
export const asCardAttempt = (
  update: CardUpdate,
): Pick<Attempt, 'state' | 'openedAt' | 'challengedAt'> & { id: string } => {
  const { id, state, methodId, payment, declineCode, openedAt } = update;
  const challengedAt = update.challengedAt ?? (methodId === null ? null : openedAt);
  if (state === 'declined' || state === 'failed') return { id, state, openedAt, challengedAt };
  if (state === 'done') {
    const unpaid = payment === 'unpaid' && declineCode !== null ? 'declined' : 'failed';
    return { id, state: payment === 'paid' ? 'active' : unpaid, openedAt, challengedAt };
  }
  const pending = state === 'challenged' || state === 'returned' ? 'sent' : 'open';
  return { id, state: pending, openedAt, challengedAt };
};
