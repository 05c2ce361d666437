import type { SyncKvStorage } from '@cloudflare/workers-types';
import type { Env } from '../../env.ts';
import type { ErrorCode } from '../../errors.ts';
import { logger } from '../../log.ts';
import type { Purchase } from '../purchase-request.ts';
import { type Attempt, isFinal } from '../rules/attempt.ts';
import { countsAsCardAttempt } from '../rules/card-limits.ts';
import { type CardAttemptResult, cardLimiterOf } from './card-limiter-object.ts';

const log = logger();

const timeoutMs = 1000;

function resultOf(attempt: Attempt): CardAttemptResult {
  if (attempt.state === 'active') return 'paid';
  if (attempt.state === 'declined') return 'declined';
  return countsAsCardAttempt(attempt) ? 'unpaid' : 'undecided';
}

/** A saved card is not counted by visitor and IP; the account's own limit holds for it. */
export const counterNamesOf = ({
  nonce,
  cardCounterNames: payer,
}: Pick<Purchase, 'nonce' | 'cardCounterNames'>): readonly string[] =>
  nonce === null ? [] : payer;

export class CardAttemptCounter {
  readonly #kv: SyncKvStorage;
  readonly #env: Env;

  constructor(kv: SyncKvStorage, env: Env) {
    this.#kv = kv;
    this.#env = env;
  }

  async count(id: string, names: readonly string[]): Promise<ErrorCode | null> {
    return (
      (await this.#callLimiter(() => cardLimiterOf(this.#env).countAttempt(id, names))) ?? null
    );
  }

  markCounted(id: string): void {
    this.#kv.put(`card-attempt:${id}`, true);
  }

  async reportResults(attemptOf: (id: string) => Attempt | undefined): Promise<void> {
    for (const [key] of [...this.#kv.list({ prefix: 'card-attempt:' })]) {
      const attempt = attemptOf(key.slice('card-attempt:'.length));
      if (!attempt || !isFinal(attempt.state)) continue;
      const isReported = await this.#callLimiter(async () => {
        await cardLimiterOf(this.#env).recordResult(attempt.id, resultOf(attempt));
        return true;
      });
      if (isReported) this.#kv.delete(key);
    }
  }

  async #callLimiter<T>(call: () => Promise<T>): Promise<T | undefined> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new DOMException('', 'TimeoutError')), timeoutMs);
    });
    try {
      return await Promise.race([call(), timeout]);
    } catch (error) {
      log('error', 'card_limiter_timeout', { reason: error instanceof Error ? error.name : '' });
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }
}
