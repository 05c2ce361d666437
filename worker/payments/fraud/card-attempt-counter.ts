import type { SyncKvStorage } from '@cloudflare/workers-types';
import type { Env } from '../../env.ts';
import type { ErrorCode } from '../../errors.ts';
import { logger } from '../../log.ts';
import type { Purchase } from '../purchase-request.ts';
import { type Attempt, isFinal } from '../rules/attempt.ts';
import { countsAsCardAttempt } from '../rules/card-limits.ts';
import { type CardAttemptResult, cardLimiterOf } from './card-limiter-object.ts';

const log = logger();

/** How long the counter may take, in ms. */
const limit = 1000;

function resultOf(attempt: Attempt): CardAttemptResult {
  if (attempt.state === 'active') return 'paid';
  if (attempt.state === 'declined') return 'declined';
  return countsAsCardAttempt(attempt) ? 'unpaid' : 'undecided';
}

/**
 * Under which names a purchase counts as a try. A saved card is no new one to try; the account's own
 * limit holds for it.
 */
export const counterNamesOf = ({ nonce, cardCounterNames: payer }: Purchase): readonly string[] =>
  nonce === null ? [] : payer;

/** What an account's object tells the counter of cards: a try before it is made, and what came of it. */
export class CardAttemptCounter {
  readonly #kv: SyncKvStorage;
  readonly #env: Env;

  constructor(kv: SyncKvStorage, env: Env) {
    this.#kv = kv;
    this.#env = env;
  }

  /** Counts a try, once for an id, or says why not. Without an answer the account's own limit holds. */
  async count(id: string, names: readonly string[]): Promise<ErrorCode | null> {
    return (await this.#asked(() => cardLimiterOf(this.#env).countAttempt(id, names))) ?? null;
  }

  /** Notes that an attempt is one that was counted, in one go with the attempt itself. */
  markCounted(id: string): void {
    this.#kv.put(`try:${id}`, true);
  }

  /** Tells what came of the tries that are over; those that can not be told are told the next time. */
  async reportResults(attemptOf: (id: string) => Attempt | undefined): Promise<void> {
    for (const [key] of [...this.#kv.list({ prefix: 'try:' })]) {
      const attempt = attemptOf(key.slice('try:'.length));
      if (!attempt || !isFinal(attempt.state)) continue;
      const told = await this.#asked(async () => {
        await cardLimiterOf(this.#env).recordResult(attempt.id, resultOf(attempt));
        return true;
      });
      if (told) this.#kv.delete(key);
    }
  }

  /** Undefined where there was no answer in time. */
  async #asked<T>(call: () => Promise<T>): Promise<T | undefined> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new DOMException('', 'TimeoutError')), limit);
    });
    try {
      return await Promise.race([call(), late]);
    } catch (error) {
      log('error', 'card_limiter_timeout', { reason: error instanceof Error ? error.name : '' });
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }
}
