import type { SyncKvStorage } from '@cloudflare/workers-types';
import { returnRedemption, takeRedemption } from '../catalog/coupon-redemption-table.ts';
import type { Discount } from '../catalog/coupons.ts';
import type { Env } from '../env.ts';
import type { ErrorCode } from '../errors.ts';
import { withBindingTimeouts } from '../http/binding-timeouts.ts';
import { logger } from '../log.ts';
import { type Attempt, isFinal } from './rules/attempt.ts';

const log = logger();
const prefix = 'redemption:';
/** How soon what could not be given back is tried again, in ms. */
const pause = 60 * 60_000;

/** What an account's attempts took of coupons that are good for so many purchases only. */
export class CouponRedemptions {
  readonly #kv: SyncKvStorage;
  readonly #env: Env;

  constructor(kv: SyncKvStorage, env: Env) {
    this.#kv = kv;
    this.#env = env;
  }

  /** Takes one for an attempt before it is opened, or says why there is none. */
  async redeem(attempt: string, coupon: Discount | null): Promise<ErrorCode | null> {
    if (coupon?.limit === undefined) return null;
    const redemption = { coupon: coupon.code, attempt };
    // Noted first, so that what is taken and never used is found and given back.
    this.#kv.put(`${prefix}${attempt}:${coupon.code}`, redemption);
    try {
      const taken = await takeRedemption(
        withBindingTimeouts(this.#env).DB,
        redemption,
        coupon.limit,
        Date.now(),
      );
      return taken ? null : 'coupon_used_up';
    } catch (error) {
      log('error', 'unavailable', { key: 'DB', reason: error instanceof Error ? error.name : '' });
      return 'unavailable';
    }
  }

  /**
   * Gives back what bought nothing.
   *
   * @param next id of the attempt that is about to be opened
   * @returns when to do so again, ms since 1970; null when nothing is left to give back
   */
  async releaseUnused(
    attemptOf: (id: string) => Attempt | undefined,
    next: string,
  ): Promise<number | null> {
    let again: number | null = null;
    const kept = this.#kv.list<{ coupon: string; attempt: string }>({ prefix });
    for (const [key, redemption] of [...kept]) {
      const attempt = attemptOf(redemption.attempt);
      if (attempt && !isFinal(attempt.state)) continue;
      const used = attempt?.state === 'active' && attempt.coupon === redemption.coupon;
      if (used || (redemption.attempt !== next && (await this.#giveBack(redemption)))) {
        this.#kv.delete(key);
      } else again = Date.now() + pause;
    }
    return again;
  }

  #giveBack(redemption: { coupon: string; attempt: string }): Promise<boolean> {
    return returnRedemption(withBindingTimeouts(this.#env).DB, redemption).then(
      () => true,
      () => false,
    );
  }
}
