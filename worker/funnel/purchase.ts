import type { Terms } from './attempt.ts';
import { triesAnHour, tryCounts } from './card-limits.ts';
import type { Statement } from './gateway.ts';
import type { Currency } from './markets.ts';
import type { PlanId, Slot } from './plans.ts';

/** A payment provider. */
export type GatewayName = 'stripe' | 'braintree';

/**
 * Where an attempt stands. `open`: nothing sent yet with this payment method. `sent`: a call may have reached the gateway.
 * `challenged`: the bank asks the payer. `returned`: the payer says it is done. The rest is final.
 */
export type State = 'open' | 'sent' | 'challenged' | 'returned' | 'active' | 'declined' | 'failed';

/** Money that was captured, as the gateway names it; amount in minor units. */
interface Charge {
  subscriptionId: string | null;
  paymentId: string;
  customerId: string;
  /** The saved payment method, for one-tap upsells. */
  methodId: string;
  amount: number;
  currency: Currency;
}

/** What a gateway says of an attempt. Only `active`, `declined` and `rejected` are definite. */
export type Outcome =
  | { kind: 'active'; charge: Charge }
  /**
   * The bank asks the payer. Stripe: the intent and its secret. Braintree: no payment yet; the secret
   * is the nonce that the browser has to verify.
   */
  | { kind: 'challenge'; paymentId: string | null; secret: string }
  | { kind: 'declined'; declineCode: string; processorResponse: string }
  /**
   * Not sold, for a reason that an operator has to see. `taken` is money that was captured for it and
   * is still there; `undone` is what was captured and given back whole.
   */
  | {
      kind: 'rejected';
      reason: string;
      /** What its buyer is told. */
      refusal?: Attempt['refusal'];
      taken?: { paymentId: string; amount: number };
      undone?: Pick<Statement, 'captures' | 'refunds'>;
    }
  /** It exists there, not paid, and nobody was asked to pay it yet. */
  | { kind: 'unfinished' }
  /** It does not exist there. */
  | { kind: 'none' }
  | { kind: 'unknown' };

/** One try to buy one plan. Times in ms since 1970. */
export interface Attempt {
  id: string;
  pollingId: string;
  /** The account’s epoch in the session that has the polling id. */
  epoch: number;
  gateway: GatewayName;
  slot: Slot;
  plan: PlanId;
  /** Minor units of the plan's currency, charged today: the plan's price less the coupon. */
  amount: number;
  coupon: string | null;
  /** The gateway's one-time name of the payment method; null for the saved one. */
  nonce: string | null;
  /** What the gateway's script noticed of the device, as it wrote it; null once it is final. */
  deviceData: string | null;
  /** The experiment and arm of who buys; no experiment for who takes no part. */
  experiment: string | null;
  arm: string;
  /** What the buyer was shown; null for purchases from before this was kept. */
  terms: Terms | null;
  state: State;
  openedAt: number;
  /** When money was last asked for; null while it was not. */
  sentAt: number | null;
  challengedAt: number | null;
  /** Times that the bank asked the payer. */
  rounds: number;
  /** When the job looks at it next. */
  dueAt: number;
  /** Calls that ended without a definite answer. */
  tries: number;
  /** When an operator was last told that nobody knows its outcome; null while nobody was. */
  caseAt: number | null;
  /** What the gateway made for it, stored as soon as it is known: read by these ids, whatever came since. */
  subscriptionId: string | null;
  /** The invoice that is paid today. */
  invoiceId: string | null;
  paymentId: string | null;
  secret: string | null;
  charge: Charge | null;
  /** Why it failed, where its buyer can do something about it. */
  refusal: 'intro_used' | 'full_price_only' | null;
  declineCode: string | null;
  processorResponse: string | null;
  /** Counts the changes, so that a copy never goes back. */
  version: number;
}

/** An outcome that is unknown for so long becomes a case for an operator, again each day; in ms. */
export const caseAfter = 24 * 60 * 60_000;

/** How long after the click a first send, or an answer to the bank, may still happen, in ms. */
export const sendLimit = 10 * 60_000;

/** What the job does next with an attempt. */
export type Step = 'charge' | 'lookUp' | 'settle' | 'fail' | 'nothing';

/** After this many unclear answers in a row the job looks before it sends again. */
const lookEvery = 4;

export function isFinal(state: State): boolean {
  return state === 'active' || state === 'declined' || state === 'failed';
}

/**
 * Whether an attempt counts as a try of a card: until it is known, and when a bank looked at the card
 * and nothing was paid.
 */
export const isTry = ({ state, challengedAt }: Attempt): boolean =>
  !isFinal(state) || state === 'declined' || (state === 'failed' && challengedAt !== null);

/** Whether an account tried so many cards in the last hour that no more are taken. */
export function tooManyTries(attempts: readonly Attempt[], now: number): boolean {
  const recent = attempts.filter((one) => isTry(one) && now - one.openedAt < tryCounts);
  return recent.length >= triesAnHour;
}

