import { dayMs } from '../../platform/durations.ts';
import type { Card } from '../purchase/card-update.ts';
import { atDaytime } from '../purchase/daytime.ts';
import type { FailedRenewal, FailureStep } from '../purchase/renewal-state.ts';
import type { Attempt, Subscription } from '../purchase/state.ts';
import { stateOf } from '../purchase/subscription.ts';
import { about, type Notice } from './email-notices.ts';

interface FailureFacts extends Pick<FailedRenewal, 'periodEndedAt' | 'amount'> {
  step: FailureStep;
  /** When access ends, ms since 1970; null after a pause. */
  until: number | null;
}

/** Not sent after access has ended. */
export function failureNotice(
  attempt: Attempt,
  { periodEndedAt, amount, step, until }: FailureFacts,
  now: number,
): Notice {
  const data = { ...about(attempt, now), attempt: attempt.id, step, amount, until };
  const id = `renewal_failed:${attempt.id}:${periodEndedAt}:${step}`;
  return { id, template: 'renewal_failed', until, data };
}

type Expiry = Pick<Card, 'month' | 'year'>;
/** A PayPal account has no expiry. */
type Dated<T extends Expiry> = T & { month: number; year: number };

export function cardExpiryNotice(
  attempt: Attempt,
  { brand, last4, year, month }: Dated<Card>,
  now: number,
): Notice {
  const data = {
    ...about(attempt, now),
    attempt: attempt.id,
    card: `${brand} ${last4}`,
    year,
    month,
  };
  const id = `card_expires:${attempt.id}:${year}-${month}`;
  return { id, template: 'card_expires', until: Date.UTC(year, month, 1), data };
}

export function needsCard(
  one: Subscription | undefined,
  why: 'renewal_failed' | 'card_expires',
): boolean {
  if (!one) return false;
  return why === 'renewal_failed' ? one.failure?.outcome === 'open' : stateOf(one) === 'active';
}

/** How long before a card expires its owner is notified. */
const warnBeforeMs = 30 * dayMs;
const firstCheckMs = 7 * dayMs;
/** A bank may replace a card at any time. */
const maxWaitMs = 90 * dayMs;

/** A card works until the end of its month; ms since 1970, infinity for a PayPal account. */
const endOf = ({ month, year }: Expiry): number =>
  month && year ? Date.UTC(year, month, 1) : Number.POSITIVE_INFINITY;

/** Whether a working card is in its last 30 days. */
export const isExpiring = <T extends Expiry>(card: T, now: number): card is Dated<T> =>
  now < endOf(card) && now >= endOf(card) - warnBeforeMs;

/** @param card as read now; undefined before the first reading */
export function nextCardCheck(card: Expiry | undefined, now: number, timeZone: string): number {
  if (!card) return atDaytime(now + firstCheckMs, timeZone);
  const warnAt = endOf(card) - warnBeforeMs;
  // After the e-mail, the next check is for the replacement card.
  const at = warnAt > now ? Math.min(warnAt, now + maxWaitMs) : now + warnBeforeMs;
  return atDaytime(at, timeZone);
}
