import { createHmac, timingSafeEqual } from 'node:crypto';
import { servedOf } from './checkout-terms-version.ts';
import { marketById } from './markets.ts';
import type { Plan } from './plans.ts';

/**
 * Signs what a page offers: families, market, and when it was served. It says nothing of the visitor,
 * and lets the page sell for its 24 hours what it showed, whatever the configuration says by then.
 *
 * @param families as the page's mark lists them, by comma
 * @param served as the mark tells it
 */
export const offerStamp = (
  secret: string,
  market: string,
  served: string,
  families: string,
): string =>
  createHmac('sha256', secret).update(`offer|${market}|${served}|${families}`).digest('base64url');

/** Whether a page of ours that is at most 24 hours old offered a plan, by the mark that it carried. */
export function isValidStamp(secret: string, mark: string, plan: Plan, now: number): boolean {
  const [, , market = '', served = '', , families = '', told = ''] = mark.split('|');
  const right = Buffer.from(offerStamp(secret, market, served, families));
  const stamp = Buffer.from(told);
  return (
    stamp.length === right.length &&
    timingSafeEqual(stamp, right) &&
    servedOf(served, now) !== null &&
    marketById(market)?.currency === plan.currency &&
    families.split(',').includes(plan.family)
  );
}
