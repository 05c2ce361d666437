import type { D1Database } from '@cloudflare/workers-types';

export interface CouponUsage {
  coupon: string;
  /** Attempts to buy with it, and those that bought. */
  attempts: number;
  bought: number;
}

export async function couponUsage(db: Pick<D1Database, 'prepare'>): Promise<CouponUsage[]> {
  const { results } = await db
    .prepare(
      `SELECT coupon, count(*) AS attempts, sum(state = 'active') AS bought
       FROM attempts WHERE coupon IS NOT NULL GROUP BY coupon`,
    )
    .all<CouponUsage>();
  return results;
}
