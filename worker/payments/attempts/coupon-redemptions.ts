import type { SyncKvStorage } from '@cloudflare/workers-types';
import { releaseRedemption, reserveRedemption } from '../../catalog/coupon-redemption-table.ts';
import type { Discount } from '../../catalog/rules/coupons.ts';
import { withBindingTimeouts } from '../../platform/binding-timeouts.ts';
import { hourMs } from '../../platform/durations.ts';
import type { Env } from '../../platform/env.ts';
import { type Refused, refused } from '../../platform/errors.ts';
import { logger, reasonOf } from '../../platform/log.ts';
import type { AttemptId } from '../../platform/types.ts';
import { isFinal } from '../purchase/attempt.ts';
import type { Attempt } from '../purchase/state.ts';

const log = logger();
const prefix = 'redemption:';
const retryDelayMs = hourMs;

export class CouponRedemptions {
  readonly #kv: SyncKvStorage;
  readonly #env: Env;

  constructor(kv: SyncKvStorage, env: Env) {
    this.#kv = kv;
    this.#env = env;
  }

  async redeem(attempt: AttemptId, coupon: Discount | null): Promise<Refused | null> {
    if (coupon?.limit === undefined) return null;
    const redemption = { coupon: coupon.code, attempt };
    // Stored before it is reserved, so that an unused redemption is found and released.
    this.#kv.put(`${prefix}${attempt}:${coupon.code}`, redemption);
    try {
      const isReserved = await reserveRedemption(
        withBindingTimeouts(this.#env).DB,
        redemption,
        coupon.limit,
        Date.now(),
      );
      return isReserved ? null : refused('coupon_used_up');
    } catch (error) {
      const reason = reasonOf(error);
      log('error', 'binding_unavailable', { binding: 'DB', reason });
      return refused('unavailable');
    }
  }

  /** Releases the redemptions of attempts without a purchase. @returns when to run again, or null; ms since 1970 */
  async releaseUnused(
    attemptOf: (id: AttemptId) => Attempt | undefined,
    next: AttemptId,
  ): Promise<number | null> {
    let runAgainAt: number | null = null;
    const stored = this.#kv.list<{ coupon: string; attempt: AttemptId }>({ prefix });
    for (const [key, redemption] of [...stored]) {
      const attempt = attemptOf(redemption.attempt);
      if (attempt && !isFinal(attempt.state)) continue;
      const isUsed = attempt?.state === 'active' && attempt.coupon === redemption.coupon;
      if (isUsed || (redemption.attempt !== next && (await this.#release(redemption)))) {
        this.#kv.delete(key);
      } else runAgainAt = Date.now() + retryDelayMs;
    }
    return runAgainAt;
  }

  #release(redemption: { coupon: string; attempt: AttemptId }): Promise<boolean> {
    return releaseRedemption(withBindingTimeouts(this.#env).DB, redemption).then(
      () => true,
      () => false,
    );
  }
}
