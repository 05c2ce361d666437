import type { D1Database } from '@cloudflare/workers-types';
import { everyAccountDatabase } from '../../platform/account-databases.ts';
import type { Env } from '../../platform/env.ts';
import { replicaOf } from '../../platform/replica.ts';

export interface CouponUsage {
  coupon: string;
  /** Attempts to buy with it, and those that bought. */
  attempts: number;
  bought: number;
}

export async function couponUsage(db: Pick<D1Database, 'prepare'>): Promise<CouponUsage[]> {
  const { results } = await db
    .prepare(
      `SELECT substr(coupon, 1, instr(coupon || '.', '.') - 1) AS coupon, count(*) AS attempts,
         sum(state = 'active') AS bought
       FROM attempts WHERE coupon IS NOT NULL GROUP BY 1`,
    )
    .all<CouponUsage>();
  return results;
}

/** Adds up all databases. */
export async function allCouponUsage(env: Env): Promise<CouponUsage[]> {
  const found = await Promise.all(
    everyAccountDatabase(env).map((db) => couponUsage(replicaOf(db))),
  );
  return [...Map.groupBy(found.flat(), ({ coupon }) => coupon).values()].map((group) =>
    group.reduce((one, other) => ({
      coupon: one.coupon,
      attempts: one.attempts + other.attempts,
      bought: one.bought + other.bought,
    })),
  );
}
