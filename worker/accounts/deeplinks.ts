import type { D1Database } from '@cloudflare/workers-types';
import { createCode, type Redeemed, redeemCode } from './one-time-codes.ts';

/** How long a code into the app lives, in ms. */
export const appCodeLifetimeMs = 24 * 60 * 60 * 1000;

/**
 * A code that logs the account in once within 24 hours, in the app.
 *
 * @param now ms
 */
export function createAppCode(
  db: D1Database,
  { account, epoch }: { account: string; epoch: number },
  now: number,
): Promise<string> {
  return createCode(db, { account, epoch, purpose: 'app', lives: appCodeLifetimeMs }, now);
}

/**
 * Uses a code up. Of two that come at the same moment one gets the account.
 *
 * @param now ms
 */
export function redeemAppCode(db: D1Database, code: string, now: number): Promise<Redeemed> {
  return redeemCode(db, code, 'app', now);
}
