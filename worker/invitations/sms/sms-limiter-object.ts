import { DurableObject } from 'cloudflare:workers';
import { withBindingTimeouts } from '../../platform/binding-timeouts.ts';
import type { Env } from '../../platform/env.ts';
import { type Refused, refused } from '../../platform/errors.ts';
import { limiterShardOf } from '../../platform/limiter-shards.ts';
import { logger } from '../../platform/log.ts';
import type { AccountId } from '../../platform/types.ts';
import {
  budgetCounters,
  type Need,
  numberCounters,
  requesterCounters,
  type SmsRequest,
} from '../rules/sms-limits.ts';
import { resetDaily } from './daily-counters.ts';
import { smsLimits } from './sms-countries.ts';

const log = logger();

type Counters = ReturnType<typeof budgetCounters>;

/** Counts the SMS of some requesters and numbers exactly, and reserves a share of the day's budget. */
export class SmsLimiter extends DurableObject<Env> {
  #pendingReserve: Promise<Refused | null> | null = null;

  /** @returns the refusal, without counting; null when counted */
  reserveForRequester(request: SmsRequest): Refused | null {
    const { account, isFollowUp } = request;
    if (account !== null && !isFollowUp && this.isSuspended(account))
      return refused('invitations_paused');
    return this.#raise(requesterCounters(request, smsLimits(this.env, log)));
  }

  async reserveForNumber(request: SmsRequest): Promise<Refused | null> {
    const limits = smsLimits(this.env, log);
    const refusal = this.#raise(numberCounters(request, limits));
    if (refusal) return refusal;
    const noBudget = await this.#takeFromBudget(budgetCounters(request, limits)).catch(
      (error: unknown) => {
        this.#lower(numberCounters(request, limits));
        throw error;
      },
    );
    if (noBudget) this.#lower(numberCounters(request, limits));
    return noBudget;
  }

  cancelForRequester(request: SmsRequest): void {
    this.#lower(requesterCounters(request, smsLimits(this.env, log)));
  }

  /** The reserved budget stays with this object for its next SMS. */
  cancelForNumber(request: SmsRequest): void {
    const limits = smsLimits(this.env, log);
    if (this.#lower(numberCounters(request, limits)))
      this.#addToShare(budgetCounters(request, limits).map(({ name, by }) => [name, by]));
  }

  /**
   * Refuses invitations until an operator ends the suspension.
   * @param requester an account, or the hash of a mailbox or browser
   * @param others the hashes suspended with an account, or the accounts suspended with a hash
   */
  suspend(requester: string, others: readonly string[] = []): void {
    const before = this.suspendedWith(requester) ?? [];
    this.ctx.storage.kv.put(`suspended:${requester}`, [...new Set([...before, ...others])]);
  }

  /** @returns the others of `suspend`; null when it is not suspended */
  suspendedWith(requester: string): string[] | null {
    const stored = this.ctx.storage.kv.get<string[] | number>(`suspended:${requester}`);
    if (stored === undefined) return null;
    // An older build stored the time.
    return Array.isArray(stored) ? stored : [];
  }

  endSuspension(requester: string): void {
    this.ctx.storage.kv.delete(`suspended:${requester}`);
  }

  /** The hash stays suspended with any other account. */
  releaseIdentity(identity: string, account: string): void {
    const others = (this.suspendedWith(identity) ?? []).filter((each) => each !== account);
    this.endSuspension(identity);
    if (others.length > 0) this.suspend(identity, others);
  }

  isSuspended(requester: string): boolean {
    return this.suspendedWith(requester) !== null;
  }

  #countOf(name: string): number {
    return this.ctx.storage.kv.get<number>(`count:${name}`) ?? 0;
  }

  #raise(counters: Counters): Refused | null {
    resetDaily(this.ctx.storage.kv, Date.now());
    const full = counters.find(({ name, by, limit }) => this.#countOf(name) + by > limit);
    if (full) return refused(full.refusal);
    for (const { name, by } of counters)
      this.ctx.storage.kv.put(`count:${name}`, this.#countOf(name) + by);
    return null;
  }

  /** @returns false when the request was not counted today */
  #lower(counters: Counters): boolean {
    resetDaily(this.ctx.storage.kv, Date.now());
    const counted = counters.filter(({ name }) => this.#countOf(name) > 0);
    for (const { name, by } of counted)
      this.ctx.storage.kv.put(`count:${name}`, this.#countOf(name) - by);
    return counted.length > 0;
  }

  async #takeFromBudget(counters: Counters): Promise<Refused | null> {
    const missing = () =>
      counters
        .map(({ by, ...one }) => ({ ...one, units: Math.max(0, by - this.#shareOf(one.name)) }))
        .filter(({ units }) => units > 0);
    // One call reserves at a time, and the others share its units, so that few units are reserved unused.
    for (let needs = missing(); needs.length > 0; needs = missing()) {
      if (this.#pendingReserve) {
        await this.#pendingReserve;
        continue;
      }
      this.#pendingReserve = this.#reserveFromBudget(needs).finally(() => {
        this.#pendingReserve = null;
      });
      const refusal = await this.#pendingReserve;
      if (refusal) return refusal;
    }
    this.#addToShare(counters.map(({ name, by }) => [name, -by]));
    return null;
  }

  async #reserveFromBudget(needs: readonly Need[]): Promise<Refused | null> {
    const share = await withBindingTimeouts(this.env).SMS_BUDGET.getByName('all').reserve(needs);
    if (share.kind === 'refused') return share;
    this.#addToShare(Object.entries(share.units));
    return null;
  }

  #shareOf(name: string): number {
    return this.#countOf(`share:${name}`);
  }

  #addToShare(units: readonly (readonly [name: string, units: number])[]): void {
    resetDaily(this.ctx.storage.kv, Date.now());
    for (const [name, more] of units.filter(([, more]) => more !== 0))
      this.ctx.storage.kv.put(`count:share:${name}`, this.#shareOf(name) + more);
  }
}

const limiterOf = (env: Env, counter: string) => env.SMS_LIMITER.getByName(limiterShardOf(counter));

/** The object that counts and suspends a requester: an account, or the hash of a mailbox or browser. */
export const requesterLimiter = (env: Env, requester: string) => limiterOf(env, requester);

/** @returns false when the account was not suspended. @throws when an object is down; the call may be repeated */
export async function endSuspension(env: Env, account: AccountId): Promise<boolean> {
  const limiter = requesterLimiter(env, account);
  const identities = await limiter.suspendedWith(account);
  if (identities === null) return false;
  for (const each of identities) await requesterLimiter(env, each).releaseIdentity(each, account);
  // Last, so that a repeated call still finds the hashes.
  await limiter.endSuspension(account);
  return true;
}

export async function reserveSms(env: Env, request: SmsRequest): Promise<Refused | null> {
  const requester = request.account === null ? null : requesterLimiter(env, request.account);
  const refusal = await requester?.reserveForRequester(request);
  if (refusal) return refusal;
  let isReserved = false;
  try {
    const full = await limiterOf(env, request.prefix).reserveForNumber(request);
    isReserved = full === null;
    return full;
  } finally {
    if (!isReserved) await requester?.cancelForRequester(request);
  }
}

export async function cancelSms(env: Env, request: SmsRequest): Promise<void> {
  await limiterOf(env, request.prefix).cancelForNumber(request);
  if (request.account !== null)
    await requesterLimiter(env, request.account).cancelForRequester(request);
}
