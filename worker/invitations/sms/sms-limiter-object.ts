import { DurableObject } from 'cloudflare:workers';
import type { Env } from '../../env.ts';
import type { ErrorCode } from '../../errors.ts';
import { logger } from '../../log.ts';
import { countsOf, type SmsRequest } from '../rules/sms-limits.ts';
import { limitsIn } from './sms-countries.ts';

const log = logger();
const day = 24 * 60 * 60_000;

/**
 * Counts what goes out, and knows whose invitations are on hold. There is one of it, so that its
 * counts are exact however many ask at once.
 */
export class SmsLimiter extends DurableObject<Env> {
  /** Counts a text, or says why it must not go out; then nothing is counted. */
  take(wanted: SmsRequest): ErrorCode | null {
    const { kv } = this.ctx.storage;
    if (wanted.account !== null && this.isHeld(wanted.account)) return 'invitations_paused';
    this.#turnPage(Math.floor(Date.now() / day));
    const counts = countsOf(wanted, limitsIn(this.env, log)).map((count) => ({
      ...count,
      next: (kv.get<number>(`count:${count.name}`) ?? 0) + count.by,
    }));
    const full = counts.find(({ next, limit, by }) => by > 0 && next > limit);
    if (full) return full.refusal;
    for (const { name, next } of counts) kv.put(`count:${name}`, next);
    return null;
  }

  /** Counts less by an invitation that came to nothing, if it is still of this day. */
  giveBack(wanted: SmsRequest): void {
    const { kv } = this.ctx.storage;
    for (const { name, by } of countsOf(wanted, limitsIn(this.env, log))) {
      const counted = kv.get<number>(`count:${name}`);
      if (counted !== undefined) kv.put(`count:${name}`, Math.max(0, counted - by));
    }
  }

  /** Takes no more of an account's invitations, until an operator has looked. */
  hold(account: string): void {
    this.ctx.storage.kv.put(`hold:${account}`, Date.now());
  }

  /** Ends a hold. @returns false when there was none */
  release(account: string): boolean {
    return this.ctx.storage.kv.delete(`hold:${account}`);
  }

  isHeld(account: string): boolean {
    return this.ctx.storage.kv.get(`hold:${account}`) !== undefined;
  }

  /** A new day, in UTC, counts from nothing. */
  #turnPage(today: number): void {
    const { kv } = this.ctx.storage;
    if (kv.get<number>('day') === today) return;
    for (const [name] of [...kv.list({ prefix: 'count:' })]) kv.delete(name);
    kv.put('day', today);
  }
}

/** The one object that counts. */
export const smsLimiterOf = (env: Env) => env.SMS_LIMITER.getByName('all');
