import { DurableObject } from 'cloudflare:workers';
import type { SqlStorage } from '@cloudflare/workers-types';
import type { Env } from '../../env.ts';
import type { ErrorCode } from '../../errors.ts';
import { logger } from '../../log.ts';
import { attemptRefusal, attemptWindowMs, isSurge, surge } from '../rules/card-limits.ts';

/** What came of a try. `undecided`: no bank ever looked at the card. */
export type CardAttemptResult = 'paid' | 'declined' | 'unpaid' | 'undecided';

const log = logger();

const tables = `
  CREATE TABLE IF NOT EXISTS tries (id TEXT, name TEXT, at INTEGER, PRIMARY KEY (id, name));
  CREATE INDEX IF NOT EXISTS tries_of ON tries (name);
  CREATE INDEX IF NOT EXISTS tries_at ON tries (at);
  CREATE TABLE IF NOT EXISTS decisions (id TEXT PRIMARY KEY, declined INTEGER, at INTEGER);
  CREATE INDEX IF NOT EXISTS decisions_at ON decisions (at);`;

function withTables(sql: SqlStorage): SqlStorage {
  sql.exec(tables);
  return sql;
}

/**
 * Counts tries of cards by who makes them, and all declines together. There is one of it, so that its
 * counts are exact however many try at once. It knows names, never a card or an address.
 */
export class CardLimiter extends DurableObject<Env> {
  readonly #sql = withTables(this.ctx.storage.sql);

  /**
   * Counts a try under each of its names, or says why it must not be made; then nothing is counted.
   * A try that is counted already is counted once.
   */
  async countAttempt(id: string, names: readonly string[]): Promise<ErrorCode | null> {
    const now = Date.now();
    this.#forget(now);
    if (this.#number('SELECT COUNT(*) AS n FROM tries WHERE id = ?', id) > 0) return null;
    const surging = (this.ctx.storage.kv.get<number>('surge') ?? 0) > now;
    for (const name of names) {
      const made = this.#number('SELECT COUNT(*) AS n FROM tries WHERE name = ?', name);
      const refusal = attemptRefusal(made, surging);
      if (refusal) return refusal;
    }
    for (const name of names) this.#sql.exec('INSERT INTO tries VALUES (?, ?, ?)', id, name, now);
    await this.#wake();
    return null;
  }

  /** Notes what came of a try: a purchase does not count, nor what no bank looked at. */
  async recordResult(id: string, result: CardAttemptResult): Promise<void> {
    const now = Date.now();
    this.#forget(now);
    if (result === 'paid' || result === 'undecided') {
      this.#sql.exec('DELETE FROM tries WHERE id = ?', id);
    }
    if (result === 'paid' || result === 'declined') {
      const declined = result === 'declined' ? 1 : 0;
      this.#sql.exec('INSERT OR IGNORE INTO decisions VALUES (?, ?, ?)', id, declined, now);
      this.#watch(now);
    }
    await this.#wake();
  }

  /** Forgets what is over, so that nobody's name stays longer than it counts. */
  override async alarm(): Promise<void> {
    this.#forget(Date.now());
    await this.#wake();
  }

  #watch(now: number): void {
    const decided = this.#number('SELECT COUNT(*) AS n FROM decisions');
    const declined = this.#number('SELECT COUNT(*) AS n FROM decisions WHERE declined = 1');
    if (!isSurge(declined, decided)) return;
    const { kv } = this.ctx.storage;
    if (!kv.get('surge')) log('error', 'card_testing_detected', { state: 'on', count: declined });
    kv.put('surge', now + surge.durationMs);
  }

  #forget(now: number): void {
    this.#sql.exec('DELETE FROM tries WHERE at <= ?', now - attemptWindowMs);
    this.#sql.exec('DELETE FROM decisions WHERE at <= ?', now - surge.windowMs);
    const { kv } = this.ctx.storage;
    if ((kv.get<number>('surge') ?? now + 1) > now) return;
    kv.delete('surge');
    log('info', 'card_testing_detected', { state: 'off' });
  }

  async #wake(): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) !== null) return;
    const kept = this.#number('SELECT COUNT(*) AS n FROM tries') > 0;
    const left = kept || this.#number('SELECT COUNT(*) AS n FROM decisions') > 0;
    if (left || this.ctx.storage.kv.get('surge')) {
      await this.ctx.storage.setAlarm(Date.now() + surge.windowMs);
    }
  }

  #number(query: string, ...values: string[]): number {
    return this.#sql.exec<{ n: number }>(query, ...values).one().n;
  }
}

/** The one object that counts tries of cards. */
export const cardLimiterOf = (env: Env) => env.CARD_LIMITER.getByName('all');
