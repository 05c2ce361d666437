import type { SyncKvStorage } from '@cloudflare/workers-types';
import type { Env } from '../../platform/env.ts';
import type { Refused } from '../../platform/errors.ts';
import { logger, reasonOf } from '../../platform/log.ts';
import { type AttemptId, attemptIdOf, type PaymentId } from '../../platform/types.ts';
import { withTimeout } from '../../platform/with-timeout.ts';
import { isFinal } from '../purchase/attempt.ts';
import type { Attempt } from '../purchase/state.ts';
import { type CardAttemptResult, cardLimiter } from './card-limiter-object.ts';
import { attemptWindowMs, type CardAttempt, countsAsCardAttempt } from './rules/card-limits.ts';

const log = logger();

const timeoutMs = 1000;

/** Of one attempt; more than the hourly limits. */
const maxFailures = 50;

/** Cards tried on a challenged payment, by attempt. */
export const failedCardPrefix = 'failed-card:';

type Counted = Pick<Attempt, 'state' | 'challengedAt'>;

function resultOf(attempt: Counted): CardAttemptResult {
  if (attempt.state === 'active') return 'paid';
  if (attempt.state === 'declined') return 'declined';
  return countsAsCardAttempt(attempt) ? 'unpaid' : 'undecided';
}

/** A saved card is not counted by visitor and IP; the account's own limit holds for it. */
export const counterNamesOf = ({
  nonce,
  cardCounterNames: payer,
}: {
  nonce: string | null;
  cardCounterNames: readonly string[];
}): readonly string[] => (nonce === null ? [] : payer);

export interface FailedPayment {
  payment: PaymentId;
  /** The id of the gateway's event. */
  event: string;
}

export class CardAttemptCounter {
  readonly #kv: SyncKvStorage;
  readonly #env: Env;

  constructor(kv: SyncKvStorage, env: Env) {
    this.#kv = kv;
    this.#env = env;
  }

  async count(id: string, names: readonly string[]): Promise<Refused | null> {
    if (names.length === 0) return null;
    return (await this.#callLimiter((limiter) => limiter.countAttempt(id, names))) ?? null;
  }

  markCounted(id: string, names: readonly string[]): void {
    if (names.length > 0) this.#kv.put(`card-attempt:${id}`, names);
  }

  /** Payments that failed after their challenge. */
  async countFailures(
    failed: readonly FailedPayment[],
    attempts: readonly Attempt[],
    now: number,
  ): Promise<void> {
    for (const { payment, event } of failed) {
      const challenged = attempts.find(
        ({ paymentId, challengedAt }) => paymentId === payment && challengedAt !== null,
      );
      if (challenged) await this.countFailure(challenged, event, now);
    }
  }

  /**
   * A payment that failed after its challenge. The first failure is the attempt's own; with each later one somebody who
   * has the challenge's secret tried another card. Idempotent by the gateway's event.
   */
  async countFailure({ id }: Pick<Attempt, 'id'>, event: string, now: number): Promise<void> {
    const known = this.#kv.get<string[]>(`failures:${id}`) ?? [];
    if (known.includes(event) || known.length === maxFailures) return;
    this.#kv.put(`failures:${id}`, [...known, event]);
    if (known.length === 0) return;
    for (const [key, { openedAt }] of [...this.#kv.list<CardAttempt>({ prefix: failedCardPrefix })])
      if (now - openedAt > attemptWindowMs) this.#kv.delete(key);
    const failed = { state: 'declined', openedAt: now, challengedAt: now } as const;
    this.#kv.put(`${failedCardPrefix}${id}:${known.length}`, failed);
    const names = this.#kv.get<string[]>(`card-attempt:${id}`) ?? [];
    await this.count(`${id}:${known.length}`, names);
  }

  async reportResults(attemptOf: (id: AttemptId) => Counted | undefined): Promise<void> {
    for (const [key] of [...this.#kv.list({ prefix: 'card-attempt:' })]) {
      const id = attemptIdOf(key.slice('card-attempt:'.length));
      const attempt = attemptOf(id);
      if (attempt && !isFinal(attempt.state)) continue;
      const result = attempt ? resultOf(attempt) : 'undecided';
      const isReported = await this.#callLimiter(async (limiter) => {
        await limiter.recordResult(id, result);
        return true;
      });
      if (isReported) this.#kv.delete(key);
    }
  }

  /** @returns undefined when the limiter does not answer */
  async #callLimiter<T>(
    call: (limiter: ReturnType<typeof cardLimiter>) => Promise<T>,
  ): Promise<T | undefined> {
    try {
      return await withTimeout(call(cardLimiter(this.#env)), timeoutMs);
    } catch (error) {
      log('error', 'card_limiter_timeout', { reason: reasonOf(error) });
      return undefined;
    }
  }
}
