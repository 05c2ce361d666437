import type { D1Database } from '@cloudflare/workers-types';

interface Redemption {
  coupon: string;
  attempt: string;
}

/**
 * Takes one of a coupon's redemptions for an attempt, once however often it is asked. It is counted
 * and taken in one statement, so that no two take the last one.
 *
 * @param limit how many there may be of the coupon
 * @returns false when none is left
 */
export async function takeRedemption(
  db: D1Database,
  { coupon, attempt }: Redemption,
  limit: number,
  now: number,
): Promise<boolean> {
  const { results } = await db
    .prepare(
      `INSERT INTO coupon_redemptions (coupon, attempt, at)
       SELECT ?1, ?2, ?3
         WHERE (SELECT COUNT(*) FROM coupon_redemptions WHERE coupon = ?1 AND attempt <> ?2) < ?4
       ON CONFLICT (coupon, attempt) DO UPDATE SET at = at
       RETURNING attempt`,
    )
    .bind(coupon, attempt, now, limit)
    .all();
  return results.length > 0;
}

/** Gives back what an attempt took, if it did. */
export async function returnRedemption(
  db: D1Database,
  { coupon, attempt }: Redemption,
): Promise<void> {
  await db
    .prepare('DELETE FROM coupon_redemptions WHERE coupon = ? AND attempt = ?')
    .bind(coupon, attempt)
    .run();
}

/** Whether a coupon can be redeemed once more. */
export async function hasRedemptionLeft(
  db: D1Database,
  coupon: string,
  limit: number,
): Promise<boolean> {
  const counted = await db
    .prepare('SELECT COUNT(*) AS n FROM coupon_redemptions WHERE coupon = ?')
    .bind(coupon)
    .first<{ n: number }>();
  return (counted?.n ?? 0) < limit;
}
