import { dayMs } from '../../platform/durations.ts';
import type { Minor } from '../../platform/types.ts';
import { sendLimitMs } from './attempt.ts';
import { gatewayTraits } from './gateway-traits.ts';
import type { Attempt, GatewayName } from './state.ts';

/** A saved payment method as shown to its owner; a PayPal account has neither digits nor expiry. */
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
export interface CardUpdate {
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
  openedAt: number;
  dueAt: number;
  tries: number;
  challengedAt: number | null;
  rounds: number;
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

interface Decline {
  kind: 'declined';
  declineCode: string;
  processorResponse: string;
}

interface Challenge {
  kind: 'challenge';
  /** Null at Braintree, where `secret` is the nonce that the browser has to verify. */
  intentId: string | null;
  secret: string;
}

export type VerifyOutcome =
  | { kind: 'saved'; methodId: string; card: Card }
  | { kind: 'rejected' }
  | Challenge
  | Decline;

/** `nothing_due`: no payment is due any longer. `unknown`: a payment that was sent may still appear. */
export type PayOutcome = { kind: 'nothing_due' | 'unknown' } | Challenge | Decline;

export type CardStep = 'verify' | 'setDefault' | 'pay' | 'lookUpPayment' | 'expire' | 'nothing';

/** Saving and paying are retried for a day; after that the provider's own retries charge the new card. */
const giveUpAfterMs = dayMs;
const maxRounds = 3;

export const isFinalUpdate = ({ state }: CardUpdate): boolean =>
  state === 'done' || state === 'declined' || state === 'failed';

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

export function nextCardStep(update: CardUpdate, now: number): CardStep {
  const { state, methodId, openedAt, challengedAt } = update;
  const isChallengeOver = now - (challengedAt ?? now) > sendLimitMs;
  switch (state) {
    case 'open':
      return now - openedAt > 2 * sendLimitMs ? 'expire' : 'verify';
    case 'challenged':
      return isChallengeOver ? 'expire' : 'nothing';
    case 'returned':
      if (isChallengeOver) return 'expire';
      return methodId === null ? 'verify' : 'lookUpPayment';
    case 'saved':
      return now - openedAt > giveUpAfterMs ? 'expire' : 'setDefault';
    case 'paying':
      return now - openedAt > giveUpAfterMs ? 'expire' : 'pay';
    case 'done':
    case 'declined':
    case 'failed':
      return 'nothing';
    default:
      return state satisfies never;
  }
}

function change(update: CardUpdate, changed: Partial<CardUpdate>): CardUpdate {
  const next = { ...update, ...changed };
  return isFinalUpdate(next) ? { ...next, secret: null, deviceData: null } : next;
}

/** 250 ms doubling to 8 s; a minute after ten minutes. */
export function retryCardStep(update: CardUpdate, now: number): CardUpdate {
  const isLate = now - update.openedAt > sendLimitMs;
  const delayMs = isLate ? 60_000 : Math.min(8000, 250 * 2 ** update.tries);
  return change(update, { tries: update.tries + 1, dueAt: now + delayMs });
}

const finished = (update: CardUpdate, payment: CardUpdate['payment']) =>
  change(update, { state: 'done', payment });

/** A card that was saved stays saved. */
export const expireCardUpdate = (update: CardUpdate): CardUpdate =>
  update.state === 'paying' || (update.methodId !== null && update.state !== 'saved')
    ? finished(update, 'unpaid')
    : change(update, { state: 'failed' });

function challenged(update: CardUpdate, { intentId, secret }: Challenge, now: number): CardUpdate {
  if (update.rounds === maxRounds) return expireCardUpdate(update);
  const challengedAt = update.state === 'returned' ? (update.challengedAt ?? now) : now;
  return change(update, {
    state: 'challenged',
    rounds: update.rounds + 1,
    challengedAt,
    dueAt: challengedAt + sendLimitMs + 1000,
    intentId,
    secret,
  });
}

const refusalOf = ({ declineCode, processorResponse }: Decline) => ({
  declineCode,
  processorResponse,
});

export function applyVerification(
  update: CardUpdate,
  outcome: VerifyOutcome,
  now: number,
): CardUpdate {
  switch (outcome.kind) {
    case 'saved': {
      const { methodId, card } = outcome;
      return change(update, { state: 'saved', methodId, card, secret: null, tries: 0, dueAt: now });
    }
    case 'challenge':
      return challenged(update, outcome, now);
    case 'declined':
      return change(update, { state: 'declined', ...refusalOf(outcome) });
    case 'rejected':
      return change(update, { state: 'failed' });
    default:
      return outcome satisfies never;
  }
}

/** Called when the card is the default. @param due the open amount; no more than the displayed amount is charged */
export function applyDefault(update: CardUpdate, due: Minor, now: number): CardUpdate {
  if (due === 0) return finished(update, 'none');
  if (due > update.agreed) return finished(update, 'unpaid');
  return change(update, { state: 'paying', tries: 0, dueAt: now });
}

export function applyCardPayment(update: CardUpdate, outcome: PayOutcome, now: number): CardUpdate {
  switch (outcome.kind) {
    case 'nothing_due':
      return finished(update, 'paid');
    case 'challenge':
      return challenged(update, outcome, now);
    case 'declined':
      return finished(change(update, refusalOf(outcome)), 'unpaid');
    case 'unknown':
      return retryCardStep(update, now);
    default:
      return outcome satisfies never;
  }
}

/** @param nonce the verified one, if the gateway creates a new one */
export function resumeCardUpdate(update: CardUpdate, nonce: string, now: number): CardUpdate {
  if (update.state !== 'challenged') return update;
  const back = { dueAt: now, tries: 0 };
  if (!gatewayTraits[update.gateway].verifiesBeforeCharge)
    return change(update, { ...back, state: 'returned' });
  if (nonce === update.nonce) return update;
  const challengedNonce = update.challengedNonce ?? update.nonce;
  return change(update, { ...back, state: 'open', nonce, challengedNonce, secret: null });
}

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
