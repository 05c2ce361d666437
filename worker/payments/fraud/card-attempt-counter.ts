import type { SyncKvStorage } from '@cloudflare/workers-types';
import type { Env } from '../../platform/env.ts';
import type { Refused } from '../../platform/errors.ts';
import { logger, reasonOf } from '../../platform/log.ts';
import type { PaymentId } from '../../platform/types.ts';
import { withTimeout } from '../../platform/with-timeout.ts';
import { isFinal } from '../purchase/attempt.ts';
import type { Attempt } from '../purchase/state.ts';
import { cardLimiterOf } from './card-limiter-object.ts';
import { attemptWindowMs, type CardAttempt, countsAsCardAttempt } from './rules/card-limits.ts';

const log = logger();

const timeoutMs = 1000;

/** Of one attempt; more than the hourly limits. */
const maxFailures = 50;

/** Cards tried on a challenged payment, by attempt. */
export const failedCardPrefix = 'failed-card:';

/** `undecided`: the card never reached a bank. */
type CardAttemptResult = 'paid' | 'declined' | 'unpaid' | 'undecided';

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

  /**
   * Each name is counted by its own limiter. If one refuses, none counts.
   * @param retire reserves a refused id so that no later attempt uses it; false when one has it already. A
   * concurrent request counts under the same id, which then would no longer be counted for it.
   */
  async count(
    id: string,
    names: readonly string[],
    retire: () => boolean,
  ): Promise<Refused | null> {
    const refusals = await Promise.all(
      names.map((name) =>
        this.#callLimiter(() => cardLimiterOf(this.#env, name).countAttempt(id, name)),
      ),
    );
    const refusal = refusals.find(Boolean);
    if (!refusal || !retire()) return refusal ?? null;
    const counted = names.filter((_, at) => !refusals[at]);
    // A release that fails now is repeated with the next report, because no attempt gets this id.
    if (!(await this.#report(id, counted, 'undecided'))) this.markCounted(id, counted);
    return refusal;
  }

  markCounted(id: string, names: readonly string[]): void {
    if (names.length > 0) this.#kv.put(`card-attempt:${id}`, names);
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
    await this.count(`${id}:${known.length}`, names, () => true);
  }

  async reportResults(attemptOf: (id: string) => Counted | undefined): Promise<void> {
    for (const [key, names] of [...this.#kv.list<string[]>({ prefix: 'card-attempt:' })]) {
      const id = key.slice('card-attempt:'.length);
      const attempt = attemptOf(id);
      if (attempt && !isFinal(attempt.state)) continue;
      const result = attempt ? resultOf(attempt) : 'undecided';
      if (await this.#report(id, names, result)) this.#kv.delete(key);
    }
  }

  /** @returns false when a limiter did not respond */
  async #report(id: string, names: readonly string[], result: CardAttemptResult): Promise<boolean> {
    const calls: (() => Promise<void>)[] = [];
    if (result === 'paid' || result === 'undecided')
      calls.push(
        ...names.map((name) => () => cardLimiterOf(this.#env, name).releaseAttempt(id, name)),
      );
    if (result === 'paid' || result === 'declined')
      calls.push(() => cardLimiterOf(this.#env, id).recordDecision(id, result === 'declined'));
    const answers = await Promise.all(
      calls.map((call) => this.#callLimiter(() => call().then(() => true))),
    );
    return answers.every(Boolean);
  }

  async #callLimiter<T>(call: () => Promise<T>): Promise<T | undefined> {
    try {
      return await withTimeout(call(), timeoutMs);
    } catch (error) {
      log('error', 'card_limiter_timeout', { reason: reasonOf(error) });
      return undefined;
    }
  }
}
