import { createHmac, timingSafeEqual } from 'node:crypto';
import { decodeServedAt } from './checkout-terms-version.ts';
import { marketById } from './markets.ts';
import type { Plan } from './plans.ts';

/**
 * Signs all that a page says of what it shows (`claimsOf` in `terms-shown.ts`): its plans, and all that
 * prices and words depend on. It says nothing of the visitor, and lets the page sell for its 24 hours
 * what it showed, whatever the configuration says by then.
 */
export const offerStamp = (secret: string, claims: string): string =>
  createHmac('sha256', secret).update(`offer|${claims}`).digest('base64url');

/** Whether a page of ours carried a mark. @param secrets those that may have signed it */
export function isValidStamp(secrets: readonly string[], mark: string): boolean {
  const end = mark.lastIndexOf('|');
  const stamp = Buffer.from(mark.slice(end + 1));
  return secrets.some((secret) => {
    const right = Buffer.from(offerStamp(secret, mark.slice(0, Math.max(0, end))));
    return stamp.length === right.length && timingSafeEqual(stamp, right);
  });
}

/** Whether the page of a mark offered a plan, at most 24 hours ago. */
export function didOffer(mark: string, plan: Plan, now: number): boolean {
  const [, , market = '', served = '', , families = ''] = mark.split('|');
  return (
    decodeServedAt(served, now) !== null &&
    marketById(market)?.currency === plan.currency &&
    families.split(',').includes(plan.family)
  );
}
