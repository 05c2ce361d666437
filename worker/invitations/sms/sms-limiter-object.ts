import { DurableObject } from 'cloudflare:workers';
import murmurhash from 'murmurhash';
import type { Env } from '../../platform/env.ts';
import { type Refused, refused } from '../../platform/errors.ts';
import { logger } from '../../platform/log.ts';
import type { AccountId } from '../../platform/types.ts';
import {
  budgetCounters,
  type Counter,
  numberCounters,
  requesterCounters,
  type SmsRequest,
} from '../rules/sms-limits.ts';
import { resetDaily } from './daily-counters.ts';
import { smsLimits } from './sms-countries.ts';

const log = logger();

/** One object counts all SMS of a day (UTC); sixteen others each know the suspensions of some requesters. */
export class SmsLimiter extends DurableObject<Env> {
  constructor(...started: ConstructorParameters<typeof DurableObject<Env>>) {
    super(...started);
    // The sixteen also counted once, and nothing else deletes those counts.
    resetDaily(this.ctx.storage.kv, Date.now());
  }

  /** @returns the refusal, without counting; null when counted */
  reserve(request: SmsRequest): Refused | null {
    resetDaily(this.ctx.storage.kv, Date.now());
    const limits = smsLimits(this.env, log);
    const counters = [
      ...requesterCounters(request, limits),
      ...numberCounters(request, limits),
      ...budgetCounters(request, limits),
    ];
    const full = counters.find(({ name, by, limit }) => by > 0 && this.#countOf(name) + by > limit);
    if (full) return refused(full.refusal);
    for (const { name, by } of counters)
      this.ctx.storage.kv.put(`count:${name}`, this.#countOf(name) + by);
    return null;
  }

  cancel(request: SmsRequest): void {
    resetDaily(this.ctx.storage.kv, Date.now());
    const limits = smsLimits(this.env, log);
    this.#lower(requesterCounters(request, limits));
    if (this.#lower(numberCounters(request, limits))) this.#lower(budgetCounters(request, limits));
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

  /** @returns whether one was above zero */
  #lower(counters: readonly Counter[]): boolean {
    const counted = counters.filter(({ name }) => this.#countOf(name) > 0);
    for (const { name, by } of counted)
      this.ctx.storage.kv.put(`count:${name}`, this.#countOf(name) - by);
    return counted.length > 0;
  }
}

/** Suspensions are permanent, so this number must not change. */
const suspensionObjects = 16;

/** The object that knows whether a requester is suspended: an account, or the hash of a mailbox or browser. */
export const suspensionsOf = (env: Env, requester: string) =>
  env.SMS_LIMITER.getByName(`${murmurhash.v3(requester) % suspensionObjects}`);

const dailyLimiter = (env: Env) => env.SMS_LIMITER.getByName('all');

/** Names the browsers that are suspended for what they asked under an account, without the account. */
const browsersOf = (account: AccountId) => `browsers:${account}`;

/** Suspends a browser, and not the account under which it asked before another browser proved the mailbox. */
export async function suspendBrowser(env: Env, account: AccountId, browser: string): Promise<void> {
  const browsers = browsersOf(account);
  await suspensionsOf(env, browsers).suspend(browsers, [browser]);
  await suspensionsOf(env, browser).suspend(browser, [account]);
}

/**
 * Also of browsers that are suspended without the account.
 * @returns false when nothing was suspended. @throws when an object is down; the call may be repeated
 */
export async function endSuspension(env: Env, account: AccountId): Promise<boolean> {
  let wasSuspended = false;
  for (const requester of [account, browsersOf(account)]) {
    const suspensions = suspensionsOf(env, requester);
    const identities = await suspensions.suspendedWith(requester);
    if (identities === null) continue;
    for (const each of identities) await suspensionsOf(env, each).releaseIdentity(each, account);
    // Last, so that a repeated call still finds the hashes.
    await suspensions.endSuspension(requester);
    wasSuspended = true;
  }
  return wasSuspended;
}

export async function reserveSms(env: Env, request: SmsRequest): Promise<Refused | null> {
  const { account, isFollowUp } = request;
  const isInvitation = account !== null && !isFollowUp;
  if (isInvitation && (await suspensionsOf(env, account).isSuspended(account)))
    return refused('invitations_paused');
  return dailyLimiter(env).reserve(request);
}

export async function cancelSms(env: Env, request: SmsRequest): Promise<void> {
  await dailyLimiter(env).cancel(request);
}
