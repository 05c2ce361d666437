import type { Card } from './card-update.ts';
import { atDaytime } from './daytime.ts';

const dayMs = 24 * 60 * 60_000;
/** How long before a card expires its owner is told. */
const warnBeforeMs = 30 * dayMs;
const firstCheckMs = 7 * dayMs;
/** A bank may replace a card at any time. */
const maxWaitMs = 90 * dayMs;

type Expiry = Pick<Card, 'month' | 'year'>;

/** A card works until the end of its month; ms since 1970, infinite for a PayPal account. */
const endOf = ({ month, year }: Expiry): number =>
  month && year ? Date.UTC(year, month, 1) : Number.POSITIVE_INFINITY;

/** In the last 30 days of a card that still works. */
export const isExpiring = (card: Expiry, now: number): boolean =>
  now < endOf(card) && now >= endOf(card) - warnBeforeMs;

/** @param card as read now; undefined before the first reading */
export function nextCardCheck(card: Expiry | undefined, now: number, timeZone: string): number {
  if (!card) return atDaytime(now + firstCheckMs, timeZone);
  const warnAt = endOf(card) - warnBeforeMs;
  // After the e-mail the card that replaces it has its turn.
  const at = warnAt > now ? Math.min(warnAt, now + maxWaitMs) : now + warnBeforeMs;
  return atDaytime(at, timeZone);
}
