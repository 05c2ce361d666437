import { DurableObject } from 'cloudflare:workers';
import type { Env } from '../../env.ts';
import type { ErrorCode } from '../../errors.ts';
import { logger } from '../../log.ts';
import type { AccountId } from '../../types.ts';
import { countersFor, type SmsRequest } from '../rules/sms-limits.ts';
import { smsLimits } from './sms-countries.ts';

const log = logger();
const day = 24 * 60 * 60_000;

export class SmsLimiter extends DurableObject<Env> {
  /** @returns the refusal, and then counts nothing; null when counted */
  reserve(request: SmsRequest): ErrorCode | null {
    const { kv } = this.ctx.storage;
    if (request.account !== null && this.isSuspended(request.account)) return 'invitations_paused';
    this.#resetDaily(Math.floor(Date.now() / day));
    const counters = countersFor(request, smsLimits(this.env, log)).map((counter) => ({
      ...counter,
      next: (kv.get<number>(`count:${counter.name}`) ?? 0) + counter.by,
    }));
    const full = counters.find(({ next, limit, by }) => by > 0 && next > limit);
    if (full) return full.refusal;
    for (const { name, next } of counters) kv.put(`count:${name}`, next);
    return null;
  }

  cancelReservation(request: SmsRequest): void {
    const { kv } = this.ctx.storage;
    for (const { name, by } of countersFor(request, smsLimits(this.env, log))) {
      const counted = kv.get<number>(`count:${name}`);
      if (counted !== undefined) kv.put(`count:${name}`, Math.max(0, counted - by));
    }
  }

  /** Refuses an account's invitations until an operator ends the suspension. */
  suspend(account: AccountId): void {
    this.ctx.storage.kv.put(`suspended:${account}`, Date.now());
  }

  /** @returns false when the account was not suspended */
  endSuspension(account: AccountId): boolean {
    return this.ctx.storage.kv.delete(`suspended:${account}`);
  }

  isSuspended(account: AccountId): boolean {
    return this.ctx.storage.kv.get(`suspended:${account}`) !== undefined;
  }

  #resetDaily(today: number): void {
    const { kv } = this.ctx.storage;
    if (kv.get<number>('day') === today) return;
    for (const [name] of [...kv.list({ prefix: 'count:' })]) kv.delete(name);
    kv.put('day', today);
  }
}

export const smsLimiter = (env: Env) => env.SMS_LIMITER.getByName('all');
