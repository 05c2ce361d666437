import { hourMs, minuteMs } from '../../platform/durations.ts';
import { gatewayTraits } from './gateway-traits.ts';
import { isCaseDue, operatorCaseAfterMs } from './operator-case.ts';
import type { GatewayName, GatewayTry } from './state.ts';

/** A first charge, or the answer to a challenge, is accepted for this time. */
export const sendLimitMs = 10 * minuteMs;

/** What an answer does to a try. `change` is the part of the kind of work, and is applied last. */
export interface TryEvent<Try> {
  kind: 'move' | 'challenge' | 'retry' | 'expire';
  change?: Partial<Try>;
}

export const move = <Try>(change: Partial<Try>): TryEvent<Try> => ({ kind: 'move', change });

/** `expired`: no time is left, so that the gateway was not called. `unknown`: it gave no answer. */
export type Unanswered = { kind: 'expired' } | { kind: 'unknown' };

type Meaning<Try, Outcome> = (one: Try, outcome: Outcome, now: number) => TryEvent<Try>;

type Kind = { kind: string };

type Due<Step> = Step | 'expire' | 'nothing';

interface TimedStep<Try, Step> {
  step: Due<Step> | ((one: Try) => Due<Step>);
  /** The step after the limit, which counts from the challenge while the payer is at the bank. */
  late: Due<Step>;
  limitMs?: number;
}

/** What one kind of work says: what is called in each state, and what an answer means. */
export interface TryRules<Try extends GatewayTry, Step extends string, Outcome extends Kind> {
  /** States without a step wait for nothing. */
  steps: Readonly<{ [State in Try['state']]?: TimedStep<Try, Step> }>;
  meanings: {
    [Name in Exclude<Outcome, Unanswered>['kind']]: Meaning<Try, Extract<Outcome, { kind: Name }>>;
  };
  /** What the payer's return from the bank changes; null if it does not answer the challenge. */
  answerOf(one: Try, nonce: string | null): Partial<Try> | null;
  /** The end of a try for which no time, or no round of challenges, is left. */
  expired(one: Try): Partial<Try>;
  maxRounds?(one: Try): number;
  /** The challenge from which the time for the payer's answer counts; null for the new one. */
  firstChallengeAt?(one: Try): number | null;
  /** Whether it is given up after a day, so that it never becomes a case for an operator. */
  givesUp?: boolean;
  complete?(after: Try): Try;
}

function retry(one: GatewayTry, givesUp: boolean, now: number) {
  const ageMs = now - one.openedAt;
  const lateMs = givesUp ? minuteMs : ageMs < operatorCaseAfterMs ? 5 * minuteMs : hourMs;
  const delayMs = ageMs > sendLimitMs ? lateMs : Math.min(8000, 250 * 2 ** one.tries);
  const isCase = !givesUp && isCaseDue(one, now);
  return { tries: one.tries + 1, dueAt: now + delayMs, ...(isCase && { caseAt: now }) };
}

/** The state machine of tries; its table is in `README.md`. */
export function tryMachine<Try extends GatewayTry, Step extends string, Outcome extends Kind>({
  givesUp = false,
  complete = (after) => after,
  ...rules
}: TryRules<Try, Step, Outcome>) {
  const stepOf = ({ state }: Try): TimedStep<Try, Step> | undefined =>
    rules.steps[state as Try['state']];

  const expire = (one: Try): Try =>
    stepOf(one) ? complete({ ...one, ...rules.expired(one) }) : one;

  function nextStep(one: Try, now: number): Due<Step> {
    const timed = stepOf(one);
    if (!timed) return 'nothing';
    const isAtBank = one.state === 'challenged' || one.state === 'returned';
    const since = isAtBank ? (one.challengedAt ?? now) : one.openedAt;
    if (now - since > (timed.limitMs ?? sendLimitMs)) return timed.late;
    return typeof timed.step === 'function' ? timed.step(one) : timed.step;
  }

  function challenge(one: Try, now: number) {
    const challengedAt = rules.firstChallengeAt?.(one) ?? now;
    const dueAt = challengedAt + sendLimitMs + 1000;
    return { state: 'challenged', rounds: one.rounds + 1, challengedAt, dueAt };
  }

  function eventOf(one: Try, outcome: Outcome | Unanswered, now: number): TryEvent<Try> {
    if (outcome.kind === 'expired') return { kind: 'expire' };
    const meanings: Partial<Record<string, Meaning<Try, never>>> = rules.meanings;
    return meanings[outcome.kind]?.(one, outcome as never, now) ?? { kind: 'retry' };
  }

  function applyOutcome(one: Try, outcome: Outcome | Unanswered, now: number): Try {
    if (!stepOf(one)) return one;
    const { kind, change } = eventOf(one, outcome, now);
    switch (kind) {
      case 'move':
        return complete({ ...one, ...change });
      case 'retry':
        return complete({ ...one, ...retry(one, givesUp, now), ...change });
      case 'challenge': {
        const isOver = one.rounds >= (rules.maxRounds?.(one) ?? Number.POSITIVE_INFINITY);
        return isOver ? expire(one) : complete({ ...one, ...challenge(one, now), ...change });
      }
      case 'expire':
        return expire({ ...one, ...change });
      default:
        return kind satisfies never;
    }
  }

  /** @param nonce the verified one, where the gateway creates a new one */
  function resume(one: Try, nonce: string | null, now: number): Try {
    const answer = one.state === 'challenged' ? rules.answerOf(one, nonce) : null;
    return answer ? complete({ ...one, dueAt: now, tries: 0, ...answer }) : one;
  }

  return { nextStep, applyOutcome, expire, resume };
}

interface ChallengedCard {
  gateway: GatewayName;
  nonce: string | null;
  challengedNonce?: string | null;
  secret: string | null;
}

/** What the payer's return changes: the payment itself is verified, or a verified nonce replaces the old one. */
export function answerOfCard({ gateway, ...one }: ChallengedCard, nonce: string | null) {
  if (!gatewayTraits[gateway].verifiesBeforeCharge) return { state: 'returned' } as const;
  if (!nonce || nonce === one.nonce) return null;
  // The old nonce paid nothing, and the new one was not sent yet. For a saved card the challenged nonce is only in
  // the secret.
  const challengedNonce = one.challengedNonce ?? one.nonce ?? one.secret?.split('#')[0] ?? '';
  return { state: 'open', nonce, challengedNonce, secret: null } as const;
}