/** Whether the time is over in which the bank had to be answered. */
const unanswered = ({ challengedAt }: Attempt, now: number) =>
  now - (challengedAt ?? now) > sendLimit;

/** The next step for an attempt at a time. */
export function nextStep(attempt: Attempt, now: number): Step {
  const late = now - attempt.openedAt > sendLimit;
  switch (attempt.state) {
    case 'open':
      return late ? 'fail' : 'charge';
    case 'sent':
      // Braintree has no idempotency keys: what was sent once is only looked for.
      if (late || attempt.gateway === 'braintree') return 'settle';
      return attempt.tries % lookEvery === lookEvery - 1 ? 'lookUp' : 'charge';
    case 'challenged':
      return unanswered(attempt, now) ? 'settle' : 'nothing';
    case 'returned':
      // Who came back without having answered is not waited for without end.
      return unanswered(attempt, now) ? 'settle' : 'lookUp';
    default:
      return 'nothing';
  }
}

/** Waiting time before the next try in ms: 250 doubling to 8 s; 5 minutes once it is late, then an hour. */
function pause(attempt: Attempt, now: number): number {
  if (now - attempt.openedAt >= caseAfter) return 60 * 60_000;
  if (now - attempt.openedAt > sendLimit) return 5 * 60_000;
  return Math.min(8000, 250 * 2 ** attempt.tries);
}

const clear = ({ kind }: Outcome) => kind === 'unfinished' || kind === 'none';

const changed = (attempt: Attempt, change: Partial<Attempt>): Attempt => ({
  ...attempt,
  ...change,
  // Nobody needs it once the payment is known.
  deviceData: change.state && isFinal(change.state) ? null : attempt.deviceData,
  version: attempt.version + 1,
});

/** What a gateway learns of an attempt while it works on it. */
export type Progress = Partial<
  Pick<Attempt, 'sentAt' | 'subscriptionId' | 'invoiceId' | 'paymentId'>
>;

/** The attempt after progress. One that is sent may have reached the gateway. */
export function proceed(attempt: Attempt, progress: Progress): Attempt {
  if (isFinal(attempt.state)) return attempt;
  const sent = progress.sentAt && attempt.state === 'open';
  return changed(attempt, { ...progress, ...(sent ? { state: 'sent' } : {}) });
}

/** How often the bank may ask for one attempt. */
const maxRounds = 2;

/**
 * The payer comes back from the bank.
 *
 * @param nonce the verified one that takes the place of the old; null where the payment itself knows
 */
export function comeBack(attempt: Attempt, nonce: string | null, now: number): Attempt {
  if (attempt.state !== 'challenged') return attempt;
  const back = { dueAt: now, tries: 0 };
  if (attempt.gateway === 'stripe') return changed(attempt, { ...back, state: 'returned' });
  if (!nonce || nonce === attempt.nonce) return attempt;
  // Nothing was paid by the old nonce, and nothing is sent yet by the new one.
  return changed(attempt, { ...back, state: 'open', nonce, secret: null });
}

/** The attempt that was never sent, or never will be. */
export function fail(attempt: Attempt): Attempt {
  return isFinal(attempt.state) ? attempt : changed(attempt, { state: 'failed', secret: null });
}

/** The attempt after the gateway's answer. A final state never changes. */
export function move(attempt: Attempt, outcome: Outcome, now: number): Attempt {
  if (isFinal(attempt.state)) return attempt;
  switch (outcome.kind) {
    case 'active':
      return changed(attempt, { state: 'active', charge: outcome.charge, secret: null });
    case 'declined':
      return changed(attempt, {
        state: 'declined',
        declineCode: outcome.declineCode,
        processorResponse: outcome.processorResponse,
        secret: null,
      });
    case 'rejected':
      return fail({ ...attempt, refusal: outcome.refusal ?? null });
    case 'challenge':
      if (attempt.gateway === 'braintree' && attempt.rounds === maxRounds) return fail(attempt);
      return changed(attempt, {
        state: 'challenged',
        rounds: attempt.rounds + 1,
        challengedAt: attempt.challengedAt ?? now,
        dueAt: (attempt.challengedAt ?? now) + sendLimit + 1000,
        paymentId: outcome.paymentId,
        secret: outcome.secret,
      });
    default: {
      const isCase = now - (attempt.caseAt ?? attempt.openedAt) >= caseAfter;
      const soon =
        attempt.state === 'sent' && clear(outcome) && now - attempt.openedAt <= sendLimit;
      return changed(attempt, {
        tries: attempt.tries + 1,
        // What is known not to be paid yet may be sent at once.
        dueAt: now + (soon ? 0 : pause(attempt, now)),
        ...(isCase ? { caseAt: now } : {}),
      });
    }
  }
}

/** The attempt after its gateway sent news: what is only looked for is looked for now. */
export function hearNews(attempt: Attempt, now: number): Attempt {
  const looked = attempt.state === 'sent' && now - attempt.openedAt > sendLimit;
  return looked ? changed(attempt, { dueAt: now }) : attempt;
}
