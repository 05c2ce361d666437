import type { D1Database } from '@cloudflare/workers-types';
import type { AttemptId } from '../platform/types.ts';

interface Redemption {
  coupon: string;
  attempt: AttemptId;
}

/** Idempotent. One statement counts and inserts, so two attempts cannot both take the last redemption. */
export async function reserveRedemption(
  db: D1Database,
  { coupon, attempt }: Redemption,
  limit: number,
  now: number,
): Promise<boolean> {
  const { results } = await db
    .prepare(
      `INSERT INTO coupon_redemptions (coupon, attempt_id, redeemed_at)
       SELECT ?1, ?2, ?3
         WHERE (SELECT COUNT(*) FROM coupon_redemptions
                WHERE coupon = ?1 AND attempt_id <> ?2) < ?4
       ON CONFLICT (coupon, attempt_id) DO UPDATE SET redeemed_at = redeemed_at
       RETURNING attempt_id`,
    )
    .bind(coupon, attempt, now, limit)
    .all();
  return results.length > 0;
}

export async function releaseRedemption(
  db: D1Database,
  { coupon, attempt }: Redemption,
): Promise<void> {
  await db
    .prepare('DELETE FROM coupon_redemptions WHERE coupon = ? AND attempt_id = ?')
    .bind(coupon, attempt)
    .run();
}

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

/** The single-use codes of a coupon that an attempt holds or has used: since when, ms since 1970. */
export async function redeemedCodes(db: D1Database, coupon: string): Promise<Map<string, number>> {
  const { results } = await db
    .prepare(
      `SELECT coupon, redeemed_at AS at FROM coupon_redemptions
       WHERE coupon BETWEEN ?1 || '.' AND ?1 || '.Z'`,
    )
    .bind(coupon)
    .all<{ coupon: string; at: number }>();
  return new Map(results.map((row) => [row.coupon, row.at]));
}
