import { hourMs, minuteMs } from '../../../platform/durations.ts';
import { type Refused, refused } from '../../../platform/errors.ts';
import { isFinal } from '../../purchase/attempt.ts';
import type { Attempt } from '../../purchase/state.ts';

/** More attempts in an hour are not typing mistakes but card testing: somebody tries stolen cards. */
const maxAttemptsPerHour = 5;

export const attemptWindowMs = hourMs;

/** A new shop has few payments, and a normal one about as many declines as purchases: both stay below this. */
export const surge = {
  windowMs: 10 * minuteMs,
  declines: 30,
  /** Share of declines among all decisions, from 0 to 1. */
  share: 0.7,
  durationMs: 30 * minuteMs,
  /** Attempts per hour during the protection. The first is always allowed, so that an attacker cannot stop all sales. */
  maxAttempts: 1,
};

export const isSurge = (declined: number, decided: number): boolean =>
  declined >= surge.declines && declined >= decided * surge.share;

/** Why another attempt is refused; null when it is allowed. */
export function attemptRefusal(attempts: number, isProtected: boolean): Refused | null {
  if (attempts >= maxAttemptsPerHour) return refused('too_many_declines');
  return isProtected && attempts >= surge.maxAttempts ? refused('card_testing_protection') : null;
}

export type CardAttempt = Pick<Attempt, 'state' | 'challengedAt' | 'openedAt'>;

/** Counts pending attempts, and those that ended unpaid after a bank saw the card. */
export const countsAsCardAttempt = ({
  state,
  challengedAt,
}: Pick<Attempt, 'state' | 'challengedAt'>): boolean =>
  !isFinal(state) || state === 'declined' || (state === 'failed' && challengedAt !== null);

export function tooManyCardAttempts(attempts: readonly CardAttempt[], now: number): boolean {
  const recent = attempts.filter(
    (one) => countsAsCardAttempt(one) && now - one.openedAt < attemptWindowMs,
  );
  return recent.length >= maxAttemptsPerHour;
}

export const bucketMs = 10_000;

/** Number of ten-second intervals since 1970. */
export const limitBucket = (at: number): number => Math.floor(at / bucketMs);

/** The first bucket that counts: the window is up to one bucket longer than `surge.windowMs`. */
export const firstBucket = (now: number): number => limitBucket(now - surge.windowMs);
